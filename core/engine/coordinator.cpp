#include "engine/coordinator.hpp"

#include "engine/interrupt.hpp"
#include "engine/measured_group.hpp"
#include "engine/refiner.hpp"
#include "engine/run_record.hpp"
#include "engine/search_runner.hpp"
#include "observe/busy_processes.hpp"
#include "observe/control_groups.hpp"
#include "workloads/declared.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>

namespace benchctl {

namespace {

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

bool measures_roofs(const Group& group) { return group.inputs.problem.workload == roof_workload().name(); }

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
        budget_(options.budget_seconds, options.clock, points_),
        comparisons_(record_.store(), points_, catalogue_, config.experiment.question,
                     config.compare.threshold),
        searches_(std::move(searches)) {
    for (const auto& task : searches_.tasks) budget_.expect(task->max_points());
  }

  RunOutcome run(std::vector<Point> points);

 private:
  void measure();
  void measure(RunContext& run);
  [[nodiscard]] std::map<std::string, std::unique_ptr<LaneWorker>, std::less<>> lanes_to_measure();
  /// Between groups, when nothing is timed.
  void look_at_others();
  /// Groups of the open points from `first` on.
  [[nodiscard]] std::vector<Group> open_groups(std::size_t first) const;
  /// Those of points from `first` on; `but`: not these points.
  void run_groups(RunContext& run, std::size_t first, const CompareSettings& compare,
                  const std::function<bool(const RunPoint&)>& but = {});
  [[nodiscard]] bool measure_batch(RunContext& run, const std::vector<std::size_t>& batch,
                                   const CompareSettings& compare);
  /// Will samples or results of these be asked for again?
  [[nodiscard]] bool are_wanted_again(const std::vector<std::size_t>& group) const;
  void search(RunContext& run);
  void close();

  const Config& config_;
  const LaneTable& lane_table_;
  const Catalogue& catalogue_;
  ChannelFactory& factory_;
  const RunOptions& options_;
  Progress& progress_;
  RunRecord record_;
  std::vector<RunPoint>& points_;
  Budget budget_;
  RunComparisons comparisons_;
  RunOutcome outcome_;
  Searches searches_;
  bool searching_ = false;  ///< a search is not at its end
  BusyProcesses others_{options_.proc, getpid()};
  std::optional<double> looked_;
};

std::map<std::string, std::unique_ptr<LaneWorker>, std::less<>> Coordinator::lanes_to_measure() {
  std::map<std::string, std::unique_ptr<LaneWorker>, std::less<>> lanes;
  const SessionOptions session{options_.cache.string(), options_.device_debug};
  const auto add_lane = [&](const Point& point) {
    const Lane* lane = find_lane(lane_table_, point.device);
    if (lane == nullptr || lanes.contains(point.device)) return;
    auto worker = std::make_unique<LaneWorker>(*lane, *catalogue_.find(point.backend), factory_, session,
                                               options_.timeout_seconds);
    worker->set_most_seconds([this] { return budget_.for_a_verb(); });
    lanes.emplace(point.device, std::move(worker));
  };
  // Refining takes up points that an earlier session has finished.
  for (const RunPoint& entry : points_) add_lane(entry.point);
  for (const auto& task : searches_.tasks) add_lane(task->example());
  return lanes;
}

void Coordinator::measure() {
  RunRoofs roofs(record_.store(), record_.run(), catalogue_, lane_table_, config_.experiment.roofs);
  if (std::ranges::all_of(points_, &RunPoint::finished) && searches_.tasks.empty()) return;
  auto lanes = lanes_to_measure();
  const SessionOptions session{options_.cache.string(), options_.device_debug};
  const auto stop = [this] { return budget_.must_stop(); };
  CompilePool pool(factory_, usable_processors(), session, options_.timeout_seconds);
  ReferenceWorker reference_worker(factory_, config_.workloads, options_.timeout_seconds, stop);
  const DiskCache references((options_.cache.empty() ? options_.folder : options_.cache) / "references",
                             digest_file("/proc/self/exe"));
  DataPrograms data_programs(references, stop);
  TrustedKernels trusted_kernels(catalogue_, config_.workloads, lane_table_, factory_, session,
                                 options_.timeout_seconds, stop);
  RunContext run{.options = options_,
                 .store = record_.store(),
                 .id = record_.run(),
                 .points = points_,
                 .budget = budget_,
                 .progress = progress_,
                 .comparisons = comparisons_,
                 .lanes = lanes,
                 .catalogue = catalogue_,
                 .workloads = config_.workloads,
                 .compile_pool = options_.offline_compile ? &pool : nullptr,
                 .references = {reference_worker, trusted_kernels, data_programs, references},
                 .roofs = roofs,
                 .seed = record_.seed(),
                 .session = record_.session(),
                 .last_round = record_.store().last_round(record_.run())};
  const double began = budget_.now();
  const Throttling throttled = throttling_so_far();
  look_at_others();
  measure(run);
  others_.look();
  const double seconds = budget_.now() - began;
  for (const std::string& text :
       {others_.text(seconds), throttling_text(throttled, throttling_so_far(), seconds)}) {
    if (!text.empty()) record_.store().add_event(record_.run(), text);
  }
  // To be resumed, or to get more replicates.
  if (searching_ || options_.replicate || !std::ranges::all_of(points_, &RunPoint::finished)) return;
  for (const std::string& key : run.references.drawn) references.forget(key);
}

void Coordinator::measure(RunContext& run) {
  const std::size_t own = points_.size();
  const auto is_slow = [&](const RunPoint& entry) { return is_slow_library(entry, catalogue_); };
  const bool libraries_wait =
      budget_.is_limited() && std::ranges::any_of(points_, [&](const RunPoint& entry) {
        return !entry.finished && is_slow(entry);
      });
  if (libraries_wait) budget_.enter(Budget::Stage::before_libraries);
  run_groups(run, 0, config_.compare, libraries_wait ? is_slow : std::function<bool(const RunPoint&)>());
  budget_.enter(Budget::Stage::covering);
  search(run);
  if (!budget_.is_limited()) return;
  budget_.all_had_a_chance();
  refine(run, lane_table_, own, config_.compare);
}

void Coordinator::look_at_others() {
  constexpr double seconds_between = 1;
  const double now = budget_.now();
  if (looked_ && now - *looked_ < seconds_between) return;
  looked_ = now;
  others_.look();
}

bool Coordinator::are_wanted_again(const std::vector<std::size_t>& group) const {
  if (searching_ || !budget_.is_limited()) return searching_;
  // Who is refined is compared with all others of the group once more.
  return std::ranges::any_of(group, [this](std::size_t index) {
    const RunPoint& entry = points_[index];
    return entry.is_open() || entry.contested || entry.stop == StopReason::budget;
  });
}

std::vector<Group> Coordinator::open_groups(std::size_t first) const {
  std::vector<std::size_t> open;
  for (std::size_t i = first; i < points_.size(); ++i) {
    if (points_[i].is_open()) open.push_back(i);
  }
  std::vector<Group> groups = groups_of(points_, open, config_.workloads, lane_table_);
  if (budget_.is_limited()) {
    put_cheapest_first(groups);
  } else if (config_.experiment.order == ProblemOrder::random) {
    put_in_random_order(groups, record_.seed());
  }
  // Predictions stand on roofs.
  std::ranges::stable_sort(groups, {}, [](const Group& group) { return !measures_roofs(group); });
  return groups;
}

void Coordinator::run_groups(RunContext& run, std::size_t first, const CompareSettings& compare,
                             const std::function<bool(const RunPoint&)>& but) {
  std::vector<Group> groups = open_groups(first);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Group& group = groups[g];
    if (budget_.must_stop()) return;
    const std::vector<std::size_t> whole = group.points;
    if (but) std::erase_if(group.points, [&](std::size_t index) { return but(points_[index]); });
    if (group.points.empty()) continue;
    look_at_others();
    Turn turn{.purpose = options_.adds_replicate() ? Turn::Purpose::replicate : Turn::Purpose::cover,
              .compare = compare};
    if (g + 1 < groups.size()) turn.upcoming = &points_[groups[g + 1].points.front()].point;
    run_group(run, group, turn);
    if (measures_roofs(group)) {
      std::vector<const Result*> peaks;
      for (const std::size_t index : group.points) {
        if (points_[index].finished) peaks.push_back(&points_[index].result_in(record_.store()));
      }
      run.roofs.add(peaks);
    }
    if (are_wanted_again(whole)) continue;
    for (const std::size_t index : whole) points_[index].let_go();
  }
}

