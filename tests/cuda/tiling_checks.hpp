// A tiling beside the variant whose tunables it is.
#pragma once

#include "expr/parsed.hpp"
#include "plan_checks.hpp"
#include "plugin_under_test.hpp"
#include "sweep/kernel_plan.hpp"

#include <string>

namespace benchctl::test {

/// As many tilings of a size as a trial takes, about.
inline constexpr std::size_t tried = 4;

/// The variant takes these tunables on a GPU of so many multiprocessors, and makes `plan` of them, which
/// has room in so many bytes of shared memory. A in `problem` has the type of the elements.
inline void check_taken(const VariantInfo& variant, const ProblemSpec& problem, Parameters tunables,
                        std::uint64_t units, const KernelPlan& plan, std::uint64_t most_shared_bytes) {
  tunables["compute_units"] = static_cast<std::int64_t>(units);
  Parameters values = kernel_values(problem.parameters, "", tunables, {});
  values["dtype"] = std::string(to_string(problem.buffers.front().type));
  values = with_derived(*variant.kernel, values);
  for (const std::string& text : variant.require) CHECK(parsed_expression(text).holds(values));
  for (const TunableInfo& tunable : variant.tunables) {
    for (const std::string& text : tunable.require) CHECK(parsed_expression(text).holds(values));
  }
  check_equal(plan, plan_for(variant, problem, tunables), most_shared_bytes);
}

}  // namespace benchctl::test
