// `benchctl selftest`: does benchctl measure right on this machine?
#include "cli/command.hpp"
#include "cli/selection.hpp"
#include "cli/terminal.hpp"
#include "report/text_table.hpp"
#include "selftest/checks.hpp"
#include "sweep/lanes.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

namespace benchctl::cli {

namespace {

using nlohmann::json;
using selftest::Finding;

struct SelftestArguments {
  bool quick = false;
  bool full = false;
  bool wait = false;
  std::vector<std::string> backends;
  std::vector<std::string> checks;
  double timeout_seconds = 120;
  std::string format;
};

bool is_wanted(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

std::size_t count(const std::vector<Finding>& findings, selftest::Outcome outcome) {
  return static_cast<std::size_t>(std::ranges::count(findings, outcome, &Finding::outcome));
}

std::string summary(const std::vector<Finding>& findings) {
  return fmt::format("{} passed, {} failed, {} not possible here", count(findings, selftest::Outcome::pass),
                     count(findings, selftest::Outcome::fail),
                     count(findings, selftest::Outcome::not_possible));
}

void print_text(const std::vector<Finding>& findings) {
  TextTable table(
      {{"check"}, {"device"}, {"case"}, {"expected"}, {"found", true}, {"outcome"}, {"remarks"}});
  for (const Finding& finding : findings) {
    table.add({finding.check, finding.lane, finding.what, finding.expected, finding.found,
               std::string(to_string(finding.outcome)), finding.note},
              finding.outcome == selftest::Outcome::fail);
  }
  std::cout << table.text(colours_on(STDOUT_FILENO), text_width(STDOUT_FILENO)) << '\n'
            << summary(findings) << '\n';
}

void print_json(const std::vector<Finding>& findings, bool full) {
  json rows = json::array();
  for (const Finding& finding : findings) {
    rows.push_back({{"check", finding.check},
                    {"device", finding.lane},
                    {"case", finding.what},
                    {"expected", finding.expected},
                    {"found", finding.found},
                    {"outcome", to_string(finding.outcome)},
                    {"note", finding.note},
                    {"figures", finding.figures}});
  }
  std::cout << json{{"version", BENCHCTL_VERSION},
                    {"extent", full ? "full" : "quick"},
                    {"findings", std::move(rows)}}
                   .dump(2)
            << '\n';
}

LaneTable wanted_lanes(const SelftestArguments& options, const PluginTable& plugins,
                       ChannelFactory& factory) {
  refuse_unknown_backends(options.backends, plugins);
  LaneTable lanes = probe_lanes(plugins, factory, options.backends, options.timeout_seconds);
  leave_out_software(lanes, options.backends, {});
  return lanes;
}

/// A backend without a device has its own line, so that its silence is not taken for a pass.
void add_absent(const LaneTable& lanes, const SelftestArguments& options, const PluginTable& plugins,
                std::vector<Finding>& findings) {
  const auto add = [&](const std::string& backend, const std::string& reason,
                       selftest::Outcome outcome = selftest::Outcome::not_possible) {
    Finding finding;
    finding.check = "*";
    finding.lane = backend;
    finding.what = "every check of a device";
    finding.outcome = outcome;
    finding.note = reason;
    findings.push_back(std::move(finding));
  };
  for (const BackendLanes& backend : lanes) {
    if (!backend.lanes.empty()) continue;
    add(backend.backend, backend.unavailable,
        backend.status == Status::skipped ? selftest::Outcome::not_possible : selftest::Outcome::fail);
  }
  for (const RefusedPlugin& plugin : plugins.refused()) {
    if (is_wanted(options.backends, plugin.name)) add(plugin.name, "plugin refused: " + plugin.reason);
  }
}

void run(Common& common, const SelftestArguments& options) {
  Workers workers;
  RunOptions runs;
  runs.store = common.db.empty() ? workers.folder() / "selftest.db" : common.store_file();
  runs.folder = workers.folder();
  runs.cache = default_cache();
  runs.command = common.command;
  runs.timeout_seconds = options.timeout_seconds;
  runs.wait = options.wait;

  const PluginTable plugins = workers.plugins(common);
  const LaneTable lanes = wanted_lanes(options, plugins, workers.factory());
  const std::unique_ptr<Progress> progress = make_progress();
  selftest::Bench bench(plugins, workers.factory(), lanes, std::move(runs), *progress, options.full);

  std::vector<Finding> findings;
  add_absent(lanes, options, plugins, findings);
  try {
    for (const selftest::Check& check : selftest::all_checks()) {
      if (!is_wanted(options.checks, check.id)) continue;
      for (Finding& finding : run_check(check, bench)) findings.push_back(std::move(finding));
    }
  } catch (const selftest::Interrupted&) {
    common.exit_code = interrupted;
  }
  if (options.format == "json") {
    print_json(findings, options.full);
  } else {
    print_text(findings);
  }
  if (common.exit_code == success && count(findings, selftest::Outcome::fail) > 0)
    common.exit_code = point_failed;
}

}  // namespace

void add_selftest(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("selftest", "Prove that times are right on this machine");
  auto options = std::make_shared<SelftestArguments>();
  auto* quick = command->add_flag("--quick", options->quick, "Few repetitions (the default)");
  command->add_flag("--full", options->full, "Many repetitions: figures that can be published")
      ->excludes(quick);
  command->add_option("--backend", options->backends, "Only these backends (several: A,B)")
      ->type_name("NAME")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--check", options->checks, checks_doc(selftest::all_checks()))
      ->type_name("NAME")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(check_names(selftest::all_checks())));
  command->add_option("--db", common.db, "Keep the runs in this store (default: they are deleted)")
      ->type_name("FILE");
  command
      ->add_option("--timeout", options->timeout_seconds,
                   "Watchdog: seconds that one step of one point may take")
      ->type_name("SECONDS")
      ->check(above_zero)
      ->capture_default_str();
  command->add_flag("--wait", options->wait, "Wait for another benchctl that is measuring on this machine");
  add_format_option(*command, options->format, {"text", "json"});
  command->callback([&common, options] { run(common, *options); });
}

}  // namespace benchctl::cli
