// `benchctl ab`: two sides measured in turns, in fresh processes, until the difference is known.
#include "cli/ab_sides.hpp"
#include "cli/compare_outputs.hpp"
#include "cli/terminal.hpp"
#include "engine/buffers.hpp"
#include "engine/coordinator.hpp"
#include "engine/interrupt.hpp"
#include "stats/sequential.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
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
};

/// Messages alone: the results come when both sides have theirs.
class Messages : public Progress {
 public:
  void started(std::size_t /*total*/, std::size_t /*open*/) override {}
  void message(const std::string& text) override { tell("benchctl: {}\n", text); }
  void working(const Point& /*point*/, const std::string& /*what*/) override {}
  void finished(const Point& /*point*/, const Measurement* /*measurement*/) override {}
};

/// The two runs on their way.
class Turns {
 public:
  Turns(Common& common, const AbOptions& options)
      : common_(common), options_(options), sides_(make_ab_sides(common, options.sides, workers_)) {
    how_ = compare_options(options.outputs, sides_[1].chosen.config.text, sides_[1].name);
    how_.base_must_work = true;
    how_.looks.emplace();
    // A comparison that was made to decide fails where it does not.
    if (options.outputs.policy.empty()) how_.policy.fail.push_back(PairOutcome::not_resolved);
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
    const double start = steady_seconds();
    const double budget = seconds_from("--budget", options_.budget);
    double longest = 0;
    for (std::size_t pairs = 1;; ++pairs) {
      const double begin = steady_seconds();
      if (InterruptGuard::requested() || !measure_pair()) return give_up();
      const double now = steady_seconds();
      longest = std::max(longest, now - begin);
      // The last look leaves time for the pair that may have to confirm what it finds.
      const double pairs_left = (budget - (now - start)) / longest;
      const bool last = pairs_left < 1 || pairs >= options_.max_pairs;
      if (const auto code = judge(pairs, last, last || pairs_left < 2 || pairs + 1 >= options_.max_pairs))
        return *code;
    }
  }

 private:
  /// False if it was interrupted.
  bool measure_pair() {
    std::array<std::size_t, 2> order{0, 1};
    std::ranges::shuffle(order, random_);
    return std::ranges::all_of(order, [this](std::size_t side) { return measure(side); });
  }

  bool measure(std::size_t which) {
    AbSide& side = sides_[which];
    std::optional<RunId>& run = runs_[which];
    declare_workloads_of(side);
    RunOptions options;
    options.store = common_.store_file();
    options.folder = workers_.folder();
    options.cache = default_cache();
    options.command = common_.command;
    options.identity = identity_of(side.selection) + "ab";
    options.timeout_seconds = side.selection.timeout_seconds;
    options.fresh = true;
    options.open_ended = true;
    options.replicate_of = run;
    options.seed = seed_;
    options.wait = options_.wait || runs_[0] || runs_[1];
    Messages messages;
    const Selection& chosen = side.chosen;
    const RunOutcome outcome = run_points(chosen.config, chosen.expansion, chosen.lanes, chosen.catalogue,
                                          chosen.plugins, workers_.factory(), options, messages);
    run = outcome.run;
    return !outcome.interrupted;
  }

  /// What both runs come to after so many pairs: the exit code, if that is the end. `look_now`: there is
  /// time for one pair at most.
  std::optional<int> judge(std::size_t pairs, bool last, bool look_now) {
    Store store = Store::open(common_.store_file());
    CompareOptions how = how_;
    const bool looks = looks_.due(pairs) || look_now;
    if (looks) looks_.look(pairs);
    how.looks = looks_.taken();
    const CompareSide base = labelled(store, 0);
    const CompareSide fresh = labelled(store, 1);
    const CompareResult result = compare_runs(base, fresh, how);
    const bool unconfirmed = std::ranges::any_of(
        result.pairs, [](const ComparedPair& pair) { return pair.doubted.has_value(); });
    const bool open = result.all.counts.contains(PairOutcome::not_resolved);
    if (looks)
      tell("benchctl: after {} of processes: {}\n", pairs == 1 ? "1 pair" : fmt::format("{} pairs", pairs),
           verdict_text(result));
    const bool decided = result.comparisons == 0 || result.verdict == GateVerdict::regressed ||
                         result.verdict == GateVerdict::failed ||
                         result.verdict == GateVerdict::not_comparable || (looks && !open);
    if (!decided && !last) {
      if (looks && unconfirmed) looks_.confirm();
      return std::nullopt;
    }
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      store.add_event(*runs_[i], fmt::format("measured in turns with run {}", to_number(*runs_[1 - i])));
      store.finish_run(*runs_[i], RunState::complete);
    }
    return write_comparison(result, options_.outputs);
  }

  CompareSide labelled(const Store& store, std::size_t which) const {
    CompareSide side = side_of(store, *runs_[which]);
    side.label += ": " + sides_[which].name;
    return side;
  }

  int give_up() {
    tell("Interrupted; what was measured is in {}.\n", common_.store_file().string());
    return interrupted;
  }

  InterruptGuard guard_;  // before copies of revisions are made: they are removed on a signal, too
  Common& common_;
  const AbOptions& options_;
  Workers workers_;
  std::array<AbSide, 2> sides_;
  std::array<std::optional<RunId>, 2> runs_;
  CompareOptions how_;
  stats::Looks looks_;
  std::uint64_t seed_ = 1;
  std::mt19937_64 random_;
};

}  // namespace

void add_ab(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand(
      "ab", "Measure two sides in turns until it is known whether the new one is slower");
  auto options = std::make_shared<AbOptions>();
  add_ab_sides(*command, options->sides);
  add_store_option(*command, common);
  command->add_option("--budget", options->budget, "Time for the whole comparison: 60s, 5m, 1h")
      ->type_name("TIME")
      ->capture_default_str();
  command->add_option("--max-pairs", options->max_pairs, "Most pairs of processes")
      ->type_name("N")
      ->check(CLI::Range(2, 1000))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of inputs and of the order of sides (default: drawn)")
      ->type_name("N");
  command->add_flag("--wait", options->wait, "Wait for another benchctl that is measuring on this machine");
  add_compare_outputs(*command, options->outputs);
  command->callback([&common, options] {
    Turns turns(common, *options);
    const int code = turns.has_devices() ? turns.run() : point_failed;
    if (code != success) common.exit_code = code;
  });
}

}  // namespace benchctl::cli
