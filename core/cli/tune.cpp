// `benchctl tune`: searches the quickest configurations of kernels for every problem of a config, and
// writes them as tuning tables.
#include "cli/run.hpp"
#include "cli/sharding.hpp"
#include "cli/terminal.hpp"
#include "config/tuning_file.hpp"
#include "engine/finals.hpp"
#include "model/json.hpp"
#include "model/words.hpp"
#include "report/format.hpp"
#include "report/text_table.hpp"
#include "stats/ratio.hpp"
#include "store/result.hpp"
#include "sweep/configurations.hpp"
#include "sweep/tuning_sweeps.hpp"

#include <benchctl/file_draft.hpp>

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace benchctl::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct TuneArguments {
  SelectionOptions selection;
  std::string shard;
  RunOptions run;
  TuningLimits limits;
  std::string budget;
  std::string output = "tunings";
  std::vector<std::string> from;
  std::string format;
};

/// How many times as long, or as much, the defaults take.
struct Gain {
  double ratio = 1;
  double low = 1;  ///< 95 % interval of a ratio of times; NaN of other figures
  double high = 1;
};

/// What came of one search.
struct Found {
  const SearchSummary* search = nullptr;
  const Lane* lane = nullptr;  ///< null: no configuration was measured
  std::string workload;
  TunedClass tuned;
  std::vector<double> medians;  ///< ns, of the class's configurations
  std::string best;             ///< the first of these, without what is a default
  /// The best of the defaults against the best, if they were compared.
  std::optional<Gain> gain = {};
};

/// Configurations that take more than so many times as long as the best are left out.
constexpr double worst_ratio = 1.5;

std::optional<Gain> gain_of(const SearchSummary& search, const Rival& before) {
  if (!is_for_time(search)) return Gain{before.ratio, no_number, no_number};
  const benchctl::Comparison* best = before.result->compared(Against::best);
  return best == nullptr ? std::nullopt
                         : std::optional(Gain{best->time_ratio, best->ci_low, best->ci_high});
}

/// The configuration without tunables that have their defaults.
Configuration without_defaults(Configuration one, const std::string& workload,
                               const BackendEntry& backend) {
  for (const TunableInfo& tunable : backend.find_variant(workload, one.variant)->tunables) {
    if (one.tunables.at(tunable.name) == tunable.default_value) one.tunables.erase(tunable.name);
  }
  return one;
}

/// The search, the lanes and the catalogue must outlive it.
Found found_by(const SearchSummary& search, const LaneTable& lanes, const Catalogue& catalogue) {
  Found found;
  found.search = &search;
  found.tuned.choice = search.tuned;
  const std::vector<Rival> rivals = rivals_of(search);
  if (rivals.empty()) return found;
  for (const Rival& rival : rivals) {
    if (rival.result->point().label() == search.before) found.gain = gain_of(search, rival);
  }
  const Point& point = rivals.front().result->point();
  found.lane = find_lane(lanes, point.device);
  found.workload = point.workload;
  found.tuned.problem = point.problem;
  found.tuned.layout = point.layout;
  found.best = to_text(
      without_defaults({point.variant, point.tunables}, point.workload, *catalogue.find(point.backend)));
  for (const auto& [row, ratio, ties] : rivals) {
    if (ratio > worst_ratio || found.tuned.configurations.size() == most_configurations) break;
    found.tuned.configurations.push_back({row->point().variant, row->point().tunables, ratio});
    found.medians.push_back(median_of(*row));
  }
  found.tuned.ns = found.medians.front();
  return found;
}

/// Those that are known.
std::vector<double> gains_of(const std::vector<Found>& all) {
  std::vector<double> gains;
  for (const Found& found : all) {
    if (found.gain && std::isfinite(found.gain->ratio)) gains.push_back(found.gain->ratio);
  }
  return gains;
}

