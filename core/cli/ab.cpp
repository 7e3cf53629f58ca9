// `benchctl ab`: two sides measured in turns, again and again in fresh processes, until the difference is
// known.
#include "cli/ab.hpp"
#include "cli/compare.hpp"
#include "cli/run.hpp"
#include "cli/terminal.hpp"
#include "engine/coordinator.hpp"
#include "engine/interrupt.hpp"
#include "model/words.hpp"
#include "observe/control_groups.hpp"
#include "observe/environment.hpp"
#include "report/format.hpp"
#include "report/progress_line.hpp"
#include "stats/runs.hpp"
#include "worker/buffers.hpp"
#include "worker/stopwatch.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <random>

namespace benchctl::cli {

namespace {

struct AbOptions {
  AbArguments sides;
  CompareOutputs outputs;
  std::string budget = "10m";
  std::size_t max_pairs = 60;
  std::uint64_t seed = 0;
  bool wait = false;
  bool strict = false;
};

/// `load 4.0 on 2 cores`.
std::string machine_text() {
  const std::string loads = load_averages();
  double load = 0;
  if (std::from_chars(loads.data(), loads.data() + loads.size(), load).ec != std::errc()) return {};
  return fmt::format("load {:.1f} on {} cores", load, usable_processors());
}

/// Messages, and a line every 10 s: one process is too short for the progress of a run.
class Pulse : public Progress {
 public:
  Pulse(ProgressLine& line, bool quiet, std::string begin)
      : line_(line), quiet_(quiet), begin_(std::move(begin)) {}
  void message(const std::string& text) override { tell("{}\n", text); }
  void working(const Point& point, const std::string& what) override {
    if (!quiet_ && line_.is_due()) tell("{}  {}: {}\n", begin_, what, point.label());
  }

 private:
  ProgressLine& line_;
  bool quiet_;
  std::string begin_;
};

/// Both sides on their way.
class Comparison {
 public:
  Comparison(Common& common, const AbOptions& options)
      : common_(common), options_(options), sides_(make_ab_sides(common, options.sides, workers_)) {
    how_ = compare_options(options.outputs, sides_[1].chosen.config.text, sides_[1].name);
    how_.base_must_work = true;
    how_.turns.emplace();
    if (options.strict) how_.policy.fail.push_back(PairOutcome::not_resolved);
    together_ = put_together(options.sides, sides_);
    how_.turns->together = together_;
    seed_ = options.seed != 0 ? options.seed : unknown_seed();
    random_.seed(seed_);
  }

  /// False where devices that the command line requires are not there.
  [[nodiscard]] bool has_devices() const {
    for (const AbSide& side : sides_) {
      for (const Diagnostic& warning : side.chosen.expansion.warnings) tell("{}\n", to_text(warning));
      for (const std::string& unmet : side.chosen.unmet) tell("benchctl: {}\n", unmet);
    }
    return std::ranges::all_of(sides_, [](const AbSide& side) { return side.chosen.unmet.empty(); });
  }

  /// The exit code.
  int run() {
    if (!together_ && refuse_other_truth(sides_)) return not_comparable;
    const double budget = seconds_from("--budget", options_.budget);
    try_outputs(options_.outputs);
    const MachineLock lock = lock_machine();
    for (std::size_t i = 0; i < (together_ ? 1 : sides_.size()); ++i) {
      Selection& chosen = sides_.at(i).chosen;
      for (const std::string& sentence :
           leave_out_bad_observers(chosen.catalogue, chosen.plugins, chosen.lanes, workers_.factory(),
                                   options_.sides.selection.timeout_seconds))
        tell("benchctl: {}\n", sentence);
    }
    start_ = steady_seconds();
    line_.start(0);
    double longest = 0;
    for (std::size_t processes = 1;; ++processes) {
      const double begin = steady_seconds();
      if (InterruptGuard::requested() || !measure_turn(processes)) return give_up();
      const double now = steady_seconds();
      longest = std::max(longest, now - begin);
      // The last look leaves time for the process that may have to confirm what it finds.
      const double turns_left = (budget - (now - start_)) / longest;
      const bool last = turns_left < 1 || processes >= options_.max_pairs;
      if (const auto code =
              decide(processes, last, last || turns_left < 2 || processes + 1 >= options_.max_pairs))
        return *code;
    }
  }

 private:
  /// Held until the end: nobody else measures between two processes.
  [[nodiscard]] MachineLock lock_machine() const {
    LockNeeds needs;
    for (const AbSide& side : sides_) {
      const Selection& chosen = side.chosen;
      LockNeeds own = lock_needs(chosen.expansion.points, chosen.config.workloads, chosen.lanes);
      needs.processors = needs.processors || own.processors;
      needs.cards.merge(own.cards);
    }
    return {MachineLock::default_file(), needs, options_.wait,
            [](const std::string& text) { tell("benchctl: {}\n", text); }};
  }

  /// One process of each side, or one for both. False if it was interrupted.
  bool measure_turn(std::size_t number) {
    if (together_) return measure(0, number);
    std::array<std::size_t, 2> order{0, 1};
    // Where a kernel says what is right, base's says it for both: it comes first, and its outputs are kept.
    if (number > 1) std::ranges::shuffle(order, random_);
    return std::ranges::all_of(order, [&](std::size_t side) { return measure(side, number); });
  }

