#include "engine/coordinator.hpp"

#include "engine/prediction.hpp"

#include "engine/content_key.hpp"
#include "engine/finals.hpp"
#include "engine/group_runner.hpp"
#include "engine/interrupt.hpp"
#include "engine/machine_lock.hpp"
#include "model/glob.hpp"
#include "observe/environment.hpp"
#include "store/store.hpp"
#include "sweep/group.hpp"
#include "sweep/search.hpp"
#include "sweep/stored_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

namespace benchctl {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using nlohmann::json;

namespace {

/// Of the budget, for covering every point once; the rest refines.
constexpr double coverage_share = 0.5;
constexpr int refining_passes = 8;
/// A point that has used this share of its own cap has had its time.
constexpr double spent_share = 0.95;

/// The point of a task that comes first in the order of its axes.
Coordinates first_of(const SearchTask& task) {
  return {0, std::vector<std::uint32_t>(task.space().arms.front().size(), 0)};
}

/// The state of one call of run_points.
class Coordinator {
 public:
  Coordinator(const Config& config, Expansion expansion, const LaneTable& lanes, const Catalogue& catalogue,
              const PluginHost& plugins, ChannelFactory& factory, const RunOptions& options,
              Progress& progress)
      : config_(config),
        lane_table_(lanes),
        catalogue_(catalogue),
        plugins_(plugins),
        factory_(factory),
        options_(options),
        progress_(progress),
        store_(Store::open(options.store)),
        environment_(collect_environment(plugin_builds(plugins))),
        keys_(worker_environment(environment_)),
        searches_(make_searches(config, catalogue, lanes)) {
    for (Point& point : expansion.points) {
      if (wanted(point)) points_.push_back(entry_of(std::move(point)));
    }
    for (const auto& task : searches_.tasks) planned_ += task->max_points();
  }

  RunOutcome run();

 private:
  [[nodiscard]] bool wanted(const Point& point) const;
  [[nodiscard]] RunPoint entry_of(Point point);
  [[nodiscard]] const Lane* lane_of(const Point& point) const;
  void begin();
  bool resume();
  void create();
  /// Stores those from `first` on.
  void add_points(std::size_t first = 0);
  /// Takes what it can of the points from `first` on from older runs; how many that were.
  std::size_t reuse(std::size_t first);
  void reuse_own();
  void measure();
  void run_groups(RunContext& context, std::size_t first, std::vector<Group>& groups);
  void search(RunContext& context);
  [[nodiscard]] bool search(RunContext& context, SearchTask& task);
  /// Takes points into the run: as what an interrupted session left of them, or as new ones. Places in
  /// `points_`.
  [[nodiscard]] std::vector<std::size_t> propose(std::vector<Point> points);
  [[nodiscard]] bool measure_batch(RunContext& context, const std::vector<std::size_t>& batch);
  [[nodiscard]] std::vector<StoredPoint> finals(RunContext& context, const std::vector<std::size_t>& tried,
                                                bool& complete);
  /// Spends what is left of the budget on points that did not reach their target.
  void refine(RunContext& context, const std::vector<Group>& groups);
  [[nodiscard]] bool improvable(const RunPoint& entry) const;
  /// Seconds of the budget, and those that a point may take; infinity without a budget.
  [[nodiscard]] double budget_left() const;
  [[nodiscard]] double budget_share() const;
  [[nodiscard]] bool stop_requested();
  void predict();
  void close();

