// `benchctl reference`: everything that configs, commands and results can name, made from the tables that
// the program itself works by. docs/reference.md is its output; a test compares them.
#include "cli/command.hpp"
#include "cli/workload_buffers.hpp"
#include "config/config.hpp"
#include "config/document.hpp"
#include "config/key_tables.hpp"
#include "config/measure_settings.hpp"
#include "model/metrics.hpp"
#include "model/outcome.hpp"
#include "model/point.hpp"
#include "model/status.hpp"
#include "report/glossary.hpp"
#include "sweep/strategy.hpp"
#include "sweep/twin.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>

namespace benchctl::cli {

namespace {

/// For a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

std::string options_table(const CLI::App& command) {
  std::string text = "| | |\n| --- | --- |\n";
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_name() == "--help") continue;
    text += fmt::format("| `{}` | {} |\n", cell(option->get_name(!option->get_positional(), true)),
                        cell(option->get_description()));
  }
  return text + '\n';
}

/// `before` names the commands that these belong to.
std::string commands(const CLI::App& app, const std::string& before) {
  std::string text;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_group().empty()) continue;
    const std::string name = before + ' ' + command->get_name();
    text += fmt::format("### {}\n\n{}.\n\n{}", name, command->get_description(), options_table(*command)) +
            commands(*command, name);
  }
  return text;
}

std::string measure_table() {
  std::string text =
      "## Keys of `[measure]`\n\n| key | unit | value | default | |\n| --- | --- | --- | --- | --- |\n";
  for (const MeasureKey& key : measure_keys()) {
    text += fmt::format("| `{}` | {} | {} | `{}` | {} |\n", key.name, key.unit, key.expected, key.text({}),
                        key.doc);
  }
  return text + '\n';
}

std::string config_keys() {
  std::string text = fmt::format(
      "## Tables of configs\n\nEvery other key is refused. So is a config with more than {} MiB of text, "
      "{} keys and values, {} levels of nesting, {} sweeps, {} words in one list, {} axes in one table, {} "
      "values of one axis, {} values of all axes, {} MiB of expressions, or {} points on a machine.\n\n",
      max_config_bytes >> 20, max_nodes, max_nesting, max_sweeps, max_words, max_axes, max_axis_values,
      Reporter::Room{}.axis_values, Reporter::Room{}.expression_bytes >> 20, max_combinations);
  for (const ConfigTable& table : config_tables()) {
    text +=
        fmt::format("### {}\n\n{}\n\n| key | value | default | |\n| --- | --- | --- | --- |\n",
                    table.name.starts_with('[') ? fmt::format("`{}`", table.name) : table.name, table.doc);
    for (const ConfigKey& key : table.keys) {
      text += fmt::format("| `{}` | {} | {} | {} |\n", key.name, cell(key.value), cell(key.fallback),
                          cell(key.doc));
    }
    text += '\n';
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
  std::string text =
      "## Search strategies\n\n| strategy | default of `max_points` | meaning |\n| --- | --- | --- "
      "|\n";
  for (const StrategyInfo& strategy : strategies()) {
    text += fmt::format("| `{}` | {} | {} |\n", strategy.name,
                        strategy.default_points == 0 ? "all" : fmt::format("{}", strategy.default_points),
                        strategy.doc);
  }
  return text + '\n';
}

std::string status_table() {
  std::string text = "## Statuses of a point\n\n| status | |\n| --- | --- |\n";
  for (const StatusInfo& status : benchctl::status_table) {
    text += fmt::format("| `{}` | {} |\n", status.id, status.doc);
  }
  return text + '\n';
}

std::string outcomes() {
  std::string text =
      "## Outcomes\n\nWhat `benchctl compare` says of a point; the words of `fail` in a policy are those "
      "that may count "
      "as failure.\n\n| outcome | in tables | may fail | |\n| --- | --- | --- | --- |\n";
  for (const OutcomeInfo& outcome : outcome_table) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", outcome.id, outcome.label,
                        outcome.may_fail ? "yes" : "", outcome.doc);
  }
  return text + '\n';
}

std::string metrics() {
  std::string text =
      "## Metrics\n\nThose marked \"observed\" are read by observers: `observe` may name them, and "
      "`benchctl list` says which observer reads them and which are read always.\n\n"
      "| column | unit | better | |\n| --- | --- | --- | --- |\n";
  for (const MetricInfo& metric : metric_table) {
    const char* better = metric.better == Better::lower    ? "lower"
                         : metric.better == Better::higher ? "higher"
                                                           : "";
    text += fmt::format("| `{}` | {} | {} | {}{} |\n", metric.id, metric.unit, better,
                        metric.observed ? "observed: " : "", cell(metric.doc));
  }
  return text + '\n';
}

std::string columns() {
  std::string text = "## Columns of tables\n\n| column | |\n| --- | --- |\n";
  for (const ColumnInfo& column : column_table)
    text += fmt::format("| `{}` | {} |\n", column.title, cell(column.doc));
  return text + '\n';
}

/// What kernels are given, with the counts of the default parameters.
std::string arguments_of(const ProblemSpec& problem) {
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
  for (const Workload* workload : all_workloads()) {
    text += fmt::format("### {}\n\n{}\n\n", workload->name(), workload->doc());
    if (!workload->layouts().empty()) {
      text += fmt::format("Layouts: `{}`\n\n", fmt::join(workload->layouts(), "`, `"));
    }
    text += "| parameter | default | values | |\n| --- | --- | --- | --- |\n";
    for (const ParameterInfo& parameter : workload->parameters()) {
      text += fmt::format("| `{}` | `{}` | {} | {} |\n", parameter.name, cell(parameter.default_value),
                          parameter.choices.empty()
                              ? fmt::format("{:.0f} to {:.0f}", parameter.minimum, parameter.maximum)
                              : fmt::format("`{}`", fmt::join(parameter.choices, "`, `")),
                          cell(parameter.doc));
    }
    text += '\n';
    if (const auto problem = default_problem(*workload)) text += arguments_of(*problem);
  }
  return text;
}

}  // namespace

void add_reference(CLI::App& app, Common&) {
  CLI::App* command = app.add_subcommand(
      "reference", "Everything that configs, commands and results can name, as Markdown");
  command->callback([&app] {
    std::cout << "# Reference\n\nThe output of `benchctl reference`. Which backend has which variants: "
                 "`benchctl list`.\n\n"
              << "## Commands\n\n"
              << commands(app, "benchctl") << config_keys() << measure_table() << strategy_table()
              << workloads() << common_tunables() << status_table() << outcomes() << metrics() << columns();
  });
}

}  // namespace benchctl::cli
