// The arguments of one launch. Internal to this room.
#pragma once

#include "sweep/kernel_plan.hpp"

#include <vector>

namespace benchctl {

/// Finds what the arguments name and evaluates the others, whose numbers are appended to `plan.scalars`;
/// `plan.scratch` is complete. Throws KernelPlanError.
[[nodiscard]] std::vector<PlannedArgument> planned_arguments(const Occurrence& one, const KernelSpec& spec,
                                                             const ProblemSpec& problem, KernelPlan& plan);
/// The buffer or scratch buffer of that name; with `swap` the one in its place. Throws KernelPlanError.
[[nodiscard]] PlannedArgument planned_memory(const Occurrence& one, const KernelSpec& spec,
                                             const ProblemSpec& problem, KernelPlan& plan,
                                             const std::string& name);

}  // namespace benchctl
