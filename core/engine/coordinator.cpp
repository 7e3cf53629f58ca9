#include "engine/coordinator.hpp"

#include "engine/prediction.hpp"

#include "engine/content_key.hpp"
#include "engine/group_runner.hpp"
#include "engine/interrupt.hpp"
#include "engine/machine_lock.hpp"
#include "model/glob.hpp"
#include "observe/environment.hpp"
#include "store/store.hpp"
#include "sweep/group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <thread>

namespace benchctl {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

/// Of the budget, for covering every point once; the rest refines.
constexpr double coverage_share = 0.5;
constexpr int refining_passes = 8;
/// A point that has used this share of its own cap has had its time.
constexpr double spent_share = 0.95;

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
        keys_(worker_environment(environment_)) {
    for (Point& point : expansion.points) add(std::move(point));
  }

  RunOutcome run();

 private:
  void add(Point point);
  [[nodiscard]] const Lane* lane_of(const Point& point) const;
  void begin();
  bool resume();
  void create();
  void add_points();
  void reuse();
  void measure();
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

void Coordinator::add(Point point) {
  const auto matches = [&](const std::string& pattern) { return glob_match(pattern, point.label()); };
  if (!options_.filters.empty() && std::ranges::none_of(options_.filters, matches)) return;
  RunPoint entry;
  const Lane* lane = lane_of(point);
  const BackendEntry* backend = catalogue_.find(point.backend);
  entry.finished = point.status != Status::not_run;
  if (!entry.finished && lane != nullptr && backend != nullptr) {
    entry.content_key = keys_.key(point, *lane, *backend->find_variant(point.workload, point.variant),
                                  *plugins_.find(point.backend), options_.device_debug);
  }
  entry.point = std::move(point);
  points_.push_back(std::move(entry));
}

bool Coordinator::resume() {
  const std::string hash = hash_text(config_.text + '\0' + options_.identity);
  const std::optional<RunRow> earlier = store_.find_resumable(hash);
  if (!earlier) return false;
  const std::vector<PointRow> rows = store_.points(earlier->id);
  const auto same = [](const PointRow& row, const RunPoint& entry) {
    return row.content_key == entry.content_key && row.point.label() == entry.point.label();
  };
  // Killed before it had written its points: they are written now.
  const bool just_begun = rows.empty() && !points_.empty();
  if (!just_begun && !std::ranges::equal(rows, points_, same)) {
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
  for (std::size_t i = 0; i < rows.size(); ++i) {
    points_[i].id = rows[i].id;
    points_[i].finished = rows[i].finished;
    points_[i].point.status = rows[i].point.status;
    points_[i].point.reason = rows[i].point.reason;
  }
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
  add_points();
}

void Coordinator::add_points() {
  std::vector<PointRow> rows;
  rows.reserve(points_.size());
  for (std::size_t i = 0; i < points_.size(); ++i) {
    PointRow row;
    row.ordinal = i;
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
  for (std::size_t i = 0; i < ids.size(); ++i) points_[i].id = ids[i];
}

void Coordinator::reuse() {
  std::size_t reused = 0;
  for (RunPoint& entry : points_) {
    if (entry.finished) continue;
    const std::optional<PointId> source = store_.find_measured(entry.content_key);
    if (!source) continue;
    store_.copy_point(*source, entry.id);
    entry.finished = true;
    entry.point.status = Status::ok;
    ++reused;
  }
  const std::string text = fmt::format("{} of {} points taken from older runs", reused, points_.size());
  store_.add_event(run_, text);
  progress_.message(text);
}

void Coordinator::begin() {
  if (!options_.fresh && resume()) return;
  create();
  if (options_.reuse) reuse();
}

double Coordinator::budget_left() const {
  if (!options_.budget_seconds) return std::numeric_limits<double>::infinity();
  return *options_.budget_seconds - std::chrono::duration<double>(Clock::now() - start_).count();
}

/// First every point is covered with a part of the budget, then what is left is spent where it is wanted.
double Coordinator::budget_share() const {
  const auto open = std::ranges::count_if(
      points_, [&](const RunPoint& entry) { return !entry.finished || (refining_ && improvable(entry)); });
  const double part = refining_ ? 1.0 : coverage_share;
  return part * std::max(0.0, budget_left()) / static_cast<double>(std::max<std::ptrdiff_t>(open, 1));
}

bool Coordinator::stop_requested() {
  if (InterruptGuard::requested()) outcome_.interrupted = true;
  if (budget_left() < 0) outcome_.out_of_budget = true;
  return outcome_.interrupted || outcome_.out_of_budget;
}

void Coordinator::measure() {
  std::map<std::string, std::unique_ptr<LaneWorker>, std::less<>> lanes;
  const SessionOptions session{options_.cache.string(), options_.device_debug};
  for (const RunPoint& entry : points_) {
    if (entry.finished || lanes.contains(entry.point.device)) continue;
    lanes.emplace(entry.point.device,
                  std::make_unique<LaneWorker>(*lane_of(entry.point), *catalogue_.find(entry.point.backend),
                                               factory_, session, options_.timeout_seconds));
  }
  if (lanes.empty()) return;
  const MachineLock lock(MachineLock::default_file(), options_.wait);
  CompilePool pool(factory_, std::max(1U, std::thread::hardware_concurrency()), session,
                   options_.timeout_seconds);
  const std::unique_ptr<Channel> reference_worker = factory_.start();
  RunContext context{.store = store_,
                     .points = points_,
                     .lanes = lanes,
                     .catalogue = catalogue_,
                     .compile_pool = options_.offline_compile ? &pool : nullptr,
                     .reference_worker = *reference_worker,
                     .folder = options_.folder,
                     .progress = progress_,
                     .compare = config_.compare,
                     .order_seed = config_.measure.seed,
                     .session = session_,
                     .timeout_seconds = options_.timeout_seconds,
                     .device_debug = options_.device_debug,
                     .budget = [this] { return budget_share(); },
                     .interrupted = [this] { return stop_requested(); }};
  std::vector<Point> open;
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_[i].finished) continue;
    open.push_back(points_[i].point);
    indices.push_back(i);
  }
  std::vector<Group> groups = group_points(open, lane_table_);
  for (Group& group : groups) {
    if (stop_requested()) return;
    for (std::size_t& index : group.points) index = indices[index];
    GroupRunner(context, group).run();
  }
  if (options_.budget_seconds) refine(context, groups);
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
  const bool open = std::ranges::any_of(points_, [](const RunPoint& entry) { return !entry.finished; });
  store_.finish_run(run_, open ? RunState::interrupted : RunState::complete);
  for (const RunPoint& entry : points_)
    ++outcome_.counts[entry.finished ? entry.point.status : Status::not_run];
}

RunOutcome Coordinator::run() {
  const InterruptGuard guard;
  begin();
  outcome_.run = run_;
  const auto open = static_cast<std::size_t>(std::ranges::count(points_, false, &RunPoint::finished));
  progress_.started(points_.size(), open);
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
