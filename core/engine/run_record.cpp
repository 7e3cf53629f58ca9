#include "engine/run_record.hpp"

#include <benchctl/digest.hpp>

#include "engine/host.hpp"
#include "model/keys.hpp"
#include "model/words.hpp"
#include "sweep/stored_config.hpp"
#include "worker/buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <unordered_map>
#include <unordered_set>

namespace benchctl {

namespace {

/// Is this row of an earlier session that point?
bool same(const PointRow& row, const RunPoint& entry) {
  return row.content_key == entry.content_key && PointKey(row.point) == PointKey(entry.point);
}

/// Goes on with what the earlier session left of the point.
void adopt(const PointRow& row, RunPoint& entry) {
  entry.id = row.id;
  entry.ordinal = row.ordinal;
  entry.finished = row.finished;
  entry.point.status = row.point.status;
  entry.point.reason = row.point.reason;
  entry.let_go();
}

/// So that a budget can be spent on what an earlier session measured.
void adopt(const Result& stored, RunPoint& entry) {
  const Measurement& measurement = *stored.measurement;
  entry.median_ns = measurement.median_ns;
  entry.stop = measurement.stop;
  // What the narrowest circle of rivals says (engine/contest.hpp).
  for (const Against against : {Against::best, Against::own, Against::question}) {
    if (const Comparison* comparison = stored.compared(against))
      entry.contested = comparison->verdict == stats::Verdict::not_resolved;
  }
  const double width = precision_of(measurement);
  entry.excess =
      std::isnan(width) ? std::numeric_limits<double>::infinity() : width / entry.point.measure.target;
  entry.spent_seconds =
      measurement.mean_ns * 1e-9 * measurement.batch * static_cast<double>(measurement.n_samples);
}

}  // namespace

bool passes(const Point& point, const std::vector<std::string>& filters) {
  return filters.empty() || any_matches(filters, point.label());
}

std::string config_hash(const Config& config, const std::string& identity) {
  return digest_text(config.text + '\0' + identity);
}

RunId create_run(Store& store, const Config& config, NewRun run) {
  run.name = config.experiment.name;
  run.title = config.experiment.title;
  run.question = config.experiment.question;
  run.config_text = config.text;
  for (const PublishedEntry& entry : config.published) run.published.push_back(entry.figures);
  const RunId id = store.create_run(run);
  std::vector<RunFile> files;
  for (auto& [name, contents] : files_of(config)) files.push_back({name, std::move(contents)});
  store.add_files(id, files);
  return id;
}

RunRecord::RunRecord(const Config& config, const LaneTable& lanes, const Catalogue& catalogue,
                     const PluginTable& plugins, ChannelFactory& factory, const RunOptions& options,
                     Progress& progress)
    : config_(config),
      lane_table_(lanes),
      catalogue_(catalogue),
      plugins_(plugins),
      options_(options),
      progress_(progress),
      store_(Store::open(options.store)),
      environment_(collect_environment(plugin_builds(plugins), blas_of_workers(factory))),
      keys_(config.workloads, worker_environment(environment_)) {}

void RunRecord::begin(std::vector<Point> points, bool searched) {
  searched_ = searched;
  for (Point& point : points) {
    if (wanted(point)) points_.push_back(entry_of(std::move(point)));
  }
  if (options_.adds_replicate()) return reopen(*options_.replicate->run);
  if (!options_.fresh && !options_.replicate && resume()) return;
  if (options_.in_shard && replaced_) leave_out_finished();
  create();
  if (options_.reuse || replaced_) reuse_own();
}

bool RunRecord::wanted(const Point& point) const { return passes(point, options_.filters); }

RunPoint RunRecord::entry_of(Point point) {
  RunPoint entry;
  const Lane* lane = find_lane(lane_table_, point.device);
  const BackendEntry* backend = catalogue_.find(point.backend);
  entry.finished = point.status != Status::not_run;
  if (!entry.finished && lane != nullptr && backend != nullptr) {
    entry.content_key =
        keys_.key(point, *lane, *backend, *plugins_.find(point.backend), options_.device_debug);
  }
  entry.point = std::move(point);
  return entry;
}

bool RunRecord::resume() {
  const std::optional<RunRow> earlier = store_.find_resumable(config_hash(config_, options_.identity));
  if (!earlier) return false;
  std::vector<PointRow> rows = store_.points(earlier->id);
  // Killed before it had written its points: they are written now.
  const bool just_begun = rows.empty() && !points_.empty();
  // Searches have added theirs behind those of the config.
  const std::size_t own = !searched_ ? rows.size() : std::min(rows.size(), points_.size());
  if (!just_begun && !std::ranges::equal(std::span(rows).first(own), points_, same)) {
    if (are_lanes_unknown(lane_table_)) {
      throw LanesUnknown(
          fmt::format("run {} was interrupted and cannot be resumed now, since devices could not be "
                      "listed; it is kept. "
                      "Run the same command again when they can be, or with --fresh for a new run",
                      to_number(earlier->id)));
    }
    progress_.message(fmt::format(
        "run {} was interrupted, but benchctl, kernels, plugins, devices or drivers have changed "
        "since: a new run begins",
        to_number(earlier->id)));
    replaced_ = earlier->id;
    return false;
  }
  const auto is_settled = [](const PointRow& row) { return row.finished; };
  if (are_lanes_unknown(lane_table_) && !just_begun && std::ranges::all_of(rows, is_settled)) {
    return false;  // all that can be measured was
  }
  if (!store_.take_over(earlier->id)) return false;  // another process was quicker
  run_ = earlier->id;
  seed_ = earlier->seed;
  // Every resumption leaves an event, so this number is new.
  session_ = static_cast<std::uint32_t>(store_.events(run_).size()) + 1;
  if (just_begun) add_points();
  for (std::size_t i = 0; i < own; ++i) adopt(rows[i], points_[i]);
  next_ordinal_ = std::max<std::uint64_t>(next_ordinal_, rows.size());
  std::map<PointId, RunPoint*> own_points;
  for (RunPoint& entry : points_) own_points[entry.id] = &entry;
  for (const Result& stored : store_.results(run_)) {
    if (!stored.measurement) continue;
    known_[stored.row.id] = stored.measurement->median_ns;
    const auto entry = own_points.find(stored.row.id);
    if (entry != own_points.end()) adopt(stored, *entry->second);
  }
  earlier_ = std::move(rows);
  const auto done = std::ranges::count(points_, true, &RunPoint::finished);
  std::string text = fmt::format("{} {}", resuming_words, to_number(run_));
  // Those of a search come later.
  if (!points_.empty()) text += fmt::format(": {} of {} points are done", done, points_.size());
  store_.add_event(run_, text);
  progress_.message(text);
  return true;
}

void RunRecord::reopen(RunId run) {
  const std::vector<PointRow> rows = store_.points(run);
  if (!std::ranges::equal(rows, points_, same) || !store_.take_over(run)) {
    throw StoreError(
        fmt::format("run {} cannot get another replicate: benchctl, kernels, plugins, devices or drivers "
                    "have changed since it began, or another process has it",
                    to_number(run)));
  }
  run_ = run;
  seed_ = store_.run(run)->seed;
  session_ = static_cast<std::uint32_t>(store_.events(run_).size()) + 1;
  store_.add_event(run_, "another replicate");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    adopt(rows[i], points_[i]);
    reopen(points_[i]);
  }
}

