// Arguments of planned launches, by the names that a problem has for its buffers and scalars.
#pragma once

#include <benchctl/kernel_spec.hpp>
#include <benchctl/problem.hpp>

#include <cstddef>
#include <vector>

namespace benchctl::gpu {

/// The problem must have them, which the workload says.
[[nodiscard]] inline PlannedArgument buffer_argument(const ProblemSpec& problem, const char* name) {
  return {PlannedArgument::Kind::buffer, problem.position_of_buffer(name)};
}

[[nodiscard]] inline PlannedArgument scalar_argument(const ProblemSpec& problem, const char* name) {
  return {PlannedArgument::Kind::scalar, problem.position_of_scalar(name)};
}

/// Of a product whose parts are joined: A, B, C, sums that parts leave and counters of those that ended
/// (the plan's scratch 0 and 1), m, n, k.
[[nodiscard]] inline std::vector<PlannedArgument> joined_product_arguments(const ProblemSpec& problem) {
  return {buffer_argument(problem, "A"),       buffer_argument(problem, "B"),
          buffer_argument(problem, "C"),       {PlannedArgument::Kind::scratch, 0},
          {PlannedArgument::Kind::scratch, 1}, scalar_argument(problem, "m"),
          scalar_argument(problem, "n"),       scalar_argument(problem, "k")};
}

}  // namespace benchctl::gpu
