// The plugins with backends as the program would load them, and matrix products small enough to be checked
// by plain loops.
#pragma once

#include <benchctl/plugin.hpp>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace benchctl::test {

/// The backend of lib/benchctl/plugins/libbenchctl_NAME.so, or null when it was not built. Throws where the
/// library does not load.
[[nodiscard]] Backend* plugin_backend(const std::string& name);
/// The same; skips the running test when it was not built.
[[nodiscard]] Backend& built_backend(const std::string& name);
/// The variants of a backend of plugin_backend(), those of its tables included.
[[nodiscard]] const std::vector<VariantInfo>& variants_of(const Backend& backend);
/// Where the kernel files of a plugin are.
[[nodiscard]] std::filesystem::path kernels_of(const std::string& plugin);

/// The variant; fails the running test when there is none.
[[nodiscard]] const VariantInfo& variant_of(Backend& backend, const std::string& workload,
                                            const std::string& name);
/// All of the variant's tunables: those given, defaults for the rest.
[[nodiscard]] Parameters tunables_of(const VariantInfo& variant, const Parameters& given = {});

struct MatmulSize {
  std::int64_t m = 1;
  std::int64_t n = 1;
  std::int64_t k = 1;
  DType dtype = DType::f32;
};

/// Buffers A (m×k), B (k×n), C (m×n), row-major; scalars m, n, k.
[[nodiscard]] ProblemSpec matmul_problem(const MatmulSize& size);

/// A device of one of the plugins.
struct GpuLane {
  std::string plugin;
  Backend& backend;
  DeviceInfo device;

  [[nodiscard]] std::unique_ptr<Session> open(const SessionOptions& options = {}) const {
    return backend.open(device.id, options);
  }
};

/// All devices of these plugins. Of OpenCL all but simulators, or, when
/// BENCHCTL_TEST_SIMULATOR is set, simulators alone. The test is skipped with the reason when there is
/// none.
[[nodiscard]] std::vector<GpuLane> gpu_lanes(const std::vector<std::string>& plugins = {"cuda", "opencl",
                                                                                        "vulkan"});

/// A matrix product on a device, in `sets` sets of buffers, each with guard bytes behind its payload.
/// Inputs are the same in every set, outputs start as NaN.
class MatmulProblem {
 public:
  static constexpr std::uint64_t guard_bytes = 256;
  using Spaces = std::array<Space, 3>;
  MatmulProblem(Session& session, const MatmulSize& size, std::uint32_t sets = 1,
                const Spaces& spaces = {Space::device, Space::device, Space::device});

  /// Planned as for a device of a few compute units, so that groups share sums.
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const GpuLane& lane, const std::string& variant,
                                                  const Parameters& tunables = {});
  /// Prepares a kernel file that takes the arguments of matmul, with one work-item per element of C.
  [[nodiscard]] std::unique_ptr<Prepared> prepare_file(const std::filesystem::path& file,
                                                       const std::string& entry);
  /// Empty when C is right in that set, and A, B and all guard bytes are untouched; otherwise what is
  /// wrong.
  [[nodiscard]] std::string fault(std::uint32_t set) const;
  void poison(std::uint32_t set);
  /// Its buffers: A, B and C.
  [[nodiscard]] Problem& device() const { return *problem_; }

 private:
  MatmulSize size_;
  ProblemSpec spec_;
  std::vector<double> a_;
  std::vector<double> b_;
  std::unique_ptr<Problem> problem_;
};

}  // namespace benchctl::test
