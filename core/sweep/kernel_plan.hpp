// From a KernelSpec (expressions) to a KernelPlan (numbers) for one point.
#pragma once

#include <benchctl/kernel_spec.hpp>
#include <benchctl/problem.hpp>

#include <filesystem>
#include <stdexcept>

namespace benchctl {

/// An expression of a kernel's description that cannot be evaluated, or an argument that names nothing:
/// a fault of the description, with the place in it.
class KernelPlanError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Evaluates every expression of `spec`. `values` holds all that expressions may name: problem
/// parameters, tunables, `layout`. `source` files are made absolute under `kernel_directory`.
/// Definitions become text: integers and reals as C literals, truth values 1 and 0, words as they are.
/// Throws KernelPlanError.
[[nodiscard]] KernelPlan plan_kernel(const KernelSpec& spec, const Parameters& values,
                                     const ProblemSpec& problem,
                                     const std::filesystem::path& kernel_directory);

}  // namespace benchctl
