// `benchctl selftest`: does benchctl measure right on this machine? `benchctl doctor`: is the machine fit
// for measuring, and is each device as fast as it should be?
#include "cli/selection.hpp"
#include "cli/terminal.hpp"
#include "engine/coordinator.hpp"
#include "model/json.hpp"
#include "model/words.hpp"
#include "report/text_table.hpp"
#include "selftest/bench.hpp"
#include "selftest/checks.hpp"
#include "selftest/doctor.hpp"
#include "store/store.hpp"
#include "sweep/lanes.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

namespace benchctl::cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using selftest::CaseResult;
using selftest::Diagnosis;
using selftest::Verdict;

/// What both take.
struct BenchArguments {
  std::vector<std::string> backends;
  double timeout_seconds = 120;
  bool wait = false;
  std::string format;
};

void add_bench_options(CLI::App& command, Common& common, BenchArguments& options) {
  add_value(command, "--db", common.db, "FILE", "Keep the runs in this store (default: they are deleted)");
  add_timeout_option(command, options.timeout_seconds);
  add_wait_option(command, options.wait);
  add_quiet_option(command, common);
  add_format_option(command, options.format, {"text", "json"});
}

LaneTable wanted_lanes(const BenchArguments& options, const PluginTable& plugins, ChannelFactory& factory) {
  refuse_unknown_backends(options.backends, plugins);
  LaneTable lanes = probe_lanes(plugins, factory, options.backends, options.timeout_seconds);
  leave_out_software(lanes, options.backends, {});
  return lanes;
}

RunOptions run_options(const Common& common, const BenchArguments& options, const Workers& workers) {
  RunOptions runs;
  runs.store = common.db.empty() ? workers.folder() / "bench.db" : common.store_file();
  runs.folder = workers.folder();
  runs.cache = default_cache();
  runs.command = common.command;
  runs.timeout_seconds = options.timeout_seconds;
  runs.wait = options.wait;
  return runs;
}

struct SelftestArguments {
  BenchArguments bench;
  bool full = false;
  std::vector<std::string> checks;
};