/// False when something stopped it.
bool Coordinator::measure_batch(RunContext& run, const std::vector<std::size_t>& batch,
                                const CompareSettings& compare) {
  if (batch.empty()) return true;
  const auto finished = [&](std::size_t place) { return points_[place].finished; };
  record_.reopen_broken_pairs(batch.front());
  // An earlier session's results are none of this one, which has to bring one.
  budget_.set_aside(static_cast<std::size_t>(std::ranges::count_if(batch, finished)));
  run_groups(run, batch.front(), compare);
  return std::ranges::all_of(batch, finished);
}

void Coordinator::search(RunContext& run) {
  SearchRunner runner(run, record_, config_.compare,
                      [&](const std::vector<std::size_t>& batch, const CompareSettings& compare) {
                        return measure_batch(run, batch, compare);
                      });
  for (const auto& task : searches_.tasks) {
    searching_ = true;
    budget_.enter(Budget::Stage::searching);
    if (budget_.must_stop()) break;
    std::optional<SearchSummary> found = runner.run(*task);
    if (!found) break;
    outcome_.searches.push_back(std::move(*found));
    for (RunPoint& entry : points_) entry.let_go();
    searching_ = false;
    budget_.enter(Budget::Stage::covering);
  }
}

void Coordinator::close() {
  if (options_.adds_replicate()) record_.withdraw_replicate();
  const bool open = searching_ || options_.replicate || are_lanes_unknown(lane_table_) ||
                    std::ranges::any_of(points_, [](const RunPoint& entry) { return !entry.finished; });
  record_.store().finish_run(record_.run(), open ? RunState::interrupted : RunState::complete);
  outcome_.interrupted = budget_.was_interrupted();
  // Points that it merely ended too early have their results: nothing is left to continue.
  outcome_.out_of_budget = budget_.has_ended() && open;
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
  if (!budget_.is_limited()) record_.reopen_cut_short();
  outcome_.run = record_.run();
  const auto open = static_cast<std::size_t>(std::ranges::count_if(points_, &RunPoint::is_open));
  budget_.set_aside(points_.size() - open);
  for (const Diagnostic& warning : searches_.warnings) progress_.message(benchctl::to_text(warning));
  progress_.started(open + budget_.planned());
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
  if (options.in_shard) {
    std::erase_if(searches.tasks, [&](const auto& task) { return !options.in_shard(task->example()); });
  }
  const InterruptGuard guard;
  Catalogue usable = catalogue;
  std::optional<MachineLock> lock;
  const std::vector<Point> open = points_to_measure(expansion.points, searches, options);
  if (!options.allow_programs) refuse_data_programs(config.workloads, open);
  Config placed = config;
  placed.workloads = with_data_in(config.workloads, options.folder, options.timeout_seconds);
  if (!open.empty() && !options.replicate) {
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
