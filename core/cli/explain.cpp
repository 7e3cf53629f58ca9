// `benchctl explain`: why a stored point was skipped, failed, is unstable, slow or fast.
#include "report/explain.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "predict/rules.hpp"
#include "sweep/kernel_plan.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>

namespace benchctl::cli {

namespace {

/// Long lines are hard to read, however wide the terminal.
constexpr int widest = 110;

const VariantInfo& variant_of(const FoundPoint& choice, const Catalogue& catalogue) {
  const Point& point = choice.point();
  const VariantInfo* variant = catalogue.variant_of(point);
  if (variant == nullptr) {
    throw UsageError(
        fmt::format("no plugin here has variant {} of {} on {}: rules are for variants of plugins; "
                    "`benchctl list {}` shows them",
                    point.variant, point.workload, point.backend, point.workload));
  }
  if (variant->access.empty()) {
    throw UsageError(
        fmt::format("variant {} of {} on {} declares no access pattern, so there is nothing to judge",
                    point.variant, point.workload, point.backend));
  }
  return *variant;
}

Finding finding_of(const predict::AccessCost& cost, const predict::RuleSet& rules,
                   const AccessSpec& access) {
  const std::string head =
      fmt::format("{} {}", access.kind == AccessKind::read ? "Load of" : "Store to", access.operand);
  const auto requests = static_cast<double>(cost.requests);
  Finding finding{std::string(rules.id), ""};
  finding.figures["requests"] = requests;
  if (access.space != AccessSpace::global) {
    finding.text = fmt::format(
        "{} in {} memory: {:.2f} turns a request, {:.2f} times as many as without conflicts.", head,
        to_string(access.space), static_cast<double>(cost.turns) / requests, cost.conflict_degree());
    finding.figures["conflict_degree"] = cost.conflict_degree();
    return finding;
  }
  const auto transactions = static_cast<double>(cost.transactions);
  const auto moved = static_cast<double>(cost.moved_bytes);
  const auto used = static_cast<double>(cost.used_bytes);
  finding.text = fmt::format(
      "{}: {:.1f} % of the bytes moved are asked for; a request takes {:.2f} transactions, which move "
      "{:.0f} bytes for {:.0f}.",
      head, 100 * cost.efficiency(), transactions / requests, moved / requests, used / requests);
  finding.figures["efficiency"] = cost.efficiency();
  finding.figures["transactions"] = transactions;
  finding.figures["moved_bytes"] = moved;
  finding.figures["used_bytes"] = used;
  return finding;
}

/// The names that `--rules` takes.
std::string rule_names() {
  std::string text = "all";
  for (const predict::RuleSet& rules : predict::rule_sets) text += fmt::format(", {}", rules.id);
  return text;
}

/// Each memory instruction of the point's variant under each of the rule sets: what the hardware of a day
/// makes of its accesses. Throws UsageError if the variant declares no access pattern or no plugin here
/// has it.
std::vector<Finding> accesses_under(const FoundPoint& choice, const Catalogue& catalogue,
                                    const std::vector<const predict::RuleSet*>& rules) {
  const Point& point = choice.point();
  const VariantInfo& variant = variant_of(choice, catalogue);
  const DeviceInfo device = choice.lane() != nullptr ? choice.lane()->device : DeviceInfo{};
  const std::vector<predict::Pattern> patterns = predict::sampled_patterns(
      variant, kernel_values(point.problem, point.layout, point.tunables, device_values(device)));
  std::vector<Finding> findings;
  for (const predict::RuleSet* set : rules) {
    findings.push_back({std::string(set->id), fmt::format("The rules: {}.", set->doc)});
    for (const predict::Pattern& pattern : patterns) {
      const predict::AccessCost cost = predict::access_cost(pattern, *set);
      if (cost.requests > 0) findings.push_back(finding_of(cost, *set, *pattern.spec));
    }
  }
  return findings;
}

/// Those named, all for `all`. Throws UsageError.
std::vector<const predict::RuleSet*> chosen_rules(const std::vector<std::string>& names) {
  std::vector<const predict::RuleSet*> chosen;
  for (const std::string& name : names) {
    if (name == "all") {
      for (const predict::RuleSet& rules : predict::rule_sets) chosen.push_back(&rules);
      continue;
    }
    chosen.push_back(predict::find_rules(name));
    if (chosen.back() == nullptr) {
      throw UsageError(fmt::format("--rules {}: there are no such rules, but {}", name, rule_names()));
    }
  }
  return chosen;
}

struct ExplainArguments {
  std::string point;
  std::vector<std::string> rules;
  std::string format;
};

void explain_point(Common& common, const ExplainArguments& options) {
  const std::vector<const predict::RuleSet*> sets = chosen_rules(options.rules);
  const Store store = common.store();
  const FoundPoint choice = choose_point(store, options.point);
  const std::vector<Finding> findings =
      sets.empty() ? explain(point_story(store, choice))
                   : accesses_under(choice, make_catalogue(Workers().plugins(common)), sets);
  const auto width = static_cast<std::size_t>(std::min(terminal_width(STDOUT_FILENO), widest));
  std::cout << (options.format == "json" ? explanation_json(choice, findings)
                                         : explanation_text(choice, findings, width));
}

}  // namespace

void add_explain(CLI::App& app, Common& common) {
  const auto [command, options] = add_command(
      app, common, "explain", "Explain why a stored point was skipped, failed, is unstable, slow or fast",
      &explain_point);
  add_value(command, "point", options.point, "POINT", fmt::format("Which point: {}", point_forms))
      ->required();
  add_value(command, "--rules", options.rules, "RULES",
            fmt::format("Only how these generations serve the accesses of POINT: {}", rule_names()))
      ->delimiter(',');
  add_store_option(command, common);
  add_format_option(command, options.format, {"text", "json"});
}

}  // namespace benchctl::cli
