#include "report/compare_spread.hpp"

#include "model/key_text.hpp"
#include "report/compare.hpp"

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

bool same_device_and_driver(const Lane& a, const Lane& b) {
  const auto uuid = [](const Lane& lane) {
    const auto found = lane.device.properties.find("uuid");
    return found == lane.device.properties.end() ? std::string() : found->second;
  };
  return a.device.name == b.device.name && a.device.driver == b.device.driver && uuid(a) == uuid(b);
}

/// Medians of points over runs, by point and lane.
using Series = std::unordered_map<std::string, std::vector<stats::RunMedian>>;

std::string series_key(const Point& point, const std::string& lane) {
  return KeyText().add(point_identity(point)).add(lane).take();
}

bool counts(const StoredPoint& stored) {
  const StatusClass status_class = info(stored.row.point.status).status_class;
  return stored.measurement && stored.measurement->median_ns > 0 &&
         std::isfinite(stored.measurement->median_ns) && !stored.row.reused_from &&
         (status_class == StatusClass::good || status_class == StatusClass::warning);
}

/// Reads runs, the newest first, until there are enough.
class RunReader {
 public:
  RunReader(const CompareSide& fresh, const std::vector<SpreadPair>& pairs) : fresh_(fresh) {
    for (const SpreadPair& pair : pairs) series_.try_emplace(series_key(pair.fresh->point, pair.lane));
  }

  void read(const Store& store) {
    for (const RunRow& run : store.runs()) {
      const bool judged = fresh_.store == &store && run.id == fresh_.run.id;
      if (judged || is_replay(run) || run.name != fresh_.run.name || run.state != RunState::complete)
        continue;
      points_ += store.point_count(run.id);
      if (runs_ == most_runs || points_ > most_points) return;
      read(store, run);
    }
  }

  [[nodiscard]] stats::RunSpread spread_of(const SpreadPair& pair) {
    std::vector<stats::RunMedian>& medians = series_.at(series_key(pair.fresh->point, pair.lane));
    return stats::successive_spread(medians);
  }
  [[nodiscard]] std::size_t runs() const { return runs_; }
  [[nodiscard]] std::size_t builds() const { return builds_.size(); }

 private:
  void read(const Store& store, const RunRow& run) {
    const std::vector<Lane> lanes = store.lanes(run.id);
    std::set<std::string> same;
    for (const Lane& lane : lanes) {
      const Lane* own = lane_named(fresh_.circumstances.lanes, lane.name());
      if (own != nullptr && same_device_and_driver(lane, *own)) same.insert(lane.name());
    }
    if (same.empty()) return;
    bool any = false;
    store.each_result(run.id, [&](StoredPoint&& stored) {
      const Point& point = stored.row.point;
      if (!counts(stored) || !same.contains(point.device)) return;
      const auto found = series_.find(series_key(point, point.device));
      if (found == series_.end()) return;
      const auto replicates = stored.resources.find("replicates");
      found->second.push_back({std::log(stored.measurement->median_ns),
                               in_reason(replicates == stored.resources.end() ? 1.0 : replicates->second)});
      any = true;
    });
    if (!any) return;
    ++runs_;
    builds_.insert(run.version);
  }

  const CompareSide& fresh_;
  Series series_;
  std::uint64_t points_ = 0;
  std::size_t runs_ = 0;
  std::set<std::string> builds_;
};

std::vector<std::vector<double>> samples_of(const CompareSide& side, const ComparedPoint& point) {
  return side.store != nullptr ? SampleTimes(*side.store).of(point.stored) : point.samples;
}

stats::RunSpread of_replicates(const CompareSide& side, const ComparedPoint& point) {
  std::vector<double> logs;
  for (const std::vector<double>& series : samples_of(side, point)) {
    if (series.empty() || std::ranges::min(series) <= 0) return {};
    logs.push_back(std::log(stats::median(series)));
  }
  return stats::pooled_spread({&logs, 1});
}

}  // namespace

double processes_of(const ComparedPoint& point) {
  return in_reason(point.metrics.has("replicates") ? point.metrics.get("replicates")
                                                   : static_cast<double>(point.samples.size()));
}

SpreadSource find_spreads(const CompareSide& base, const CompareSide& fresh,
                          std::vector<SpreadPair>& pairs) {
  SpreadSource source;
  std::vector<SpreadPair*> open;
  for (SpreadPair& pair : pairs) {
    const bool before = processes_of(*pair.base) > 1;
    const bool now = processes_of(*pair.fresh) > 1;
    if (before || now)
      pair.spread = before ? of_replicates(base, *pair.base) : of_replicates(fresh, *pair.fresh);
    if (pair.spread.freedom > 0) {
      ++source.replicated;
    } else {
      open.push_back(&pair);
    }
  }
  if (open.empty()) return source;
  RunReader reader(fresh, pairs);
  if (fresh.store != nullptr) reader.read(*fresh.store);
  if (base.store != nullptr && (fresh.store == nullptr || base.store->path() != fresh.store->path())) {
    reader.read(*base.store);
  }
  source.runs = reader.runs();
  source.builds = reader.builds();
  std::vector<stats::RunSpread> spreads;
  for (const SpreadPair* pair : open) spreads.push_back(reader.spread_of(*pair));
  spreads = stats::moderated(spreads);
  for (std::size_t i = 0; i < open.size(); ++i) {
    open[i]->spread = spreads[i];
    ++(spreads[i].freedom > 0 ? source.from_runs : source.unknown);
  }
  return source;
}

}  // namespace benchctl