bool is_wanted(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

std::size_t count(const std::vector<CaseResult>& results, selftest::Outcome outcome) {
  return static_cast<std::size_t>(std::ranges::count(results, outcome, &CaseResult::outcome));
}

void print_results(const std::vector<CaseResult>& results) {
  TextTable table(
      {{"check"}, {"device"}, {"case"}, {"expected"}, {"found", true}, {"outcome"}, {"remarks"}});
  for (const CaseResult& result : results) {
    table.add({result.check, result.lane, result.what, result.expected, result.found,
               std::string(to_string(result.outcome)), result.note},
              result.outcome == selftest::Outcome::fail);
  }
  print_plain("{}\n{} passed, {} failed, {} not possible here\n",
              table.text(colours_on(STDOUT_FILENO), text_width(STDOUT_FILENO)),
              count(results, selftest::Outcome::pass), count(results, selftest::Outcome::fail),
              count(results, selftest::Outcome::not_possible));
}

json to_json(const CaseResult& result) {
  return {{"check", result.check},       {"device", result.lane},    {"case", result.what},
          {"expected", result.expected}, {"found", result.found},    {"outcome", to_string(result.outcome)},
          {"note", result.note},         {"figures", result.figures}};
}

/// A backend without a device has its own line, so that its silence is not taken for a pass.
void add_absent(const LaneTable& lanes, const SelftestArguments& options, const PluginTable& plugins,
                std::vector<CaseResult>& results) {
  const auto add = [&](const std::string& backend, const std::string& reason, selftest::Outcome outcome) {
    CaseResult& result = results.emplace_back();
    result.check = "*";
    result.lane = backend;
    result.what = "every check of a device";
    result.outcome = outcome;
    result.note = reason;
  };
  for (const BackendLanes& backend : lanes) {
    if (!backend.lanes.empty()) continue;
    add(backend.backend, backend.unavailable,
        backend.status == Status::skipped ? selftest::Outcome::not_possible : selftest::Outcome::fail);
  }
  for (const RefusedPlugin& plugin : plugins.refused()) {
    if (is_wanted(options.bench.backends, plugin.name))
      add(plugin.name, "plugin refused: " + plugin.reason, selftest::Outcome::not_possible);
  }
}

void run_selftest(Common& common, const SelftestArguments& options) {
  Workers workers;
  const PluginTable plugins = workers.plugins(common);
  const LaneTable lanes = wanted_lanes(options.bench, plugins, workers.factory());
  const std::unique_ptr<Progress> progress = make_progress(common.quiet);
  selftest::Bench bench(plugins, workers.factory(), lanes, run_options(common, options.bench, workers),
                        *progress, options.full);
  std::vector<CaseResult> results;
  add_absent(lanes, options, plugins, results);
  try {
    for (const selftest::Check& check : selftest::all_checks()) {
      if (!is_wanted(options.checks, check.id)) continue;
      std::ranges::move(run_check(check, bench), std::back_inserter(results));
    }
  } catch (const selftest::Interrupted&) {
    common.exit_code = interrupted;
  }
  if (options.bench.format == "json") {
    write_json(
        json{{"version", BENCHCTL_VERSION},
             {"extent", options.full ? "full" : "quick"},
             {"results", list_of(results, [](const CaseResult& result) { return to_json(result); })}});
  } else {
    print_results(results);
  }
  if (common.exit_code == success && count(results, selftest::Outcome::fail) > 0)
    common.exit_code = point_failed;
}

/// For all devices together.
constexpr double doctor_seconds = 100;

struct DoctorArguments {
  BenchArguments bench;
  std::string config = "doctor";
  std::string known_cards;
};

/// Times that are measured now would say little, or there would be none.
bool keeps_from_measuring(const Diagnosis& diagnosis) {
  return diagnosis.verdict == Verdict::noisy || diagnosis.verdict == Verdict::failed;
}

bool wants_attention(const Diagnosis& diagnosis) {
  return diagnosis.verdict != Verdict::normal && diagnosis.verdict != Verdict::unknown;
}

/// `fake:0: noise 8 % from p5 to p95 (up to 5 % is normal): other programs use the device. Stop them.`
std::string line_of(const Diagnosis& diagnosis) {
  std::string text = diagnosis.device.empty() ? "" : diagnosis.device + ": ";
  if (diagnosis.verdict != Verdict::missing) {
    text += fmt::format("{} {}", diagnosis.what, diagnosis.found);
    if (!diagnosis.expected.empty()) text += fmt::format(" ({})", diagnosis.expected);
    if (!diagnosis.cause.empty()) text += ": ";
  }
  std::string advice = diagnosis.advice;
  if (!advice.empty()) advice[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(advice[0])));
  return fmt::format("{}{}. {}.\n", text, diagnosis.cause, advice);
}

/// How many are normal, and the names of those that there is nothing to compare with.
std::string rest_of(const std::vector<Diagnosis>& diagnoses) {
  std::vector<std::string> unknown;
  std::ptrdiff_t count = 0;
  for (const Diagnosis& diagnosis : diagnoses) {
    if (diagnosis.verdict != Verdict::unknown) continue;
    ++count;
    if (std::ranges::find(unknown, diagnosis.what) == unknown.end()) unknown.push_back(diagnosis.what);
  }
  const auto normal = std::ranges::count(diagnoses, Verdict::normal, &Diagnosis::verdict);
  return fmt::format("{} check{} normal{}.\n", normal, normal == 1 ? " is" : "s are",
                     count == 0 ? ""
                                : fmt::format("; {} ha{} nothing to be compared with: {}", count,
                                              count == 1 ? "s" : "ve", fmt::join(unknown, ", ")));
}

/// The verdict with its first reason, then the other things that are not normal. `without_reason`: the
/// verdict if there is none.
void print_diagnoses(const std::vector<Diagnosis>& diagnoses, std::string_view without_reason) {
  const auto reason = std::ranges::find_if(diagnoses, keeps_from_measuring);
  std::string text = reason != diagnoses.end() ? "Not fit to measure: " + line_of(*reason)
                                               : fmt::format("{}.\n", without_reason);
  for (auto diagnosis = diagnoses.begin(); diagnosis != diagnoses.end(); ++diagnosis) {
    if (diagnosis != reason && wants_attention(*diagnosis)) text += line_of(*diagnosis);
  }
  write_text(visible_lines(text + rest_of(diagnoses)));
}

nlohmann::ordered_json to_json(const Diagnosis& diagnosis) {
  return {{"device", diagnosis.device},
          {"what", diagnosis.what},
          {"found", diagnosis.found},
          {"expected", diagnosis.expected},
          {"verdict", std::string(to_string(diagnosis.verdict))},
          {"cause", diagnosis.cause},
          {"advice", diagnosis.advice},
          {"figures", diagnosis.figures}};
}

