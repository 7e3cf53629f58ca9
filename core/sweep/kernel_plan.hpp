// From a KernelSpec (expressions) to a KernelPlan (numbers) for one point.
#pragma once

#include <benchctl/device.hpp>
#include <benchctl/kernel_spec.hpp>
#include <benchctl/problem.hpp>

#include <filesystem>
#include <functional>
#include <stdexcept>

namespace benchctl {

/// An expression of a kernel's description that cannot be evaluated, or an argument that names nothing:
/// a fault of the description, with the place in it.
class KernelPlanError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What expressions may name of a device: `compute_units`, `warp`, `last_level_cache`.
[[nodiscard]] Parameters device_values(const DeviceInfo& device);
/// All that expressions of a kernel's description may name for one point.
[[nodiscard]] Parameters kernel_values(const Parameters& problem, const std::string& layout,
                                       const Parameters& tunables, const Parameters& device);

/// `values` and those that `spec` derives from them. Throws KernelPlanError.
[[nodiscard]] Parameters with_derived(const KernelSpec& spec, Parameters values);

/// The numbers of one launch that a device may have a limit for.
struct LaunchShape {
  std::array<std::uint64_t, 3> block{1, 1, 1};
  std::array<std::uint64_t, 3> grid{1, 1, 1};
  std::uint64_t shared_bytes = 0;
  std::uint64_t local_bytes = 0;
};

/// Most launches that a plan may have.
inline constexpr std::uint64_t max_planned_launches = 10'000;

/// One launch of a sequence in which some are repeated. What it refers to ends with the call that gets it.
struct Occurrence {
  const LaunchSpec& launch;
  const Parameters& values;  ///< with the counters `step` and `substep` of what is repeated
  bool sequence_swapped;     ///< KernelSpec::swap: the pairs have changed places
  bool launch_swapped;       ///< LaunchSpec::swap
};

/// Calls `use` for each launch that takes place, in their order. `values` have those of with_derived().
/// With `of_each_shape`, launches that cannot differ in shape are visited once. Throws KernelPlanError,
/// also for more launches than max_planned_launches.
void visit_launches(const KernelSpec& spec, const Parameters& values, bool of_each_shape,
                    const std::function<void(const Occurrence&)>& use);
/// Evaluates these alone: cheap enough for every point of a large sweep. Throws KernelPlanError.
[[nodiscard]] LaunchShape launch_shape(const LaunchSpec& launch, const Parameters& values);
/// Elements of a scratch buffer. Throws KernelPlanError.
[[nodiscard]] std::uint64_t scratch_count(const ScratchSpec& scratch, const Parameters& values);

/// Evaluates every expression of `spec` with `values`, those of kernel_values(). `source` files are made
/// absolute under `kernel_directory`. Definitions become text: integers and reals as C literals, truth
/// values 1 and 0, words as they are. Throws KernelPlanError.
[[nodiscard]] KernelPlan plan_kernel(const KernelSpec& spec, const Parameters& values,
                                     const ProblemSpec& problem,
                                     const std::filesystem::path& kernel_directory);

}  // namespace benchctl
