#include "report/compare_side.hpp"

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

/// Documents and stores may hold any number.
double in_reason(double replicates) { return replicates >= 1 ? std::min(replicates, 1e6) : 1; }

const Lane* lane_named(const std::vector<Lane>& lanes, const std::string& name) {
  const auto found = std::ranges::find(lanes, name, &Lane::name);
  return found == lanes.end() ? nullptr : &*found;
}

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
  void read(const std::vector<SpreadPair>& pairs) {
    if (chosen_.size() < stats::fewest_runs) return;
    for (const SpreadPair& pair : pairs) {
      series_of_.push_back(&series_[PointKey(pair.fresh->point, pair.lane)]);
    }
    for (const OtherRun& other : chosen_) read(other);
  }

  /// The spread of one of the pairs that `read` was given.
  [[nodiscard]] stats::RunSpread spread_of(std::size_t pair) const {
    return series_of_.empty() ? stats::RunSpread{} : stats::successive_spread(*series_of_[pair]);
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
      const auto replicates = stored.resources.find("replicates");
      found->second.push_back({std::log(stored.measurement->median_ns),
                               in_reason(replicates == stored.resources.end() ? 1.0 : replicates->second)});
      any = true;
    });
    if (!any) return;
    ++runs_;
    builds_.insert(other.run.version);
  }

  const CompareSide& fresh_;
  std::vector<OtherRun> chosen_;
  Series series_;
  std::vector<const std::vector<stats::RunMedian>*> series_of_;  ///< by pair
  std::uint64_t points_ = 0;
  std::size_t runs_ = 0;
  std::set<std::string> builds_;
};

stats::RunSpread of_replicates(const CompareSide& side, const ComparedPoint& point) {
  std::vector<double> logs;
  for (const double median : process_medians(side, point)) {
    if (!(median > 0)) return {};
    logs.push_back(std::log(median));
  }
  return stats::pooled_spread({&logs, 1});
}

}  // namespace

std::vector<double> process_medians(const CompareSide& side, const ComparedPoint& point) {
  std::vector<double> medians;
  for (const std::vector<double>& series :
       side.store != nullptr ? side.store->times_reader()(point.stored) : point.samples) {
    if (stats::have_ratios(series)) medians.push_back(stats::median(series));
  }
  return medians;
}

double processes_of(const ComparedPoint& point) {
  return in_reason(point.metrics.has("replicates") ? point.metrics.get("replicates")
                                                   : static_cast<double>(point.samples.size()));
}

SpreadSource find_spreads(const CompareSide& base, const CompareSide& fresh,
                          std::vector<SpreadPair>& pairs) {
  SpreadSource source;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    SpreadPair& pair = pairs[i];
    const bool before = processes_of(*pair.base) > 1;
    const bool now = processes_of(*pair.fresh) > 1;
    if (before || now)
      pair.spread = before ? of_replicates(base, *pair.base) : of_replicates(fresh, *pair.fresh);
    if (pair.spread.freedom > 0) {
      ++source.replicated;
    } else {
      open.push_back(i);
    }
  }
  if (open.empty()) return source;
  RunReader reader(fresh);
  if (fresh.store != nullptr) reader.choose(*fresh.store);
  if (base.store != nullptr && (fresh.store == nullptr || base.store->path() != fresh.store->path())) {
    reader.choose(*base.store);
  }
  reader.read(pairs);
  source.runs = reader.runs();
  source.builds = reader.builds();
  std::vector<stats::RunSpread> spreads;
  for (const std::size_t i : open) spreads.push_back(reader.spread_of(i));
  spreads = stats::moderated(spreads);
  for (std::size_t i = 0; i < open.size(); ++i) {
    pairs[open[i]].spread = spreads[i];
    ++(spreads[i].freedom > 0 ? source.from_runs : source.unknown);
  }
  return source;
}

}  // namespace benchctl