/// A table is for one device: the first of several devices of one architecture is tuned.
void keep_one_of_each_architecture(LaneTable& lanes) {
  for (BackendLanes& backend : lanes) {
    std::set<std::string> seen;
    std::erase_if(backend.lanes, [&](const Lane& lane) {
      if (seen.insert(lane.device.architecture).second) return false;
      tell(
          "benchctl: {} is not tuned: another device of this architecture is; `--device {}` tunes this "
          "one\n",
          lane.name(), lane.name());
      return true;
    });
  }
}

/// The command line, without where this program lies.
std::string command_text(const std::string& command) {
  return visible("benchctl" + command.substr(std::min(command.find(' '), command.size())));
}

/// The folder, in that of the tables, for tables of an unfinished tune. Choices and searches do not look
/// there: searches begin with tables, so the same command would continue with another search.
constexpr const char* unfinished_folder = "unfinished";

/// Merges what was found into the files of a folder; their names.
std::vector<fs::path> write_tables(const std::vector<Found>& all, const fs::path& folder, bool finished,
                                   const std::string& command, const Catalogue& catalogue) {
  std::map<fs::path, TuningTable> tables;
  for (const Found& found : all) {
    if (found.lane == nullptr) continue;
    const DeviceInfo& device = found.lane->device;
    TuningTable table{found.workload,
                      found.lane->backend,
                      device.architecture,
                      visible(device.name),
                      visible(device.driver),
                      utc_now().substr(0, std::string_view("2026-11-26").size()),
                      command_text(command),
                      revision,
                      {}};
    TuningTable& whole = tables.try_emplace(tuning_path(table), std::move(table)).first->second;
    // Two searches for one problem may differ in how it is measured: the first counts.
    if (std::ranges::none_of(whole.classes,
                             [&](const TunedClass& other) { return same_class(other, found.tuned); })) {
      whole.classes.push_back(found.tuned);
      for (Configuration& one : whole.classes.back().configurations)
        one = without_defaults(one, found.workload, *catalogue.find(found.lane->backend));
    }
  }
  std::vector<fs::path> files;
  const auto with = [](const TuningTable& table, const fs::path& file) {
    return fs::exists(file) ? merged(table, parse_tuning(read_file(file), file.string())) : table;
  };
  for (auto& [path, table] : tables) {
    const fs::path unfinished = folder / unfinished_folder / path;
    if (!finished) table = with(table, unfinished);
    table = with(table, folder / path);
    const fs::path& file = files.emplace_back(finished ? folder / path : unfinished);
    fs::create_directories(file.parent_path());
    replace_file(file, to_toml(table));
    // What another tune has there stays.
    std::error_code not_empty;
    fs::path done = unfinished;
    if (finished && with(table, unfinished).classes.size() == table.classes.size()) {
      while (done != folder && fs::remove(done, not_empty)) done = done.parent_path();
    }
  }
  return files;
}

std::string problem_text(const TunedClass& tuned) {
  return to_text(tuned.problem) + (tuned.layout.empty() ? "" : " layout=" + tuned.layout);
}

std::string gain_text(const std::optional<Gain>& gain) {
  if (!gain) return "–";
  const std::string ratio = fmt::format("{:.2f}×", gain->ratio);
  if (!std::isfinite(gain->low) || !std::isfinite(gain->high)) return ratio;
  return fmt::format("{} ({:.2f}–{:.2f})", ratio, gain->low, gain->high);
}

