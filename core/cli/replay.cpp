// `benchctl replay`: runs one stored point exactly again, in this process, for a profiler or a debugger.
#include "engine/replay.hpp"
#include "cli/runs.hpp"
#include "cli/selection.hpp"
#include "cli/terminal.hpp"
#include "engine/content_key.hpp"
#include "engine/coordinator.hpp"
#include "engine/data_programs.hpp"
#include "engine/machine_lock.hpp"
#include "model/words.hpp"
#include "report/format.hpp"
#include "report/point_names.hpp"
#include "stats/summary.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/configurations.hpp"
#include "sweep/stored_config.hpp"
#include "workloads/declared.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>

namespace benchctl::cli {

namespace {

struct ReplayArguments {
  std::string point;
  std::uint32_t repeat = 1;
  std::string dump;
  bool allow_outside = false;
  bool allow_programs = false;
  bool device_debug = false;
  bool no_time = false;
  bool wait = false;
};

/// The stored point's device as it is now.
Lane lane_now(const Point& point, const PluginTable& plugins, ChannelFactory& factory) {
  constexpr double probe_timeout_seconds = 60;
  if (plugins.find(point.backend) == nullptr) {
    throw UsageError(
        fmt::format("there is no backend {} here; see `benchctl list --devices`", point.backend));
  }
  std::vector<std::string> names;
  for (BackendLanes& backend : probe_lanes(plugins, factory, {point.backend}, probe_timeout_seconds)) {
    for (Lane& lane : backend.lanes) {
      if (lane.name() == point.device) return std::move(lane);
      names.push_back(lane.name());
    }
    if (!backend.unavailable.empty()) names.push_back(backend.unavailable);
  }
  throw UsageError(fmt::format("device {} is not there now: {}", point.device, fmt::join(names, ", ")));
}

std::string verification_text(const ReplayOutcome& outcome) {
  std::string text;
  for (const auto& [phase, check] : outcome.verifications) {
    text += fmt::format("verified {} timing: {}, error {:.2g} of {:.2g} allowed\n", to_string(phase),
                        check.ok ? "right" : "wrong", check.error_norm, check.tolerance_norm);
  }
  return text;
}

std::string samples_text(const FoundPoint& choice, const SampleBlock& samples) {
  if (samples.ns.empty()) return {};
  const auto [least, most] = std::ranges::minmax(samples.ns);
  std::string text = fmt::format(
      "{} of one execution, basis {}: median {}, from {} to {}", counted(samples.ns.size(), "sample"),
      to_string(choice.point().measure.basis), format_duration(stats::median(samples.ns)),
      format_duration(least), format_duration(most));
  if (const auto& stored = choice.row().measurement) {
    text += fmt::format("; stored: {}", format_duration(stored->median_ns));
    if (stored->batch > 1) text += fmt::format(" (mean of {} executions a sample)", stored->batch);
  }
  if (!samples.note.empty()) text += fmt::format("\nnote: {}", samples.note);
  return text +
         "\nNothing was warmed up: a replay is for profilers and debuggers, `benchctl run` measures.\n";
}

std::string text_of(const FoundPoint& choice, const ReplayOutcome& outcome) {
  return verification_text(outcome) + samples_text(choice, outcome.samples) +
         fmt::format("{}{}\n", to_string(outcome.row.point.status),
                     outcome.row.point.reason.empty() ? "" : ": " + outcome.row.point.reason);
}

/// Adds the kernels that the run's config brought, as they were, and returns the workloads that it knew.
Workloads add_stored_kernels(const Store& store, const RunRow& run, const std::filesystem::path& folder,
                             Catalogue& catalogue) {
  const NamedContents files = files_of(store, run.id);
  if (files.empty()) return Workloads::built_in();
  const Config config = restore_config(run.config_text, files, folder);
  add_own_kernels(catalogue, config);
  return config.workloads;
}

/// The seed of the inputs that the stored result was verified with.
std::uint64_t seed_of(const FoundPoint& choice) {
  if (choice.point().measure.seed != 0) return choice.point().measure.seed;
  const std::string text = choice.row().note("seed");  // of a result that was reused
  if (text.empty()) return choice.run.seed;
  if (const auto seed = number_from<std::uint64_t>(text)) return *seed;
  throw UsageError(
      fmt::format("the note `seed` of that point is '{}', which is not a number: measure it anew", text));
}

void replay(Common& common, const ReplayArguments& options) {
  const bool timed = !options.no_time && !options.device_debug;
  const std::string file = common.store_file().string();
  tell_foreign_owner({file, file + "-wal"}, options.allow_outside);
  const Store store = common.store();
  const FoundPoint choice = choose_point(store, options.point);
  Point point = choice.point();
  if (point.status == Status::skipped) {
    throw UsageError(
        fmt::format("point {} was ruled out before anything ran ({}): there is nothing to replay",
                    choice.name(), point.reason));
  }
  Workers workers;
  const std::string blas = blas_of_workers(workers.factory());  // no threads of it in this process
  const PluginHost host = PluginHost::load(common.search_path());
  const PluginTable plugins = loaded_plugins(host, common.search_path());
  LocalChannelFactory factory(host);
  const Lane lane = lane_now(point, plugins, factory);
  Catalogue catalogue = make_catalogue(plugins);
  const Workloads workloads =
      with_data_in(add_stored_kernels(store, choice.run, workers.folder() / "config", catalogue),
                   workers.folder(), ReplayOptions().timeout_seconds);
  if (!options.allow_programs) refuse_data_programs(workloads, {point});
  const BackendEntry* backend = catalogue.find(point.backend);
  const Environment environment = collect_environment(plugin_builds(plugins), blas);
  ContentKeys keys(workloads, worker_environment(environment));
  std::vector<std::string> changes;
  if (catalogue.variant_of(point) != nullptr && !choice.row().row.content_key.empty()) {
    changes = changes_since(choice.row().row, environment_from_json_text(choice.run.environment),
                            choice.lane(), environment, lane,
                            keys.key(point, lane, *backend, *plugins.find(point.backend), false));
  }
  tell("replaying {}  {}\n", choice.name(), point.label());
  for (const std::string& change : changes) tell("changed since: {}\n", change);

  std::optional<MachineLock> lock;
  if (timed) {
    LockNeeds needs;
    needs.add(lane, point.measure.basis);
    lock.emplace(MachineLock::default_file(), needs, options.wait,
                 [](const std::string& text) { tell("{}\n", text); });
  }
  const ReplayOutcome outcome = replay_point(point, lane, workloads, catalogue, factory,
                                             {.folder = workers.folder(),
                                              .cache = default_cache(),
                                              .seed = seed_of(choice),
                                              .repeat = options.repeat,
                                              .timed = timed,
                                              .device_debug = options.device_debug,
                                              .dump = options.dump,
                                              .configuration = choice.row().note(configuration_note)});
  print_plain("{}", visible_lines(text_of(choice, outcome)));
  if (info(outcome.row.point.status).status_class == StatusClass::failed) common.exit_code = point_failed;
}

}  // namespace

void add_replay(CLI::App& app, Common& common) {
  const auto [command, options] =
      add_command(app, common, "replay",
                  "Run one stored point again in this process, for profilers and debuggers", &replay);
  add_value(command, "point", options.point, "POINT", fmt::format("Which point: {}", point_forms))
      ->required();
  add_store_option(command, common);
  add_value(command, "--repeat", options.repeat, "N",
            "Executions after the verifying one; with --no-time, all of them")
      ->check(CLI::Range(1U, 1'000'000U))
      ->capture_default_str();
  command.add_flag("--device-debug", options.device_debug,
                   "Compile kernels with debug information; verify only, never time");
  command.add_flag("--no-time", options.no_time, "Verify every execution, time none");
  add_value(command, "--dump", options.dump, "FOLDER",
            "Write the buffers of the verifying execution, the truth and the difference into it, as .npy");
  add_outside_option(command, options.allow_outside);
  add_programs_option(command, options.allow_programs);
  add_wait_option(command, options.wait);
}

}  // namespace benchctl::cli
