// `benchctl reference`: everything that configs, commands and results can name, made from the tables that
// the program itself works by. docs/reference.md is its output; a test compares them.
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "config/config.hpp"
#include "config/document.hpp"
#include "config/key_tables.hpp"
#include "config/measure_settings.hpp"
#include "model/metrics.hpp"
#include "model/point.hpp"
#include "model/status.hpp"
#include "report/glossary.hpp"
#include "report/remarks.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/strategy.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <compare>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace benchctl::cli {

namespace {

/// For a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

/// A head, and a line for each value.
template <class Values, class Line>
std::string table(std::string text, const Values& values, Line line) {
  for (const auto& value : values) text += line(value);
  return text + '\n';
}

/// The commands that people call, those of commands included, with their whole names.
std::vector<std::pair<std::string, const CLI::App*>> visible_commands(const CLI::App& app,
                                                                      const std::string& before) {
  std::vector<std::pair<std::string, const CLI::App*>> list;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_group().empty()) continue;
    const std::string name = before + ' ' + command->get_name();
    list.emplace_back(name, command);
    const auto inner = visible_commands(*command, name);
    list.insert(list.end(), inner.begin(), inner.end());
  }
  return list;
}

struct OptionRow {
  std::string name;
  std::string doc;
  auto operator<=>(const OptionRow&) const = default;
};

std::vector<OptionRow> option_rows(const CLI::App& command) {
  std::vector<OptionRow> rows;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_name() == "--help") continue;
    rows.push_back({option->get_name(!option->get_positional(), true), option->get_description()});
  }
  return rows;
}

std::string options_table(const std::vector<OptionRow>& rows) {
  if (rows.empty()) return {};
  return table("| | |\n| --- | --- |\n", rows, [](const OptionRow& row) {
    return fmt::format("| `{}` | {} |\n", cell(row.name), cell(row.doc));
  });
}

/// What several commands take in the same way is explained once.
std::string commands(const CLI::App& app) {
  auto list = visible_commands(app, "benchctl");
  list.insert(list.begin(), {app.get_name(), &app});
  std::map<OptionRow, int> uses;
  std::map<std::string, OptionRow> shared;  // by name
  std::vector<OptionRow> shared_in_order;
  for (const auto& [name, command] : list) {
    for (const OptionRow& row : option_rows(*command)) {
      if (++uses[row] == 2 && shared.emplace(row.name, row).second) shared_in_order.push_back(row);
    }
  }
  std::string text = "## Commands\n\n### Options of several commands\n\n" + options_table(shared_in_order);
  for (const auto& [name, command] : list) {
    std::vector<OptionRow> own = option_rows(*command);
    std::string others;
    std::erase_if(own, [&](const OptionRow& row) {
      const auto found = shared.find(row.name);
      if (found == shared.end() || found->second != row) return false;
      others += fmt::format("{}`{}`", others.empty() ? "" : ", ", row.name);
      return true;
    });
    text += fmt::format("### {}\n\n{}.\n\n{}", name, command->get_description(), options_table(own));
    if (!others.empty()) {
      text += fmt::format("Also [as in other commands](#options-of-several-commands): {}\n\n", others);
    }
  }
  return text;
}

std::string measure_table() {
  return table(
      "## Keys of `[measure]`\n\n| key | unit | value | default | |\n| --- | --- | --- | --- | --- |\n",
      measure_keys(), [](const MeasureKeyInfo& key) {
        return fmt::format("| `{}` | {} | {} | `{}` | {} |\n", key.name, key.unit, key.expected,
                           key.text({}), key.doc);
      });
}

std::string config_keys() {
  std::string text = fmt::format(
      "## Tables of configs\n\nEvery other key is refused. So is a config with more than {} MiB of text, "
      "{} keys and values, {} levels of nesting, {} members of one table or of one list of tables or "
      "names, "
      "{} values of one axis, {} values of all axes, {} MiB of expressions, or {} points on a machine.\n\n",
      max_config_bytes >> 20, max_nodes, max_nesting, max_members, max_axis_values,
      Reporter::Room{}.axis_values, Reporter::Room{}.expression_bytes >> 20, max_combinations);
  std::set<std::string> explained;
  for (const ConfigTable& table : config_tables()) {
    std::string rows;
    std::vector<std::string_view> again;
    for (const ConfigKey& key : table.keys) {
      if (!explained.insert(fmt::format("{}: {}: {}", key.name, key.value, key.doc)).second) {
        again.push_back(key.name);
        continue;
      }
      rows += fmt::format("| `{}` | {} | {} | {} |\n", key.name, cell(key.value), cell(key.fallback),
                          cell(key.doc));
    }
    text +=
        fmt::format("### {}\n\n{}\n\n",
                    table.name.starts_with('[') ? fmt::format("`{}`", table.name) : table.name, table.doc);
    if (!rows.empty()) text += "| key | value | default | |\n| --- | --- | --- | --- |\n" + rows + '\n';
    if (!again.empty()) text += fmt::format("Explained above: `{}`\n\n", fmt::join(again, "`, `"));
  }
  return text;
}