void print_text(const std::vector<Found>& all, const std::vector<fs::path>& files, const fs::path& folder,
                std::size_t unfinished) {
  TextTable table({TextColumn::named("kernel"), TextColumn::named("device"), TextColumn::named("problem"),
                   TextColumn::named("best configuration"), TextColumn::named("tried", true),
                   TextColumn::named("time", true), TextColumn::named("gain over defaults", true)});
  for (const Found& found : all) {
    if (found.lane == nullptr) {
      tell("benchctl: nothing was found in the {}: no configuration could be measured\n",
           found.search->label);
      continue;
    }
    table.add({found.tuned.choice, found.lane->name(), problem_text(found.tuned), found.best,
               fmt::format("{} of {:.4g}", found.search->tried, found.search->space),
               format_duration(found.medians.front()), gain_text(found.gain)});
  }
  if (table.empty()) return;
  std::cout << table.text(colours_on(STDOUT_FILENO), text_width(STDOUT_FILENO));
  if (const std::vector<double> gains = gains_of(all); !gains.empty()) {
    print_fitted(
        "\ngain: time of the defaults over that of the best (with an `objective`: its figure), measured in "
        "turns. Geometric mean of {}: {:.2f}×.\n",
        counted(gains.size(), "gain"), stats::geometric_mean(gains));
  }
  for (const fs::path& file : files) print_fitted("Written: {}\n", file);
  if (files.empty()) return;
  if (unfinished > 0) {
    print_fitted(
        "{} of {} problems {} unfinished; {} was not changed. Run the same command to continue, or copy "
        "the partial results: `cp -r {} {}`\n",
        unfinished, unfinished + all.size(), unfinished == 1 ? "is" : "are", folder,
        shell_word((folder / unfinished_folder / ".").string()), shell_word(folder.string()));
    return;
  }
  print_fitted(
      "Choices pick from ./tunings and from the folders that BENCHCTL_TUNINGS names. A kernel `mine` of a "
      "config gets a choice by: [[kernel]] name = \"mine_tuned\", among = [\"mine\"].\n");
}

void print_json(const std::vector<Found>& all, const std::vector<fs::path>& files,
                const RunOutcome& outcome, const Ending& ending) {
  Json classes = Json::array();
  for (const Found& found : all) {
    if (found.lane == nullptr) continue;
    const auto gain = [&](double Gain::*figure) {
      return found.gain ? Json((*found.gain).*figure) : Json();
    };
    Json configurations = Json::array();
    for (std::size_t i = 0; i < found.medians.size(); ++i) {
      const Configuration& one = found.tuned.configurations[i];
      configurations.push_back({{"variant", one.variant},
                                {"tunables", benchctl::to_json(one.tunables)},
                                {"ratio", one.ratio},
                                {"median_ns", found.medians[i]}});
    }
    classes.push_back(
        {{"choice", found.tuned.choice},
         {"workload", found.workload},
         {"backend", found.lane->backend},
         {"device", found.lane->name()},
         {"architecture", found.lane->device.architecture},
         {"problem", benchctl::to_json(found.tuned.problem)},
         {"layout", found.tuned.layout},
         {"tried", found.search->tried},
         {"configurations", std::move(configurations)},
         {"gain",
          {{"ratio", gain(&Gain::ratio)}, {"ci_low", gain(&Gain::low)}, {"ci_high", gain(&Gain::high)}}}});
  }
  const std::vector<double> gains = gains_of(all);
  // Numbers that are not known become null.
  write_json(Json{{"schema", "benchctl.tuning"},
                  {"schema_version", 1},
                  {"benchctl", BENCHCTL_VERSION},
                  {"run", to_number(outcome.run)},
                  {"exit_code", ending.code},
                  {"meaning", ending.meaning},
                  {"unfinished", outcome.unfinished_searches},
                  {"files", list_of(files, [](const fs::path& file) { return Json(file.string()); })},
                  {"classes", std::move(classes)},
                  {"mean_gain", gains.empty() ? Json() : Json(stats::geometric_mean(gains))}});
}

