// `benchctl doctor`: is this machine fit for measuring, and is each device as fast as it should be?
#include "selftest/doctor.hpp"
#include "cli/command.hpp"
#include "cli/config_names.hpp"
#include "cli/progress.hpp"
#include "cli/selection.hpp"
#include "cli/terminal.hpp"
#include "model/visible.hpp"
#include "report/datasheet.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"
#include "selftest/bench.hpp"
#include "sweep/lanes.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

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

std::string summary_of(const std::vector<Diagnosis>& diagnoses) {
  std::string text;
  for (const auto& [verdict, name] : detail::Spellings<Verdict>::table) {
    const auto count = std::ranges::count(diagnoses, verdict, &Diagnosis::verdict);
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  }
  return text;
}

void print_diagnoses(const std::vector<Diagnosis>& diagnoses) {
  TextTable table({{"device"}, {"case"}, {"found", true}, {"expected"}, {"outcome"}});
  for (const Diagnosis& diagnosis : diagnoses) {
    table.add({diagnosis.device.empty() ? "the machine" : diagnosis.device, diagnosis.what, diagnosis.found,
               diagnosis.expected, std::string(to_string(diagnosis.verdict))},
              diagnosis.verdict == Verdict::normal);
  }
  const std::size_t width = text_width(STDOUT_FILENO);
  std::string text = table.text(colours_on(STDOUT_FILENO), width) + '\n';
  for (const Diagnosis& diagnosis : diagnoses) {
    if (diagnosis.cause.empty()) continue;
    text += fmt::format("{}, {}, {}: {}. What to try: {}.\n",
                        diagnosis.device.empty() ? "the machine" : diagnosis.device, diagnosis.what,
                        to_string(diagnosis.verdict), diagnosis.cause, diagnosis.advice);
  }
  text += fmt::format("{}{}\n`benchctl selftest` proves that times come out right.\n",
                      text.ends_with("\n\n") ? "" : "\n", summary_of(diagnoses));
  std::cout << fit_lines(visible_lines(text), width);
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
  std::vector<Diagnosis> diagnoses = selftest::judge_machine(collect_environment());
  LaneTable table = probe_lanes(plugins, workers.factory(), options.backends, options.timeout_seconds);
  leave_out_software(table, options.backends, {});
  if (are_lanes_unknown(table)) common.exit_code = point_failed;
  std::ranges::move(selftest::judge_missing(table, plugins), std::back_inserter(diagnoses));

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
      std::ranges::move(selftest::judge_lane(lane, points, datasheet_device(lane, lanes).peaks, known),
                        std::back_inserter(diagnoses));
    }
  } catch (const selftest::Interrupted&) {
    common.exit_code = interrupted;
  }
  options.format == "json" ? print_diagnoses_json(diagnoses) : print_diagnoses(diagnoses);
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
