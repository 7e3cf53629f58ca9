#include "report/compare.hpp"

#include "model/keys.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

namespace benchctl {

namespace {

constexpr std::size_t most_runs = 20;
constexpr std::uint64_t most_points = 100'000;

/// Medians of points over runs, by point and lane.
using Series = std::unordered_map<PointKey, std::vector<stats::RunMedian>, KeyHash>;

/// A run that may tell of the spread.
struct OtherRun {
  const Store* store = nullptr;
  RunRow run;
  std::set<std::string> lanes;  ///< names of those with the device and driver that new had there
};

/// Reads runs, the newest first.
class RunReader {
 public:
  explicit RunReader(const CompareSide& fresh) : fresh_(fresh) {}

  /// Adds runs of the store until there are enough.
  void choose(const Store& store) {
    for (RunRow& run : store.runs()) {
      const bool judged = fresh_.store == &store && run.id == fresh_.run.id;
      if (judged || is_replay(run) || run.name != fresh_.run.name || run.state != RunState::complete)
        continue;
      std::set<std::string> lanes = same_lanes(store, run);
      if (lanes.empty()) continue;
      points_ += store.point_count(run.id);
      if (chosen_.size() == most_runs || points_ > most_points) return;
      chosen_.push_back({&store, std::move(run), std::move(lanes)});
    }
  }

  /// Reads the chosen runs, unless they are too few to tell anything.
  void read(const std::vector<PointKey>& keys) {
    if (chosen_.size() < stats::fewest_runs) return;
    for (const PointKey& key : keys) series_.try_emplace(key);
    for (const OtherRun& other : chosen_) read(other);
  }

  /// The spread of one of the points that `read` was given.
  [[nodiscard]] stats::RunSpread spread_of(const PointKey& key) const {
    const auto found = series_.find(key);
    return found == series_.end() ? stats::RunSpread{} : stats::successive_spread(found->second);
  }
  [[nodiscard]] std::size_t runs() const { return runs_; }
  [[nodiscard]] std::size_t builds() const { return builds_.size(); }

 private:
  [[nodiscard]] std::set<std::string> same_lanes(const Store& store, const RunRow& run) const {
    std::set<std::string> same;
    for (const Lane& lane : store.lanes(run.id)) {
      const Lane* own = lane_named(fresh_.circumstances.lanes, lane.name());
      if (own != nullptr && DeviceKey(lane.device) == DeviceKey(own->device)) same.insert(lane.name());
    }
    return same;
  }

  void read(const OtherRun& other) {
    bool any = false;
    other.store->each_result(other.run.id, [&](Result&& stored) {
      const Point& point = stored.row.point;
      if (!stored.timed() || stored.row.reused_from || !other.lanes.contains(point.device)) return;
      const auto found = series_.find(PointKey(point));
      if (found == series_.end()) return;
      found->second.push_back(
          {std::log(stored.measurement->median_ns), in_reason(stored.metric("replicates"))});
      any = true;
    });
    if (!any) return;
    ++runs_;
    builds_.insert(other.run.version);
  }

  const CompareSide& fresh_;
  std::vector<OtherRun> chosen_;
  Series series_;
  std::uint64_t points_ = 0;
  std::size_t runs_ = 0;
  std::set<std::string> builds_;
};

stats::RunSpread of_replicates(const ComparedPoint& point, const TimesReader& times) {
  std::vector<double> logs;
  for (const double median : process_medians(point, times)) {
    if (!(median > 0)) return {};
    logs.push_back(std::log(median));
  }
  return stats::pooled_spread({&logs, 1});
}

}  // namespace

std::vector<stats::RunSpread> find_spreads(CompareResult& result, std::span<ComparedPair* const> judged) {
  const CompareSide& base = *result.base;
  const CompareSide& fresh = *result.fresh;
  const TimesReader base_times = times_reader(base);
  const TimesReader fresh_times = times_reader(fresh);
  SpreadSource& source = result.spread;
  std::vector<stats::RunSpread> spreads(judged.size());
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const ComparedPoint& before = base.points[*judged[i]->base];
    const ComparedPoint& now = fresh.points[*judged[i]->fresh];
    if (processes_of(before) > 1) {
      spreads[i] = of_replicates(before, base_times);
    } else if (processes_of(now) > 1) {
      spreads[i] = of_replicates(now, fresh_times);
    }
    if (spreads[i].freedom > 0) {
      ++source.replicated;
    } else {
      open.push_back(i);
    }
  }
  if (open.empty()) return spreads;
  RunReader reader(fresh);
  if (fresh.store != nullptr) reader.choose(*fresh.store);
  if (base.store != nullptr && (fresh.store == nullptr || base.store->path() != fresh.store->path())) {
    reader.choose(*base.store);
  }
  std::vector<PointKey> keys;
  for (const ComparedPair* pair : judged)
    keys.emplace_back(fresh.points[*pair->fresh].point, result.lanes[*pair->lane].fresh);
  reader.read(keys);
  source.runs = reader.runs();
  source.builds = reader.builds();
  std::vector<stats::RunSpread> of_runs;
  for (const std::size_t i : open) of_runs.push_back(reader.spread_of(keys[i]));
  of_runs = stats::moderated(of_runs);
  for (std::size_t i = 0; i < open.size(); ++i) {
    spreads[open[i]] = of_runs[i];
    ++(of_runs[i].freedom > 0 ? source.from_runs : source.unknown);
  }
  return spreads;
}

}  // namespace benchctl