/// Reports an unusable folder or table before hours are spent on measuring.
void check_output(const fs::path& folder, const Catalogue& catalogue) {
  for (const BackendEntry& backend : catalogue.backends) {
    static_cast<void>(load_tunings(folder, backend.name));
    static_cast<void>(load_tunings(folder / unfinished_folder, backend.name));
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw UsageError(fmt::format("--output {}: {}", folder, error.message()));
}

void tune(Common& common, TuneArguments& options) {
  const std::optional<Shard> shard = shard_from(options.shard);
  Workers workers;
  complete(options.run, common, workers, options.selection, options.budget);
  options.run.identity +=
      fmt::format("tune {} {}", options.limits.points.value_or(0), options.limits.seed.value_or(0));
  options.run.seed = options.limits.seed;
  Selection selection =
      select_points(options.selection, workers.factory(), workers.plugins(common), &common.exit_code);
  for (const Diagnostic& warning : selection.expansion.warnings) std::cerr << to_text(warning) << '\n';
  if (tell_unmet(selection, common)) return;
  for (const std::string& folder : options.from) {
    for (BackendEntry& backend : selection.catalogue.backends) {
      std::ranges::move(load_tunings(folder, backend.name), std::back_inserter(backend.tunings));
    }
  }
  const fs::path output = options.output;
  check_output(output, selection.catalogue);
  keep_one_of_each_architecture(selection.lanes);
  make_tuning_sweeps(selection.config, selection.catalogue, options.limits);
  if (selection.config.sweeps.empty()) {
    throw UsageError(
        fmt::format("{} has nothing to tune: no variant of it is a choice or has tunables with values "
                    "worth trying; give a kernel some, as in `TILE = {{ default = 16, values = [8, 16, 32] "
                    "}}`, or a sweep an axis of that name",
                    visible(options.selection.config)));
  }
  selection.expansion.points.clear();
  if (shard && !keep_shard(selection, options.run, options.selection.backends, *shard)) return;
  selection.config.experiment.roofs = Roofs::none;
  selection.config.experiment.name = "tune_" + selection.config.experiment.name;
  selection.config.experiment.title = "Tuning: " + selection.config.experiment.title;
  std::unique_ptr<Progress> progress = make_progress(common.quiet);
  const RunOutcome outcome = run_points(selection.config, {}, selection.lanes, selection.catalogue,
                                        selection.plugins, workers.factory(), options.run, *progress);
  progress.reset();
  const Ending ending = ending_of(outcome, false);
  if (common.exit_code != point_failed || ending.code == interrupted) common.exit_code = ending.code;
  std::vector<Found> all;
  for (const SearchSummary& search : outcome.searches)
    all.push_back(found_by(search, selection.lanes, selection.catalogue));
  const std::vector<fs::path> files =
      write_tables(all, output, outcome.unfinished_searches == 0, common.command, selection.catalogue);
  if (options.format == "json") {
    print_json(all, files, outcome, ending);
  } else {
    print_text(all, files, output, outcome.unfinished_searches);
  }
  tell_unfinished(options.run, outcome, ending);
}

}  // namespace

void add_tune(CLI::App& app, Common& common) {
  const auto [command, options] = add_command(
      app, common, "tune",
      "Find the fastest configurations of kernels for a config's problems, and write tuning tables", &tune);
  add_selection_options(command, options.selection);
  add_programs_option(command, options.selection.allow_programs);
  add_shard_option(command, options.shard);
  add_measuring_options(command, common, options.run, options.budget);
  add_format_option(command, options.format, {"text", "json"});
  add_value(
      command, "--points", options.limits.points, "N",
      fmt::format(
          "Configurations tried for each problem and device (default: the config's max_points, else {})",
          default_tuning_points))
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{max_combinations}));
  add_value(command, "--seed", options.limits.seed, "S",
            "Seed of search and inputs (default: the config's)");
  add_value(command, "--output", options.output, "FOLDER",
            "Folder of tables that results are merged into; choices look in ./tunings")
      ->capture_default_str();
  add_values(command, "--from", options.from, "FOLDER",
             "Folder of tables whose configurations are tried first (repeatable)")
      ->check(CLI::ExistingDirectory);
}

}  // namespace benchctl::cli
