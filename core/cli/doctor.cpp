// `benchctl doctor`: is this machine fit for measuring, and is each device as fast as it should be?
#include "selftest/doctor.hpp"
#include "cli/command.hpp"
#include "cli/configs.hpp"
#include "cli/selection.hpp"
#include "cli/terminal.hpp"
#include "model/visible.hpp"
#include "report/rows.hpp"
#include "report/text_width.hpp"
#include "selftest/bench.hpp"
#include "sweep/lanes.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string_view>

namespace benchctl::cli {

namespace {

using selftest::Diagnosis;
using selftest::Verdict;

/// For all devices together.
constexpr double doctor_seconds = 100;

struct DoctorArguments {
  std::vector<std::string> backends;
  std::string config = "doctor";
  std::string known_cards;
  double timeout_seconds = 120;
  bool wait = false;
  std::string format;
};

std::string known_cards_file() {
  return (own_program().parent_path().parent_path() / "share" / "benchctl" / "known_cards.json").string();
}

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
  std::cout << fit_lines(visible_lines(text + rest_of(diagnoses)), text_width(STDOUT_FILENO));
}

void print_diagnoses_json(const std::vector<Diagnosis>& diagnoses) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const Diagnosis& diagnosis : diagnoses) {
    list.push_back({{"device", diagnosis.device},
                    {"what", diagnosis.what},
                    {"found", diagnosis.found},
                    {"expected", diagnosis.expected},
                    {"verdict", std::string(to_string(diagnosis.verdict))},
                    {"cause", diagnosis.cause},
                    {"advice", diagnosis.advice},
                    {"figures", diagnosis.figures}});
  }
  std::cout << Json{{"version", BENCHCTL_VERSION}, {"diagnoses", std::move(list)}}.dump(
                   2, ' ', false, Json::error_handler_t::replace)
            << '\n';
}

void doctor(Common& common, const DoctorArguments& options) {
  const std::vector<selftest::KnownCards> known = selftest::parse_known_cards(
      read_file(options.known_cards.empty() ? known_cards_file() : options.known_cards));
  const std::string config = read_file(find_config(options.config));
  Workers workers;
  const PluginTable plugins = workers.plugins(common);
  refuse_unknown_backends(options.backends, plugins);
  // Before it measures anything itself.
  std::vector<Diagnosis> diagnoses = selftest::diagnose_machine(collect_environment());
  LaneTable table = probe_lanes(plugins, workers.factory(), options.backends, options.timeout_seconds);
  leave_out_software(table, options.backends, {});
  if (are_lanes_unknown(table)) common.exit_code = point_failed;
  std::ranges::move(selftest::diagnose_missing(table, plugins), std::back_inserter(diagnoses));

  std::vector<Lane> lanes;
  for (const BackendLanes& backend : table)
    lanes.insert(lanes.end(), backend.lanes.begin(), backend.lanes.end());
  RunOptions runs;
  runs.store = common.db.empty() ? workers.folder() / "doctor.db" : common.store_file();
  runs.folder = workers.folder();
  runs.cache = default_cache();
  runs.command = common.command;
  runs.timeout_seconds = options.timeout_seconds;
  runs.wait = options.wait;
  if (!lanes.empty()) runs.budget_seconds = doctor_seconds / static_cast<double>(lanes.size());
  const std::unique_ptr<Progress> progress = make_progress();
  selftest::Bench bench(plugins, workers.factory(), table, std::move(runs), *progress, false);
  try {
    for (const Lane& lane : bench.lanes()) {
      const std::vector<StoredPoint> points = bench.measure(config, lane);
      std::ranges::move(selftest::diagnose_lane(lane, points, datasheet_device(lane, lanes).peaks, known),
                        std::back_inserter(diagnoses));
    }
  } catch (const selftest::Interrupted&) {
    common.exit_code = interrupted;
  }
  if (options.format == "json") {
    print_diagnoses_json(diagnoses);
  } else {
    print_diagnoses(diagnoses, common.exit_code == interrupted ? "Interrupted: not everything was checked"
                               : bench.lanes().empty()         ? "Not fit to measure: no device was found"
                                                               : "Fit to measure");
  }
  const bool failed = std::ranges::count(diagnoses, Verdict::failed, &Diagnosis::verdict) > 0;
  if (common.exit_code == success && failed) common.exit_code = point_failed;
}

}  // namespace

void add_doctor(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("doctor",
                                         "Check what this machine can measure and whether it is as fast as "
                                         "it should be; say what to try if not");
  auto options = std::make_shared<DoctorArguments>();
  command->add_option("--backend", options->backends, "Only these backends (several: A,B)")
      ->type_name("NAME")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      ->add_option("--config", options->config,
                   "Config with the probes to measure, of the workload `peaks`")
      ->type_name("CONFIG")
      ->capture_default_str();
  command
      ->add_option("--known-cards", options->known_cards,
                   "JSON file with rates of other cards (default: the installed known_cards.json)")
      ->type_name("FILE");
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
  command->callback([&common, options] { doctor(common, *options); });
}

}  // namespace benchctl::cli
