// The arguments of a workload's kernels: buffers and scalars of its default problem.
#pragma once

#include "workloads/workload.hpp"

#include <optional>

namespace benchctl::cli {

/// The workload's problem with the defaults of all parameters, in its first layout; nothing where these
/// make none.
[[nodiscard]] std::optional<ProblemSpec> default_problem(const Workload& workload);

}  // namespace benchctl::cli
