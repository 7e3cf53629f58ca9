#include "engine/coordinator.hpp"

#include "engine/contest.hpp"
#include "engine/group_runner.hpp"
#include "engine/interrupt.hpp"
#include "engine/machine_lock.hpp"
#include "engine/prediction.hpp"
#include "engine/refiner.hpp"
#include "engine/run_record.hpp"
#include "engine/search_runner.hpp"
#include "observe/busy_processes.hpp"
#include "observe/control_groups.hpp"
#include "worker/stopwatch.hpp"
#include "workloads/declared.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>

namespace benchctl {

namespace {

/// Share of the budget for covering every point once; the rest goes where the fastest is not known yet.
constexpr double coverage_share = 0.5;
/// The same where libraries that compile wait for their turn.
constexpr double early_coverage_share = 0.3;
/// Share of the budget after which no compiler is started if there are times already;
/// `compilers_end_share`: when a running one is stopped.
constexpr double last_compiler_share = 0.6;
constexpr double compilers_end_share = 0.7;
/// A verb may overrun the budget by so much of it.
constexpr double overrun_share = 0.08;

/// The points that may be measured: those of the config that are open, and one of each search.
std::vector<Point> points_to_measure(const std::vector<Point>& points, const Searches& searches,
                                     const RunOptions& options) {
  std::vector<Point> open;
  for (const Point& point : points) {
    if (point.status == Status::not_run && passes(point, options.filters)) open.push_back(point);
  }
  for (const auto& task : searches.tasks) open.push_back(task->example());
  return open;
}

/// The state of one call of run_points.
class Coordinator {
 public:
  Coordinator(const Config& config, const LaneTable& lanes, const Catalogue& catalogue,
              const PluginTable& plugins, ChannelFactory& factory, const RunOptions& options,
              Progress& progress, Searches searches)
      : config_(config),
        lane_table_(lanes),
        catalogue_(catalogue),
        factory_(factory),
        options_(options),
        progress_(progress),
        record_(config, lanes, catalogue, plugins, factory, options, progress),
        points_(record_.points()),
        comparisons_(record_.store(), points_, catalogue_, config.experiment.question,
                     config.compare.threshold),
        searches_(std::move(searches)) {
    for (const auto& task : searches_.tasks) planned_ += task->max_points();
  }

  RunOutcome run(std::vector<Point> points);

 private:
  void measure();
  /// Between groups, when nothing is timed.
  void look_at_others();
  /// Groups of the open points from `first` on.
  [[nodiscard]] std::vector<Group> open_groups(std::size_t first) const;
  void run_groups(RunContext& context, std::size_t first);
  [[nodiscard]] bool measure_batch(RunContext& context, const std::vector<std::size_t>& batch);
  /// Those that are measured by now.
  void look_for_roofs(RunContext& context);
  void search(RunContext& context);
  /// Seconds of the budget, and those that a point may take; infinity without a budget.
  [[nodiscard]] double budget_left() const;
  /// Until that share of it is used.
  [[nodiscard]] double budget_after(double share) const;
  [[nodiscard]] double budget_share() const;
  [[nodiscard]] bool stop_requested();
  [[nodiscard]] std::size_t open_points() const;
  void close();

  const Config& config_;
  const LaneTable& lane_table_;
  const Catalogue& catalogue_;
  ChannelFactory& factory_;
  const RunOptions& options_;
  Progress& progress_;
  RunRecord record_;
  std::vector<RunPoint>& points_;
  RunComparisons comparisons_;
  RunOutcome outcome_;
  Searches searches_;
  std::uint64_t planned_ = 0;  ///< points that searches may still try
  bool searching_ = false;     ///< a search is not at its end
  bool libraries_wait_ = false;
  /// Has this session brought a result? A budget stops nothing before. However small it is, the
  /// same command, given often enough, measures everything.
  bool brought_a_point_ = false;
  std::size_t results_before_ = 0;
  RunningClock running_{steady_seconds};
  std::function<double()> clock_ = options_.clock ? options_.clock : [this] { return running_.seconds(); };
  double start_ = clock_();
  BusyProcesses others_{options_.proc, getpid()};
  std::optional<double> looked_;
};

double Coordinator::budget_left() const {
  if (!options_.budget_seconds) return infinite_seconds;
  return *options_.budget_seconds - (clock_() - start_);
}

double Coordinator::budget_after(double share) const {
  if (!options_.budget_seconds) return infinite_seconds;
  return budget_left() - (1 - share) * *options_.budget_seconds;
}

/// First every point is covered with a part of the budget, then what is left is spent where it is wanted.
double Coordinator::budget_share() const {
  const std::size_t open = open_points();
  const double part = searching_ ? 1.0 : libraries_wait_ ? early_coverage_share : coverage_share;
  const double wanting = std::max(1.0, static_cast<double>(open) + static_cast<double>(planned_));
  return part * std::max(0.0, budget_left()) / wanting;
}

std::size_t Coordinator::open_points() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      points_, [](const RunPoint& entry) { return !entry.finished && !entry.put_off; }));
}