std::vector<selftest::KnownCards> known_cards_in(const fs::path& file) {
  const std::string text = read_file(file);
  try {
    return selftest::parse_known_cards(text);
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("{}: {}", file, json_fault(error)));
  }
}

void run_doctor(Common& common, const DoctorArguments& options) {
  const std::vector<selftest::KnownCards> known = known_cards_in(
      options.known_cards.empty() ? shared_file("known_cards.json") : fs::path(options.known_cards));
  const fs::path file = find_config(options.config);
  const std::string config = read_file(file);
  for (const Sweep& sweep : parse_config(config, file.string()).sweeps) {
    if (sweep.workload.text != roof_workload().name())
      throw UsageError(fmt::format("{}: sweeps of workload '{}' tell no roof; doctor takes '{}' alone",
                                   file, sweep.workload.text, roof_workload().name()));
  }
  Workers workers;
  const PluginTable plugins = workers.plugins(common);
  // Before it measures anything itself.
  std::vector<Diagnosis> diagnoses = selftest::diagnose_machine(collect_environment());
  const LaneTable table = wanted_lanes(options.bench, plugins, workers.factory());
  if (are_lanes_unknown(table)) common.exit_code = point_failed;
  std::ranges::move(selftest::diagnose_missing(table, plugins), std::back_inserter(diagnoses));

  std::vector<Lane> lanes;
  for (const BackendLanes& backend : table)
    lanes.insert(lanes.end(), backend.lanes.begin(), backend.lanes.end());
  RunOptions runs = run_options(common, options.bench, workers);
  if (!lanes.empty()) runs.budget_seconds = doctor_seconds / static_cast<double>(lanes.size());
  const std::unique_ptr<Progress> progress = make_progress(common.quiet);
  selftest::Bench bench(plugins, workers.factory(), table, std::move(runs), *progress, false);
  try {
    for (const Lane& lane : bench.lanes()) {
      const std::vector<Result> points = bench.measure(config, lane);
      std::ranges::move(selftest::diagnose_lane(lane, points, datasheet_device(lane, lanes).peaks, known),
                        std::back_inserter(diagnoses));
    }
  } catch (const selftest::Interrupted&) {
    common.exit_code = interrupted;
  }
  if (options.bench.format == "json") {
    write_json(nlohmann::ordered_json{
        {"version", BENCHCTL_VERSION},
        {"diagnoses", list_of(diagnoses, [](const Diagnosis& diagnosis) { return to_json(diagnosis); })}});
  } else {
    print_diagnoses(diagnoses, common.exit_code == interrupted ? "Interrupted: not everything was checked"
                               : bench.lanes().empty()         ? "Not fit to measure: no device was found"
                                                               : "Fit to measure");
  }
  const bool failed = std::ranges::count(diagnoses, Verdict::failed, &Diagnosis::verdict) > 0;
  if (common.exit_code == success && failed) common.exit_code = point_failed;
}

}  // namespace

void add_selftest(CLI::App& app, Common& common) {
  const auto [command, options] =
      add_command(app, common, "selftest", "Prove that times are right on this machine", &run_selftest);
  command.add_flag("--full", options.full, "Many repetitions: figures that can be published");
  add_backend_option(command, options.bench.backends);
  const std::vector<std::string> checks = check_names(selftest::all_checks());
  add_names(command, "--check", options.checks, "NAME",
            fmt::format("Only these checks: {}", fmt::join(checks, ", ")))
      ->check(CLI::IsMember(checks));
  add_bench_options(command, common, options.bench);
}

void add_doctor(CLI::App& app, Common& common) {
  const auto [command, options] = add_command(app, common, "doctor",
                                              "Check what this machine can measure and whether it is as "
                                              "fast as it should be; say what to try if not",
                                              &run_doctor);
  add_backend_option(command, options.bench.backends);
  add_value(command, "--config", options.config, "CONFIG",
            "Config with the probes to measure, of the workload `peaks`")
      ->capture_default_str();
  add_value(command, "--known-cards", options.known_cards, "FILE",
            "JSON file with rates of other cards (default: the installed known_cards.json)");
  add_bench_options(command, common, options.bench);
}

}  // namespace benchctl::cli
