// `benchctl explain`: why a stored point was skipped, failed, is unstable, slow or fast.
#include "report/explain.hpp"
#include "cli/command.hpp"
#include "cli/explain_rules.hpp"
#include "cli/terminal.hpp"
#include "store/store.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>

namespace benchctl::cli {

namespace {

/// Long lines are hard to read, however wide the terminal.
constexpr int widest = 110;

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
      throw UsageError(fmt::format("--rules {}: there are no such rules, but {}", name, rule_forms()));
    }
  }
  return chosen;
}

}  // namespace

void add_explain(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand(
      "explain", "Explain why a stored point was skipped, failed, is unstable, slow or fast");
  auto point = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>();
  command->add_option("point", *point, fmt::format("Which point: {}", point_forms))
      ->required()
      ->type_name("POINT");
  auto rules = std::make_shared<std::vector<std::string>>();
  command
      ->add_option(
          "--rules", *rules,
          fmt::format("Instead: how these generations of hardware serve its accesses: {}", rule_forms()))
      ->delimiter(',')
      ->type_name("RULES");
  add_store_option(*command, common);
  add_format_option(*command, *format, {"text", "json"});
  command->callback([&common, point, rules, format] {
    const std::vector<const predict::RuleSet*> sets = chosen_rules(*rules);
    const Store store = Store::open(common.store_file(), Store::Access::read_only);
    const PointChoice choice = choose_point(store, *point);
    const std::vector<Finding> findings =
        sets.empty() ? explain(point_story(store, choice))
                     : judged_accesses(choice, make_catalogue(Workers().plugins(common)), sets);
    const auto width = static_cast<std::size_t>(std::min(terminal_width(STDOUT_FILENO), widest));
    std::cout << (*format == "json" ? explanation_json(choice, findings)
                                    : explanation_text(choice, findings, width));
  });
}

}  // namespace benchctl::cli