bool Coordinator::stop_requested() {
  if (InterruptGuard::requested()) outcome_.interrupted = true;
  if (budget_left() < 0) {
    brought_a_point_ = brought_a_point_ || points_.size() - open_points() > results_before_;
    outcome_.out_of_budget = brought_a_point_;
  }
  return outcome_.interrupted || outcome_.out_of_budget;
}

void Coordinator::measure() {
  std::map<std::string, std::unique_ptr<LaneWorker>, std::less<>> lanes;
  const SessionOptions session{options_.cache.string(), options_.device_debug};
  const auto add_lane = [&](const Point& point) {
    const Lane* lane = find_lane(lane_table_, point.device);
    if (lane == nullptr || lanes.contains(point.device)) return;
    auto worker = std::make_unique<LaneWorker>(*lane, *catalogue_.find(point.backend), factory_, session,
                                               options_.timeout_seconds);
    if (options_.budget_seconds) {
      worker->set_most_seconds([this] {
        return brought_a_point_ ? std::max(1.0, budget_left() + overrun_share * *options_.budget_seconds)
                                : infinite_seconds;
      });
    }
    lanes.emplace(point.device, std::move(worker));
  };
  for (const RunPoint& entry : points_) {
    if (!entry.finished) add_lane(entry.point);
  }
  for (const auto& task : searches_.tasks) add_lane(task->example());
  if (lanes.empty() && searches_.tasks.empty()) return;
  CompilePool pool(factory_, usable_processors(), session, options_.timeout_seconds);
  ReferenceWorker reference_worker(factory_, config_.workloads, options_.timeout_seconds,
                                   [this] { return stop_requested(); });
  FileCache references((options_.cache.empty() ? options_.folder : options_.cache) / "references",
                       digest_of_program());
  DataPrograms data_programs(references, [this] { return stop_requested(); });
  TrustedKernels trusted_kernels(catalogue_, config_.workloads, lane_table_, factory_, session,
                                 options_.timeout_seconds);
  RunContext context{.store = record_.store(),
                     .points = points_,
                     .lanes = lanes,
                     .catalogue = catalogue_,
                     .workloads = config_.workloads,
                     .compile_pool = options_.offline_compile ? &pool : nullptr,
                     .reference_worker = reference_worker,
                     .trusted_kernels = trusted_kernels,
                     .references = references,
                     .data_programs = data_programs,
                     .folder = options_.folder,
                     .progress = progress_,
                     .compare = config_.compare,
                     .replicating = options_.replicate_of.has_value(),
                     .in_turns = options_.open_ended || options_.replicate_of.has_value(),
                     .seed = record_.seed(),
                     .session = record_.session(),
                     .timeout_seconds = options_.timeout_seconds,
                     .device_debug = options_.device_debug,
                     .clock = clock_,
                     .budget = [this] { return budget_share(); },
                     .compiling_left = [this] { return budget_after(last_compiler_share); },
                     .compilers_left = [this] { return std::max(1.0, budget_after(compilers_end_share)); },
                     .out_of_budget = [this] { return budget_left() < 0; },
                     .interrupted = [this] { return stop_requested(); },
                     .comparisons = &comparisons_,
                     .last_round = record_.store().last_round(record_.run())};
  const std::size_t own = points_.size();
  look_for_roofs(context);
  const double began = clock_();
  const Throttling throttled = throttling_so_far();
  look_at_others();
  libraries_wait_ = options_.budget_seconds && std::ranges::any_of(points_, [&](const RunPoint& entry) {
                      return !entry.finished && is_slow_library(entry, catalogue_);
                    });
  run_groups(context, 0);
  libraries_wait_ = false;
  search(context);
  if (options_.budget_seconds) {
    brought_a_point_ = true;
    Refiner(context, lane_table_, own, *options_.budget_seconds, [this] { return budget_left(); }).run();
  }
  others_.look();
  const double seconds = clock_() - began;
  for (const std::string& text :
       {others_.text(seconds), throttling_text(throttled, throttling_so_far(), seconds)}) {
    if (!text.empty()) record_.store().add_event(record_.run(), text);
  }
  // To be resumed, or to get more replicates.
  if (searching_ || options_.open_ended || !std::ranges::all_of(points_, &RunPoint::finished)) return;
  for (const std::string& key : context.drawn_references) references.forget(key);
}

void Coordinator::look_at_others() {
  constexpr double seconds_between = 1;
  const double now = clock_();
  if (looked_ && now - *looked_ < seconds_between) return;
  looked_ = now;
  others_.look();
}

void Coordinator::look_for_roofs(RunContext& context) {
  context.roofs =
      roofs_of_run(record_.store(), record_.run(), catalogue_, lane_table_, config_.experiment.roofs)
          .by_lane;
}

std::vector<Group> Coordinator::open_groups(std::size_t first) const {
  std::vector<std::size_t> open;
  for (std::size_t i = first; i < points_.size(); ++i) {
    if (!points_[i].finished && !points_[i].put_off) open.push_back(i);
  }
  std::vector<Group> groups = groups_of(points_, open, config_.workloads, lane_table_);
  if (options_.budget_seconds) {
    put_cheapest_first(groups);
  } else if (config_.experiment.order == ProblemOrder::random) {
    put_in_random_order(groups, record_.seed());
  }
  return groups;
}

