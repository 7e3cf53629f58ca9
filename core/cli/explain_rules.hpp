// `benchctl explain --rules`: what the hardware of a day makes of a stored point's accesses.
#pragma once

#include "engine/host.hpp"
#include "predict/rules.hpp"
#include "report/explain.hpp"

#include <string>
#include <vector>

namespace benchctl::cli {

/// The names that `--rules` takes, with what each means, for help texts.
[[nodiscard]] std::string rule_forms();

/// Each memory instruction of the point's variant, judged by each of the rule sets. Throws UsageError if
/// the variant declares no access pattern or no plugin here has it.
[[nodiscard]] std::vector<Finding> judged_accesses(const PointChoice& choice, const Catalogue& catalogue,
                                                   const std::vector<const predict::RuleSet*>& rules);

}  // namespace benchctl::cli