void RunRecord::reopen(RunPoint& entry) {
  const StatusClass status = info(entry.point.status).status_class;
  if (!entry.finished || (status != StatusClass::good && status != StatusClass::warning)) return;
  store_.reopen(entry.id);
  entry.finished = false;
  entry.point.status = Status::not_run;
  entry.point.reason.clear();
}

void RunRecord::withdraw_replicate() {
  for (RunPoint& entry : points_) {
    if (entry.finished) continue;
    for (const SampleRow& row : store_.samples(entry.id)) {
      if (row.session == session_) store_.mark_unused(entry.id, row.round, row.replicate);
    }
    store_.settle(entry.id);
    entry.finished = true;
    entry.point.status = store_.result(entry.id).row.point.status;
  }
}

void RunRecord::create() {
  NewRun run;
  run.config_hash = config_hash(config_, options_.identity);
  run.command = options_.command;
  run.version = BENCHCTL_VERSION;
  seed_ = config_.measure.seed != 0 ? config_.measure.seed
          : options_.seed           ? *options_.seed
                                    : unknown_seed();
  run.seed = seed_;
  run.environment = to_json_text(environment_);
  for (const BackendLanes& backend : lane_table_) {
    run.lanes.insert(run.lanes.end(), backend.lanes.begin(), backend.lanes.end());
  }
  run_ = create_run(store_, config_, std::move(run));
  add_points();
}

void RunRecord::add_points(std::size_t first) {
  std::vector<PointRow> rows;
  rows.reserve(points_.size() - first);
  for (std::size_t i = first; i < points_.size(); ++i) {
    PointRow row;
    row.ordinal = points_[i].ordinal = next_ordinal_++;
    row.point = points_[i].point;
    row.content_key = points_[i].content_key;
    row.finished = points_[i].finished;
    const VariantInfo* variant = catalogue_.variant_of(row.point);
    row.vendor = variant != nullptr && variant->vendor;
    if (!row.finished) {
      const Workload& workload = *config_.workloads.find(row.point.workload);
      row.cost = workload.cost(problem_values(workload, row.point));
    }
    rows.push_back(std::move(row));
  }
  const std::vector<PointId> ids = store_.add_points(run_, rows);
  for (std::size_t i = 0; i < ids.size(); ++i) points_[first + i].id = ids[i];
}