std::string common_tunables() {
  const TunableInfo& twin = twin_tunable();
  return fmt::format(
      "## Tunables of every variant\n\n| tunable | default | meaning |\n| --- | --- | --- |\n"
      "| `{}` | `{}` | {} |\n\n",
      twin.name, to_text(twin.default_value), twin.doc);
}

std::string strategy_table() {
  return table(
      "## Search strategies\n\n| strategy | default of `max_points` | meaning |\n| --- | --- | --- |\n",
      strategies(), [](const StrategyInfo& strategy) {
        return fmt::format(
            "| `{}` | {} | {} |\n", strategy.name,
            strategy.default_points == 0 ? "all" : fmt::format("{}", strategy.default_points),
            strategy.doc);
      });
}

std::string statuses() {
  return table(
      "## Statuses of a point\n\n| status | |\n| --- | --- |\n", status_table,
      [](const StatusInfo& status) { return fmt::format("| `{}` | {} |\n", status.id, status.doc); });
}

std::string outcomes() {
  return table(
      "## Outcomes\n\nWhat `benchctl compare` says of a point. `fail` in a policy may name those that may "
      "fail.\n\n| outcome | in tables | may fail | |\n| --- | --- | --- | --- |\n",
      outcome_table, [](const OutcomeInfo& outcome) {
        return fmt::format("| `{}` | {} | {} | {} |\n", outcome.id, outcome.label,
                           outcome.may_fail ? "yes" : "", outcome.doc);
      });
}

std::string metrics() {
  return table(
      "## Metrics\n\nColumns of exports, keys of the store, figures of `explain`. All times are of one "
      "execution. *Counted* figures come from the access patterns that a variant declares. *Observed* ones "
      "come from observers: `observe` may name them, and `benchctl list` says which observer reads them, "
      "and which are always read.\n\n| column | unit | better | |\n| --- | --- | --- | --- |\n",
      metric_table, [](const MetricInfo& metric) {
        const char* better = metric.better == Better::lower    ? "lower"
                             : metric.better == Better::higher ? "higher"
                                                               : "";
        return fmt::format("| `{}` | {} | {} | {}{} |\n", metric.id, metric.unit, better,
                           metric.observed ? "observed: " : "", cell(metric.doc));
      });
}

std::string columns() {
  return table(
      "## Columns of tables\n\nTables leave empty columns out. Tables of published figures also have the "
      "axis, under its own name, and the published figure with its unit.\n\n| column | |\n| --- | --- |\n",
      column_table, [](const ColumnInfo& column) {
        return fmt::format("| `{}` | {} |\n", column.title, cell(column.doc));
      });
}

std::string remarks() {
  return table(
      "## Remarks\n\nWhat tables say of a row. `…`: a word or figures of the row.\n\n| remark | meaning "
      "|\n| --- | --- |\n",
      remark_table, [](const RemarkInfo& remark) {
        return fmt::format("| `{}` | {} |\n", remark.code, cell(remark.doc));
      });
}

/// What kernels are given, with the counts of the default parameters.
std::string kernel_arguments(const ProblemSpec& problem) {
  std::string text = "| argument | type | role | elements by default |\n| --- | --- | --- | ---: |\n";
  for (const BufferSpec& buffer : problem.buffers) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", buffer.name, to_string(buffer.type),
                        to_string(buffer.role), buffer.count);
  }
  for (const ScalarSpec& scalar : problem.scalars) {
    text += fmt::format("| `{}` | {} | scalar | 1 |\n", scalar.name, to_string(scalar.type));
  }
  return text + '\n';
}

std::string workloads() {
  std::string text = "## Workloads\n\n";
  for (const Workload* workload : Workloads::built_in().all()) {
    text += fmt::format("### {}\n\n{}\n\n", workload->name(), workload->doc());
    if (!workload->layouts().empty()) {
      text += fmt::format("Layouts: `{}`\n\n", fmt::join(workload->layouts(), "`, `"));
    }
    text += table("| parameter | default | values | |\n| --- | --- | --- | --- |\n", workload->parameters(),
                  [](const ParameterInfo& parameter) {
                    const std::string values =
                        parameter.choices.empty()
                            ? fmt::format("{:.0f} to {:.0f}", parameter.minimum, parameter.maximum)
                            : fmt::format("`{}`", fmt::join(parameter.choices, "`, `"));
                    return fmt::format("| `{}` | `{}` | {} | {} |\n", parameter.name,
                                       cell(parameter.default_value), values, cell(parameter.doc));
                  });
    if (const auto problem = default_problem(*workload)) text += kernel_arguments(*problem);
  }
  return text;
}

}  // namespace

void add_reference(CLI::App& app) {
  CLI::App* command = app.add_subcommand("reference", "All that configs, commands and results can name");
  command->group("");  // the foot of --help names it
  command->footer("Exit codes: 0 done, 2 usage error.");
  command->callback([&app] {
    print_plain(
        "# Reference\n\nThe output of `benchctl reference`. Which backend has which variants: `benchctl "
        "list`.\n\n{}{}{}{}{}{}{}{}{}{}{}",
        commands(app), config_keys(), measure_table(), strategy_table(), workloads(), common_tunables(),
        statuses(), outcomes(), metrics(), columns(), remarks());
  });
}

}  // namespace benchctl::cli