void Coordinator::run_groups(RunContext& context, std::size_t first) {
  std::vector<Group> groups = open_groups(first);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Group& group = groups[g];
    context.upcoming = g + 1 < groups.size() ? &points_[groups[g + 1].points.front()].point : nullptr;
    if (stop_requested()) return;
    if (libraries_wait_) {
      std::erase_if(group.points,
                    [&](std::size_t index) { return is_slow_library(points_[index], catalogue_); });
    }
    if (group.points.empty()) continue;
    look_at_others();
    GroupRunner(context, group).run();
    if (group.workload == roof_workload().name()) look_for_roofs(context);
  }
}

/// False when something stopped it.
bool Coordinator::measure_batch(RunContext& context, const std::vector<std::size_t>& batch) {
  if (batch.empty()) return true;
  const auto finished = [&](std::size_t place) { return points_[place].finished; };
  record_.reopen_broken_pairs(batch.front());
  // An earlier session's results are none of this one, which has to bring one.
  results_before_ += static_cast<std::size_t>(std::ranges::count_if(batch, finished));
  run_groups(context, batch.front());
  return std::ranges::all_of(batch, finished);
}

void Coordinator::search(RunContext& context) {
  SearchRunner runner(
      context, record_,
      [&](const std::vector<std::size_t>& batch) { return measure_batch(context, batch); }, planned_);
  for (const auto& task : searches_.tasks) {
    searching_ = true;
    if (stop_requested()) break;
    std::optional<SearchSummary> found = runner.run(*task);
    if (!found) break;
    outcome_.searches.push_back(std::move(*found));
    searching_ = false;
  }
}

void Coordinator::close() {
  if (options_.replicate_of) record_.withdraw_replicate();
  predict_run(record_.store(), record_.run(), config_.workloads, catalogue_, lane_table_,
              config_.experiment.roofs);
  comparisons_.revise(record_.run());
  const bool open = searching_ || options_.open_ended || are_lanes_unknown(lane_table_) ||
                    std::ranges::any_of(points_, [](const RunPoint& entry) { return !entry.finished; });
  record_.store().finish_run(record_.run(), open ? RunState::interrupted : RunState::complete);
  // Points that it merely ended too early have their results: nothing is left to continue.
  outcome_.out_of_budget = outcome_.out_of_budget && open;
  outcome_.unfinished_searches = searches_.tasks.size() - outcome_.searches.size();
  for (const RunPoint& entry : points_) {
    ++outcome_.counts[entry.finished ? entry.point.status : Status::not_run];
    const bool capped = entry.stop == StopReason::max_seconds || entry.stop == StopReason::max_samples ||
                        entry.stop == StopReason::budget;
    outcome_.missed_targets += capped && entry.excess > 1 ? 1 : 0;
  }
}

RunOutcome Coordinator::run(std::vector<Point> points) {
  record_.begin(std::move(points), !searches_.tasks.empty());
  record_.reopen_broken_pairs(0);
  outcome_.run = record_.run();
  const std::size_t open = open_points();
  results_before_ = points_.size() - open;
  for (const Diagnostic& warning : searches_.warnings) progress_.message(benchctl::to_text(warning));
  progress_.started(open + planned_);
  for (const RunPoint& entry : points_) {
    if (entry.finished) progress_.stored(entry.id);
  }
  try {
    measure();
  } catch (...) {
    // Whatever ended it, what was measured is stored and the run can be resumed.
    record_.store().finish_run(record_.run(), RunState::interrupted);
    throw;
  }
  close();
  return outcome_;
}

}  // namespace

RunOutcome run_points(const Config& config, Expansion expansion, const LaneTable& lanes,
                      const Catalogue& catalogue, const PluginTable& plugins, ChannelFactory& factory,
                      const RunOptions& options, Progress& progress) {
  // All that may refuse the run comes before the store is opened: a run that is refused leaves nothing.
  Searches searches = make_searches(config, catalogue, lanes);
  if (options.has_search) {
    std::erase_if(searches.tasks, [&](const auto& task) { return !options.has_search(task->example()); });
  }
  const InterruptGuard guard;
  Catalogue usable = catalogue;
  std::optional<MachineLock> lock;
  const std::vector<Point> open = points_to_measure(expansion.points, searches, options);
  if (!options.allow_programs) refuse_data_programs(config.workloads, open);
  Config placed = config;
  placed.workloads = with_data_in(config.workloads, options.folder, options.timeout_seconds);
  if (!open.empty() && !options.machine_is_ready) {
    lock.emplace(MachineLock::default_file(), lock_needs(open, config.workloads, lanes), options.wait,
                 [&](const std::string& text) { progress.message(text); });
    for (const std::string& sentence :
         leave_out_bad_observers(usable, plugins, lanes, factory, options.timeout_seconds)) {
      progress.message(sentence);
    }
  }
  return Coordinator(placed, lanes, usable, plugins, factory, options, progress, std::move(searches))
      .run(std::move(expansion.points));
}

}  // namespace benchctl