std::size_t RunRecord::reuse(std::size_t first) {
  std::size_t reused = 0;
  std::map<std::string, PointId> replaced;
  if (replaced_ && !options_.reuse) {
    for (const PointRow& row : store_.points(*replaced_)) {
      if (row.finished && row.point.status == Status::ok) replaced[row.content_key] = row.id;
    }
  }
  const auto find = [&](const std::string& key) -> std::optional<PointId> {
    if (options_.reuse) return store_.find_measured(key);
    const auto found = replaced.find(key);
    return found == replaced.end() ? std::nullopt : std::optional(found->second);
  };
  for (RunPoint& entry : std::span(points_).subspan(first)) {
    if (entry.finished) continue;
    const std::optional<PointId> source = find(entry.content_key);
    if (!source) continue;
    store_.copy_point(*source, entry.id);
    entry.finished = true;
    entry.point.status = Status::ok;
    ++reused;
  }
  if (reused > 0 && searched_) {
    for (const Result& stored : store_.results(run_)) {
      if (stored.measurement) known_[stored.row.id] = stored.measurement->median_ns;
    }
    for (RunPoint& entry : std::span(points_).subspan(first)) {
      if (const auto known = known_.find(entry.id); known != known_.end()) entry.median_ns = known->second;
    }
  }
  return reused;
}

void RunRecord::reuse_own() {
  const std::size_t reused = reuse(0);
  const std::string text = fmt::format("{} of {} points taken from older runs", reused, points_.size());
  store_.add_event(run_, text);
  progress_.message(text);
}

std::vector<std::size_t> RunRecord::propose(std::vector<Point> points) {
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
  if (options_.reuse || replaced_) static_cast<void>(reuse(added));
  return places;
}

void RunRecord::reopen_broken_pairs(std::size_t first) {
  std::unordered_set<InputsKey, KeyHash> open;  // as group_points() puts them together
  const auto paired = [](const RunPoint& entry) { return entry.point.measure.mode == RoundMode::paired; };
  for (const RunPoint& entry : std::span(points_).subspan(first)) {
    if (!entry.finished && paired(entry)) open.emplace(entry.point);
  }
  for (RunPoint& entry : std::span(points_).subspan(first)) {
    if (paired(entry) && open.contains(InputsKey(entry.point))) reopen(entry);
  }
}

void RunRecord::reopen_cut_short() {
  for (RunPoint& entry : points_) {
    if (entry.stop == StopReason::budget) reopen(entry);
  }
}

void RunRecord::leave_out_finished() {
  std::unordered_map<PointKey, const RunPoint*, KeyHash> by_key;
  for (const RunPoint& entry : points_) by_key[PointKey(entry.point)] = &entry;
  std::unordered_set<const RunPoint*> finished;
  const std::string hash = config_hash(config_, options_.identity);
  for (const RunRow& run : store_.runs()) {
    if (run.config_hash != hash) continue;
    const std::vector<Lane> lanes = store_.lanes(run.id);
    ContentKeys keys(config_.workloads, worker_environment(environment_));  // of the lanes of that run
    for (const PointRow& row : store_.points(run.id)) {
      const auto found = by_key.find(PointKey(row.point));
      if (!row.finished || found == by_key.end()) continue;
      const RunPoint& entry = *found->second;
      if (entry.finished) {  // ruled out now, and then
        if (row.content_key.empty()) finished.insert(&entry);
        continue;
      }
      const Lane* then = find_lane(lanes, row.point.device);
      const Lane* now = find_lane(lane_table_, entry.point.device);
      if (then == nullptr || now == nullptr) continue;
      if (!same_kind(DeviceKey(then->device), DeviceKey(now->device))) continue;
      // The key with the device of then is the same if all else is: kernels, plugins, settings.
      const std::string key = keys.key(entry.point, *then, *catalogue_.find(entry.point.backend),
                                       *plugins_.find(entry.point.backend), options_.device_debug);
      if (key == row.content_key) finished.insert(&entry);
    }
  }
  if (finished.empty()) return;
  std::vector<RunPoint> left;
  for (RunPoint& entry : points_) {
    if (!finished.contains(&entry)) left.push_back(std::move(entry));
  }
  points_ = std::move(left);
  progress_.message(
      fmt::format("{} points were finished by an equal device and are skipped", finished.size()));
}

}  // namespace benchctl
