// The plugin as the program would load it, and matrix products small enough to be checked by plain loops.
#pragma once

#include <benchctl/plugin.hpp>

#include "support/paths.hpp"

#include <string>
#include <vector>

namespace benchctl::test {

/// The plugin's backend; the case is skipped with the reason when it was not built.
[[nodiscard]] Backend& opencl_backend();

/// Devices to test on: all but simulators, or, when BENCHCTL_TEST_SIMULATOR is set, simulators alone. The
/// case is skipped with the reason when there are none.
[[nodiscard]] std::vector<DeviceInfo> opencl_devices();

/// Kernel files of the plugin.
[[nodiscard]] std::filesystem::path opencl_kernels();

/// The table entry matmul/`name`, or null.
[[nodiscard]] const VariantInfo* matmul_variant(const std::string& name);

struct Shape {
  std::int64_t m;
  std::int64_t n;
  std::int64_t k;
};

/// A matrix product on a device, in `sets` sets of buffers, each with guard bytes behind its payload.
/// Inputs are the same in every set, outputs start as NaN.
class MatmulProblem {
 public:
  MatmulProblem(Session& session, const Shape& shape, DType dtype, std::uint32_t sets = 1);

  [[nodiscard]] std::unique_ptr<Prepared> prepare(const VariantInfo& variant,
                                                  const Parameters& tunables = {});
  /// Prepares a kernel file that takes the arguments of matmul, with one work-item per element of C.
  [[nodiscard]] std::unique_ptr<Prepared> prepare_file(const std::filesystem::path& file,
                                                       const std::string& entry);
  /// Empty when C is right in that set and all guard bytes are untouched; otherwise what is wrong.
  [[nodiscard]] std::string fault(std::uint32_t set) const;
  void poison(std::uint32_t set);

  [[nodiscard]] const ProblemSpec& spec() const { return spec_; }
  [[nodiscard]] Problem& device() { return *problem_; }

 private:
  void write_inputs(std::uint32_t set);

  Shape shape_;
  ProblemSpec spec_;
  std::vector<double> a_;
  std::vector<double> b_;
  std::unique_ptr<Problem> problem_;
};

/// A problem without any buffer of size: for cases that fail before.
[[nodiscard]] ProblemSpec matmul_spec(const Shape& shape, DType dtype);

/// Values of the variant's tunables: the given ones, defaults for the rest.
[[nodiscard]] Parameters complete_tunables(const VariantInfo& variant, const Parameters& given);

}  // namespace benchctl::test