  bool measure(std::size_t which, std::size_t number) {
    const AbSide& side = sides_[which];
    const Selection& chosen = side.chosen;
    RunOptions options;
    complete(options, common_, workers_, side.selection, "");
    options.identity += "ab";
    options.replicate = OneOfSeveral{runs_[which]};
    options.seed = seed_;
    // The first process of a side compiles; later ones find its kernels in the cache.
    options.offline_compile = !runs_[which] || options.cache.empty();
    Pulse pulse(line_, common_.quiet, fmt::format("[process {}]", number));
    const RunOutcome outcome =
        run_points(chosen.config, {chosen.expansion.points, {}}, chosen.lanes, chosen.catalogue,
                   chosen.plugins, workers_.factory(), options, pulse);
    runs_[which] = outcome.run;
    return !outcome.interrupted;
  }

  /// What both sides come to after so many processes: the exit code, if that is the end. `look_now`: there
  /// is time for one more at most.
  std::optional<int> decide(std::size_t processes, bool last, bool look_now) {
    Store store = Store::open(common_.store_file());
    const bool looks = looks_.due(processes) || look_now;
    if (looks) looks_.look(processes);
    how_.turns->looks = looks_.taken();
    how_.turns->seconds = steady_seconds() - start_;
    how_.turns->machine = machine_text();
    const std::array<CompareSide, 2> sides = sides_now(store);
    const CompareResult result = compare_runs(sides[0], sides[1], how_);
    const bool unconfirmed = std::ranges::any_of(
        result.pairs, [](const ComparedPair& pair) { return pair.doubted.has_value(); });
    const bool open = result.all.counts.contains(PairOutcome::not_resolved);
    const bool decided = result.comparisons == 0 || result.verdict == GateVerdict::regressed ||
                         result.verdict == GateVerdict::failed ||
                         result.verdict == GateVerdict::not_comparable || (looks && !open);
    if (!decided && !last) {
      if (looks && !common_.quiet) tell("benchctl: after {} processes: {}\n", processes, look_text(result));
      if (looks && unconfirmed) looks_.confirm();
      return std::nullopt;
    }
    end_runs(store, RunState::complete);
    const std::array<CompareSide, 2> both = sides_now(store);
    return write_comparison(compare_runs(both[0], both[1], how_), options_.outputs);
  }

  /// Complete runs, or a run that holds both.
  [[nodiscard]] std::array<CompareSide, 2> sides_now(const Store& store) const {
    std::array<CompareSide, 2> sides =
        together_ && !runs_[1] ? sides_of(store, *runs_[0], sides_[1])
                               : std::array{side_of(store, *runs_[0]), side_of(store, *runs_[1])};
    for (std::size_t i = 0; i < sides.size(); ++i) sides.at(i).label += ": " + visible(sides_.at(i).name);
    return sides;
  }

  static std::string look_text(const CompareResult& result) {
    const std::string text = counts_text(result.all);
    const double least = least_visible_change(result);
    return !(least < 1) ? text : fmt::format("{}; {} would show by now", text, format_percent(least));
  }

  /// From here on each side is a run of its own.
  void end_runs(Store& store, RunState state) {
    if (together_ && runs_[0]) runs_[1] = take_apart(store, *runs_[0], sides_);
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (!runs_.at(i)) continue;
      if (runs_.at(1 - i))
        store.add_event(*runs_.at(i),
                        fmt::format("measured in turns with run {}", to_number(*runs_.at(1 - i))));
      store.finish_run(*runs_.at(i), state);
    }
  }

  int give_up() {
    Store store = Store::open(common_.store_file());
    end_runs(store, RunState::interrupted);
    tell("Interrupted; what was measured is in {}.\n", common_.store_file());
    return interrupted;
  }

  InterruptGuard guard_;  // before copies of revisions are made: they are removed on a signal, too
  Common& common_;
  const AbOptions& options_;
  Workers workers_;
  std::array<AbSide, 2> sides_;
  bool together_ = false;
  std::array<std::optional<RunId>, 2> runs_;  ///< while both are together, the first holds both
  CompareOptions how_;
  stats::Looks looks_;
  ProgressLine line_{steady_seconds};
  double start_ = 0;
  std::uint64_t seed_ = 1;
  std::mt19937_64 random_;
};

void measure_ab(Common& common, const AbOptions& options) {
  Comparison comparison(common, options);
  const int code = comparison.has_devices() ? comparison.run() : point_failed;
  if (code != success) common.exit_code = code;
}

}  // namespace

void add_ab(CLI::App& app, Common& common) {
  const auto [command, options] = add_command(
      app, common, "ab", "Measure two sides in turns until it is known whether the new one is slower",
      &measure_ab);
  add_ab_sides(command, options.sides);
  add_store_option(command, common);
  add_value(command, "--budget", options.budget, "TIME", "Time for the whole comparison: 60s, 5m, 1h")
      ->capture_default_str();
  add_value(command, "--max-pairs", options.max_pairs, "N", "Most processes of each side")
      ->check(CLI::Range(2, 1000))
      ->capture_default_str();
  add_value(command, "--seed", options.seed, "N",
            "Seed of inputs and of the order of sides (default: drawn)");
  add_wait_option(command, options.wait);
  add_quiet_option(command, common);
  command.add_flag("--strict", options.strict, "What is undecided counts as a failure (exit 5)");
  add_compare_outputs(command, options.outputs);
}

}  // namespace benchctl::cli