  const Config& config_;
  const LaneTable& lane_table_;
  const Catalogue& catalogue_;
  const PluginHost& plugins_;
  ChannelFactory& factory_;
  const RunOptions& options_;
  Progress& progress_;
  Store store_;
  Environment environment_;
  ContentKeys keys_;
  std::vector<RunPoint> points_;
  RunId run_{};
  std::uint32_t session_ = 0;
  RunOutcome outcome_;
  Searches searches_;
  std::uint64_t planned_ = 0;  ///< points that searches may still try
  std::vector<PointRow>
      earlier_;  ///< rows that an interrupted session stored, those of searches behind the others
  std::map<PointId, double> known_;  ///< their medians
  std::uint64_t next_ordinal_ = 0;
  bool searching_ = false;  ///< a search is not at its end
  bool refining_ = false;
  Clock::time_point start_ = Clock::now();
};

const Lane* Coordinator::lane_of(const Point& point) const {
  for (const BackendLanes& backend : lane_table_) {
    for (const Lane& lane : backend.lanes) {
      if (lane.name() == point.device) return &lane;
    }
  }
  return nullptr;
}

bool Coordinator::wanted(const Point& point) const {
  const auto matches = [&](const std::string& pattern) { return glob_match(pattern, point.label()); };
  return options_.filters.empty() || std::ranges::any_of(options_.filters, matches);
}

RunPoint Coordinator::entry_of(Point point) {
  RunPoint entry;
  const Lane* lane = lane_of(point);
  const BackendEntry* backend = catalogue_.find(point.backend);
  entry.finished = point.status != Status::not_run;
  if (!entry.finished && lane != nullptr && backend != nullptr) {
    entry.content_key =
        keys_.key(point, *lane, *backend, *plugins_.find(point.backend), options_.device_debug);
  }
  entry.point = std::move(point);
  return entry;
}

/// Is this row of an earlier session that point?
bool same(const PointRow& row, const RunPoint& entry) {
  return row.content_key == entry.content_key && row.point.label() == entry.point.label();
}

/// Goes on with what the earlier session left of the point.
void adopt(const PointRow& row, RunPoint& entry) {
  entry.id = row.id;
  entry.finished = row.finished;
  entry.point.status = row.point.status;
  entry.point.reason = row.point.reason;
}

bool Coordinator::resume() {
  const std::string hash = hash_text(config_.text + '\0' + options_.identity);
  const std::optional<RunRow> earlier = store_.find_resumable(hash);
  if (!earlier) return false;
  std::vector<PointRow> rows = store_.points(earlier->id);
  // Killed before it had written its points: they are written now.
  const bool just_begun = rows.empty() && !points_.empty();
  // Searches have added theirs behind those of the config.
  const std::size_t own = searches_.tasks.empty() ? rows.size() : std::min(rows.size(), points_.size());
  if (!just_begun && !std::ranges::equal(std::span(rows).first(own), points_, same)) {
    progress_.message(
        fmt::format("run {} was interrupted, but kernels, plugins, devices or drivers have changed since: "
                    "a new run begins",
                    to_number(earlier->id)));
    return false;
  }
  if (!store_.take_over(earlier->id)) return false;  // another process was quicker
  run_ = earlier->id;
  // Every resumption leaves an event, so this number is new.
  session_ = static_cast<std::uint32_t>(store_.events(run_).size()) + 1;
  if (just_begun) add_points();
  for (std::size_t i = 0; i < own; ++i) adopt(rows[i], points_[i]);
  next_ordinal_ = std::max<std::uint64_t>(next_ordinal_, rows.size());
  if (rows.size() > own) {
    for (const StoredPoint& stored : store_.results(run_)) {
      if (stored.measurement) known_[stored.row.id] = stored.measurement->median_ns;
    }
  }
  earlier_ = std::move(rows);
  const auto done = std::ranges::count(points_, true, &RunPoint::finished);
  const std::string text =
      fmt::format("resuming run {}: {} of {} points are done", to_number(run_), done, points_.size());
  store_.add_event(run_, text);
  progress_.message(text);
  return true;
}

void Coordinator::create() {
  NewRun run;
  run.name = config_.experiment.name;
  run.title = config_.experiment.title;
  run.config_text = config_.text;
  run.config_hash = hash_text(config_.text + '\0' + options_.identity);
  run.command = options_.command;
  run.version = BENCHCTL_VERSION;
  run.seed = config_.measure.seed;
  run.environment = to_json_text(environment_);
  for (const PublishedEntry& entry : config_.published) run.published.push_back(entry.figures);
  for (const BackendLanes& backend : lane_table_) {
    run.lanes.insert(run.lanes.end(), backend.lanes.begin(), backend.lanes.end());
  }
  run_ = store_.create_run(run);
  std::vector<RunFile> files;
  for (auto& [name, contents] : files_of(config_)) files.push_back({name, std::move(contents)});
  store_.add_files(run_, files);
  add_points();
}

void Coordinator::add_points(std::size_t first) {
  std::vector<PointRow> rows;
  rows.reserve(points_.size() - first);
  for (std::size_t i = first; i < points_.size(); ++i) {
    PointRow row;
    row.ordinal = next_ordinal_++;
    row.point = points_[i].point;
    row.content_key = points_[i].content_key;
    row.finished = points_[i].finished;
    const BackendEntry* backend = catalogue_.find(row.point.backend);
    const VariantInfo* variant =
        backend != nullptr ? backend->find_variant(row.point.workload, row.point.variant) : nullptr;
    row.vendor = variant != nullptr && variant->vendor;
    if (!row.finished) row.cost = find_workload(row.point.workload)->cost(row.point.problem);
    rows.push_back(std::move(row));
  }
  const std::vector<PointId> ids = store_.add_points(run_, rows);
  for (std::size_t i = 0; i < ids.size(); ++i) points_[first + i].id = ids[i];
}

std::size_t Coordinator::reuse(std::size_t first) {
  std::size_t reused = 0;
  for (RunPoint& entry : std::span(points_).subspan(first)) {
    if (entry.finished) continue;
    const std::optional<PointId> source = store_.find_measured(entry.content_key);
    if (!source) continue;
    store_.copy_point(*source, entry.id);
    entry.finished = true;
    entry.point.status = Status::ok;
    ++reused;
  }
  if (reused > 0 && !searches_.tasks.empty()) {
    for (const StoredPoint& stored : store_.results(run_)) {
      if (stored.measurement) known_[stored.row.id] = stored.measurement->median_ns;
    }
    for (RunPoint& entry : std::span(points_).subspan(first)) {
      if (const auto known = known_.find(entry.id); known != known_.end()) entry.median_ns = known->second;
    }
  }
  return reused;
}

void Coordinator::reuse_own() {
  const std::size_t reused = reuse(0);
  const std::string text = fmt::format("{} of {} points taken from older runs", reused, points_.size());
  store_.add_event(run_, text);
  progress_.message(text);
}

void Coordinator::begin() {
  if (!options_.fresh && resume()) return;
  create();
  if (options_.reuse) reuse_own();
}

double Coordinator::budget_left() const {
  if (!options_.budget_seconds) return std::numeric_limits<double>::infinity();
  return *options_.budget_seconds - std::chrono::duration<double>(Clock::now() - start_).count();
}

/// First every point is covered with a part of the budget, then what is left is spent where it is wanted.
double Coordinator::budget_share() const {
  const auto open = std::ranges::count_if(
      points_, [&](const RunPoint& entry) { return !entry.finished || (refining_ && improvable(entry)); });
  const double part = refining_ || searching_ ? 1.0 : coverage_share;
  const double wanting = std::max(1.0, static_cast<double>(open) + static_cast<double>(planned_));
  return part * std::max(0.0, budget_left()) / wanting;
}

bool Coordinator::stop_requested() {
  if (InterruptGuard::requested()) outcome_.interrupted = true;
  if (budget_left() < 0) outcome_.out_of_budget = true;
  return outcome_.interrupted || outcome_.out_of_budget;
}

void Coordinator::measure() {
  std::map<std::string, std::unique_ptr<LaneWorker>, std::less<>> lanes;
  const SessionOptions session{options_.cache.string(), options_.device_debug};
  const auto add_lane = [&](const Point& point) {
    const Lane* lane = lane_of(point);
    if (lane == nullptr || lanes.contains(point.device)) return;
    lanes.emplace(point.device, std::make_unique<LaneWorker>(*lane, *catalogue_.find(point.backend),
                                                             factory_, session, options_.timeout_seconds));
  };
  for (const RunPoint& entry : points_) {
    if (!entry.finished) add_lane(entry.point);
  }
  for (const auto& task : searches_.tasks) add_lane(task->point(first_of(*task)));
  if (lanes.empty() && searches_.tasks.empty()) return;
  const MachineLock lock(MachineLock::default_file(), options_.wait);
  CompilePool pool(factory_, std::max(1U, std::thread::hardware_concurrency()), session,
                   options_.timeout_seconds);
  const std::unique_ptr<Channel> reference_worker = factory_.start();
  reference_worker->call(Verb::define, {{"variants", json::array()}, {"workloads", declared_workloads()}},
                         std::chrono::duration<double>(options_.timeout_seconds));
  Judges judges(catalogue_, lane_table_, factory_, session, options_.timeout_seconds);
  RunContext context{.store = store_,
                     .points = points_,
                     .lanes = lanes,
                     .catalogue = catalogue_,
                     .compile_pool = options_.offline_compile ? &pool : nullptr,
                     .reference_worker = *reference_worker,
                     .judges = judges,
                     .folder = options_.folder,
                     .progress = progress_,
                     .compare = config_.compare,
                     .order_seed = config_.measure.seed,
                     .session = session_,
                     .timeout_seconds = options_.timeout_seconds,
                     .device_debug = options_.device_debug,
                     .budget = [this] { return budget_share(); },
                     .interrupted = [this] { return stop_requested(); }};
  std::vector<Group> groups;
  run_groups(context, 0, groups);
  search(context);
  if (options_.budget_seconds) refine(context, groups);
}

/// Measures what is open of the points from `first` on; the groups that were made for that.
void Coordinator::run_groups(RunContext& context, std::size_t first, std::vector<Group>& groups) {
  std::vector<Point> open;
  std::vector<std::size_t> indices;
  for (std::size_t i = first; i < points_.size(); ++i) {
    if (points_[i].finished) continue;
    open.push_back(points_[i].point);
    indices.push_back(i);
  }
  groups = group_points(open, lane_table_);
  for (Group& group : groups) {
    for (std::size_t& index : group.points) index = indices[index];
  }
  for (const Group& group : groups) {
    if (stop_requested()) return;
    GroupRunner(context, group).run();
  }
}

std::vector<std::size_t> Coordinator::propose(std::vector<Point> points) {
  std::vector<std::size_t> places;
  const std::size_t first_new = points_.size();
  std::size_t added = first_new;
  for (Point& point : points) {
    RunPoint entry = entry_of(std::move(point));
    places.push_back(points_.size());
    // What a search proposes follows from its seed and from what was measured: an interrupted session has
    // stored the same points in the same order.
    if (points_.size() < earlier_.size() && added == points_.size() &&
        same(earlier_[points_.size()], entry)) {
      const PointRow& row = earlier_[points_.size()];
      adopt(row, entry);
      if (const auto known = known_.find(row.id); known != known_.end()) entry.median_ns = known->second;
      ++added;
    } else {
      earlier_.clear();  // it went another way then: its points stay as they are, these are new
    }
    points_.push_back(std::move(entry));
  }
  if (added == points_.size()) return places;
  add_points(added);
  if (options_.reuse) static_cast<void>(reuse(added));
  return places;
}

/// False when something stopped it.
bool Coordinator::measure_batch(RunContext& context, const std::vector<std::size_t>& batch) {
  if (batch.empty()) return true;
  std::vector<Group> groups;
  run_groups(context, batch.front(), groups);
  return std::ranges::all_of(batch, [&](std::size_t place) { return points_[place].finished; });
}

void Coordinator::search(RunContext& context) {
  ReferenceKeep references;
  context.kept_references = &references;
  for (const auto& task : searches_.tasks) {
    searching_ = true;
    if (stop_requested() || !search(context, *task)) break;
    searching_ = false;
    references.forget();
  }
  context.kept_references = nullptr;
}

/// False when something stopped it.
bool Coordinator::search(RunContext& context, SearchTask& task) {
  // So many are measured in turns; then the strategy is told.
  constexpr std::uint64_t batch_points = 16;
  SearchSpace space = task.space();
  space.possible = [&](const Coordinates& coordinates) {
    const Point point = task.point(coordinates);
    return point.status == Status::not_run && wanted(point);
  };
  const StrategyInfo& info = *find_strategy(task.settings().strategy.text);
  const std::unique_ptr<Strategy> strategy = info.make(space, task.seed());
  std::vector<std::size_t> tried;
  std::uint64_t left = task.max_points();
  while (left > 0) {
    const std::vector<Coordinates> batch = strategy->next(std::min(left, batch_points));
    if (batch.empty()) break;
    std::vector<Point> points;
    for (const Coordinates& coordinates : batch) points.push_back(task.point(coordinates));
    left -= batch.size();
    planned_ -= batch.size();
    const std::vector<std::size_t> places = propose(std::move(points));
    if (!measure_batch(context, places)) return false;
    for (std::size_t i = 0; i < batch.size(); ++i) strategy->learn(batch[i], points_[places[i]].median_ns);
    tried.insert(tried.end(), places.begin(), places.end());
  }
  planned_ -= left;
  SearchSummary summary{
      task.label(), std::string(info.name), task.settings().seed, tried.size(), space.size(), {}, 0, {}};
  if (tried.empty()) {
    // One stands for all, with its reason.
    Point example = task.point(first_of(task));
    if (wanted(example) && example.status == Status::skipped)
      static_cast<void>(propose({std::move(example)}));
  }
  for (const std::size_t place : tried) {
    const RunPoint& entry = points_[place];
    if (!entry.median_ns || (!summary.best.empty() && *entry.median_ns >= summary.best_ns)) continue;
    summary.best = entry.point.label();
    summary.best_ns = *entry.median_ns;
  }
  bool complete = true;
  summary.finals = finals(context, tried, complete);
  if (!complete) return false;
  outcome_.searches.push_back(to_text(summary));
  store_.add_event(run_, outcome_.searches.back());
  return true;
}

/// The best points once more, in turns: what was measured at other times is not comparable to the last
/// percent.
std::vector<StoredPoint> Coordinator::finals(RunContext& context, const std::vector<std::size_t>& tried,
                                             bool& complete) {
  std::vector<Tried> measured;
  for (const std::size_t place : tried) {
    if (points_[place].median_ns) measured.push_back({place, *points_[place].median_ns});
  }
  std::vector<Point> finalists;
  for (const std::size_t place : choose_finalists(std::move(measured))) {
    Point point = points_[place].point;
    point.measure.mode = RoundMode::paired;
    point.measure.max_seconds *= finals_patience;
    point.status = Status::not_run;
    point.reason.clear();
    finalists.push_back(std::move(point));
  }
  if (finalists.empty() || options_.device_debug) return {};
  const std::vector<std::size_t> places = propose(std::move(finalists));
  // The best so far is what the others are held against.
  const CompareSettings compare = context.compare;
  context.compare.baseline.clear();
  complete = measure_batch(context, places);
  context.compare = compare;
  std::vector<StoredPoint> results;
  if (!complete) return results;
  std::map<PointId, StoredPoint> stored;
  for (StoredPoint& point : store_.results(run_)) stored.emplace(point.row.id, std::move(point));
  for (const std::size_t place : places) results.push_back(stored.at(points_[place].id));
  for (const StoredPoint& result : results) {
    store_.add_note(result.row.id, "search",
                    "one of the best of its search, measured again in turns with the others");
  }
  return results;
}

bool Coordinator::improvable(const RunPoint& entry) const {
  return entry.finished && entry.point.status == Status::unstable &&
         entry.spent_seconds < spent_share * entry.point.measure.max_seconds;
}

void Coordinator::refine(RunContext& context, const std::vector<Group>& groups) {
  refining_ = context.refining = true;
  for (int pass = 0; pass < refining_passes; ++pass) {
    bool any = false;
    for (const Group& group : groups) {
      if (stop_requested()) return;
      Group wanting = group;
      // A pair is nothing without its baseline: all of its group are sampled again.
      const bool paired = std::ranges::any_of(group.points, [&](std::size_t index) {
        return improvable(points_[index]) && points_[index].point.measure.mode == RoundMode::paired;
      });
      std::erase_if(wanting.points, [&](std::size_t index) {
        const StatusClass status = info(points_[index].point.status).status_class;
        const bool timed = status == StatusClass::good || status == StatusClass::warning;
        return !improvable(points_[index]) && !(paired && timed);
      });
      if (wanting.points.empty()) continue;
      any = true;
      for (const std::size_t index : wanting.points) {
        store_.reopen(points_[index].id);
        points_[index].finished = false;
      }
      GroupRunner(context, wanting).run();
      for (const std::size_t index : wanting.points) {
        if (points_[index].finished) continue;
        store_.settle(points_[index].id);  // what it had is still right
        points_[index].finished = true;
      }
    }
    if (!any) return;
  }
}

/// Predicted beside measured, as far as the ceilings of the devices are known.
void Coordinator::predict() {
  if (config_.experiment.roofs == Roofs::none) return;
  std::vector<MeasuredPoint> peaks = store_.measured("peaks");
  if (config_.experiment.roofs == Roofs::run) {
    std::erase_if(peaks, [&](const MeasuredPoint& peak) { return peak.point.row.run != run_; });
  }
  std::vector<RoofRow> used;
  std::map<std::string, predict::Roofs, std::less<>> by_lane;
  for (const BackendLanes& backend : lane_table_) {
    for (const Lane& lane : backend.lanes) {
      for (RoofRow& roof : roofs_of(peaks, lane)) {
        by_lane[roof.lane][roof.probe] = roof.per_second;
        used.push_back(std::move(roof));
      }
    }
  }
  store_.set_roofs(run_, used);
  if (used.empty()) return;
  for (const StoredPoint& stored : store_.results(run_)) {
    const Point& point = stored.row.point;
    const auto roofs = by_lane.find(point.device);
    const Lane* lane = lane_of(point);
    const BackendEntry* backend = catalogue_.find(point.backend);
    if (roofs == by_lane.end() || lane == nullptr || backend == nullptr || point.workload == "peaks")
      continue;
    const VariantInfo* variant = backend->find_variant(point.workload, point.variant);
    if (variant == nullptr) continue;
    const TimePrediction prediction = predict_time(stored, *variant, lane->device, roofs->second);
    if (!prediction.metrics.empty()) store_.add_metrics(stored.row.id, prediction.metrics);
    if (!prediction.by.empty()) store_.add_note(stored.row.id, "predicted_by", prediction.by);
  }
}

void Coordinator::close() {
  predict();
  const bool open =
      searching_ || std::ranges::any_of(points_, [](const RunPoint& entry) { return !entry.finished; });
  store_.finish_run(run_, open ? RunState::interrupted : RunState::complete);
  for (const RunPoint& entry : points_)
    ++outcome_.counts[entry.finished ? entry.point.status : Status::not_run];
}

RunOutcome Coordinator::run() {
  const InterruptGuard guard;
  begin();
  outcome_.run = run_;
  const auto open = static_cast<std::size_t>(std::ranges::count(points_, false, &RunPoint::finished));
  for (const Diagnostic& warning : searches_.warnings) progress_.message(benchctl::to_text(warning));
  progress_.started(points_.size() + planned_, open + planned_);
  try {
    measure();
  } catch (...) {
    // Whatever ended it, what was measured is stored and the run can be resumed.
    store_.finish_run(run_, RunState::interrupted);
    throw;
  }
  close();
  return outcome_;
}

}  // namespace

fs::path default_cache() {
  const auto variable = [](const char* name) -> fs::path {
    const char* text = std::getenv(name);
    return text != nullptr ? text : "";
  };
  if (const fs::path folder = variable("BENCHCTL_CACHE_DIR"); !folder.empty()) return folder;
  if (const fs::path folder = variable("XDG_CACHE_HOME"); folder.is_absolute()) return folder / "benchctl";
  if (const fs::path home = variable("HOME"); !home.empty()) return home / ".cache/benchctl";
  return {};
}

RunOutcome run_points(const Config& config, Expansion expansion, const LaneTable& lanes,
                      const Catalogue& catalogue, const PluginHost& plugins, ChannelFactory& factory,
                      const RunOptions& options, Progress& progress) {
  return Coordinator(config, std::move(expansion), lanes, catalogue, plugins, factory, options, progress)
      .run();
}

}  // namespace benchctl
