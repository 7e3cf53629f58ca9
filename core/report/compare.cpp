#include "report/compare.hpp"

#include <benchctl/rounding.hpp>

#include "model/keys.hpp"
#include "report/format.hpp"
#include "stats/ratio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

namespace benchctl {

namespace {

constexpr double joint_confidence = 0.95;
constexpr double infinitely_many = std::numeric_limits<double>::infinity();

/// Which device of one run is which of the other: 0 for none that can be taken for it. The same card, which
/// two platforms of a backend may offer, goes before another of the product, and that before another
/// product in the same place.
int likeness(const Lane& a, const Lane& b) {
  const DeviceKey one(a.device);
  const DeviceKey other(b.device);
  const bool place = a.name() == b.name();
  const bool product = a.backend == b.backend && one.name == other.name;
  const bool card = product && !one.uuid.empty() && one.uuid == other.uuid;
  if (card) return place ? 5 : 4;
  if (product) return place ? 3 : 2;
  return place ? 1 : 0;
}

/// For each lane of base the place of its partner among those of new.
std::vector<std::optional<std::size_t>> partners(const std::vector<Lane>& base,
                                                 const std::vector<Lane>& fresh) {
  std::vector<std::optional<std::size_t>> found(base.size());
  std::vector<bool> taken(fresh.size(), false);
  for (int grade = 5; grade > 0; --grade) {
    for (std::size_t i = 0; i < base.size(); ++i) {
      for (std::size_t j = 0; j < fresh.size() && !found[i]; ++j) {
        if (taken[j] || likeness(base[i], fresh[j]) != grade) continue;
        found[i] = j;
        taken[j] = true;
      }
    }
  }
  return found;
}

ComparedLane judged(const Circumstances& base, const Circumstances& fresh, const Lane& lane,
                    const Lane& partner) {
  Lane renamed = partner;
  renamed.device.id = lane.device.id;
  return {judge_lane({base.environment, {lane}}, {fresh.environment, {renamed}},
                     [](const Difference& difference) {
                       return difference.weight != EnvironmentClass::information;
                     }),
          lane.name(), partner.name()};
}

/// A pair for each point of base, with the point of new that is the same, then what only new has. A config
/// may name a point twice, with other settings: those that have the same go first.
void pair_points(CompareResult& result) {
  std::unordered_map<std::string, std::size_t> by_base;
  std::unordered_map<std::string, std::size_t> by_fresh;
  for (std::size_t i = 0; i < result.lanes.size(); ++i) {
    const ComparedLane& lane = result.lanes[i];
    if (!lane.base.empty()) by_base[lane.base] = i;
    if (!lane.fresh.empty()) by_fresh[lane.fresh] = i;
  }
  const auto lane_of = [](const auto& lanes, const Point& point) {
    const auto found = lanes.find(point.device);
    return found != lanes.end() ? std::optional(found->second) : std::nullopt;
  };
  // Devices are called by their lane of the comparison; a point without one by its backend alone.
  const auto key = [](const Point& point, std::optional<std::size_t> lane) {
    return PointKey(point, lane ? fmt::format("#{}", *lane) : point.device);
  };
  const std::vector<Result>& base = result.base->points;
  const std::vector<Result>& fresh = result.fresh->points;
  std::unordered_map<PointKey, std::deque<std::size_t>, KeyHash> open;
  open.reserve(fresh.size());
  for (std::size_t i = 0; i < fresh.size(); ++i)
    open[key(fresh[i].point(), lane_of(by_fresh, fresh[i].point()))].push_back(i);
  std::vector<bool> paired(fresh.size(), false);
  result.pairs.reserve(std::max(base.size(), fresh.size()));
  for (std::size_t i = 0; i < base.size(); ++i) {
    ComparedPair& pair = result.pairs.emplace_back();
    pair.base = i;
    pair.lane = lane_of(by_base, base[i].point());
    const auto same = open.find(key(base[i].point(), pair.lane));
    if (same == open.end() || same->second.empty()) continue;
    auto namesake = std::ranges::find_if(
        same->second, [&](std::size_t j) { return fresh[j].point().apart == base[i].point().apart; });
    if (namesake == same->second.end()) namesake = same->second.begin();
    pair.fresh = *namesake;
    same->second.erase(namesake);
    paired[*pair.fresh] = true;
  }
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    if (paired[i]) continue;
    ComparedPair& pair = result.pairs.emplace_back();
    pair.fresh = i;
    pair.lane = lane_of(by_fresh, fresh[i].point());
  }
}

std::string because(const Point& point) {
  const std::string reason = first_line(point.reason);
  return fmt::format("{}{}", to_string(point.status), reason.empty() ? "" : ": " + reason);
}

/// Outcomes that follow from what became of the two points. Nothing where their times decide.
std::optional<PairOutcome> outcome_of_statuses(const CompareResult& result, ComparedPair& pair) {
  const Result* base = pair.base ? &result.base->points[*pair.base] : nullptr;
  const Result* fresh = pair.fresh ? &result.fresh->points[*pair.fresh] : nullptr;
  const bool before = base != nullptr && base->timed();
  const bool now = fresh != nullptr && fresh->timed();
  if (before && now) return std::nullopt;
  if (!before && !now) {
    // Right before and wrong now is a regression even where nothing was timed.
    const bool was_right = base != nullptr && info(base->point().status).status_class == StatusClass::good;
    const bool is_wrong = fresh != nullptr && fresh->point().status == Status::wrong;
    if (is_wrong) pair.reason = because(fresh->point());
    return was_right && is_wrong ? PairOutcome::wrong : PairOutcome::untimed;
  }
  if (now) {
    if (base == nullptr) return PairOutcome::added;
    pair.reason = "base: " + because(base->point());
    const bool had_failed = info(base->point().status).status_class == StatusClass::failed;
    return had_failed ? PairOutcome::repaired : PairOutcome::added;
  }
  if (fresh == nullptr) return PairOutcome::missing;
  pair.reason = because(fresh->point());
  if (fresh->point().status == Status::wrong) return PairOutcome::wrong;
  return info(fresh->point().status).status_class == StatusClass::failed ? PairOutcome::failed
                                                                         : PairOutcome::missing;
}

/// Sets the outcome where conditions forbid a comparison.
bool refused(const CompareResult& result, ComparedPair& pair) {
  if (!pair.lane) {
    pair.reason = "the device is in neither run's record";
    return true;
  }
  const ComparedLane& lane = result.lanes[*pair.lane];
  const Basis basis = result.base->points[*pair.base].point().measure.basis;
  if (lane.verdict == Comparability::not_comparable) {
    pair.reason = lane.reasons.empty() ? "the device is not the same" : lane.reasons.front();
    return true;
  }
  if (lane.host_differs && basis != Basis::device) {
    pair.reason =
        fmt::format("the hosts differ, and basis {} is timed by the host's clock", to_string(basis));
    return true;
  }
  pair.with_warnings = lane.verdict == Comparability::comparable_with_warnings;
  return false;
}

bool is_difference(PairOutcome outcome) {
  return outcome == PairOutcome::slower || outcome == PairOutcome::faster;
}

/// What a choice picks can differ from run to run while nothing has changed: nothing became slower then.
void respect_picks(ComparedPair& pair, const Result& base, const Result& fresh) {
  const PairOutcome outcome = pair.doubted.value_or(pair.outcome);
  const std::string before = base.note("configuration");
  const std::string now = fresh.note("configuration");
  if (!is_difference(outcome) || before.empty() || now.empty() || before == now) return;
  pair.doubted.reset();
  pair.outcome = PairOutcome::not_resolved;
  pair.reason = fmt::format("{}, with another configuration: base picked {}, new {}", info(outcome).label,
                            before, now);
}

/// Ratio of two medians, with the interval that holds alone, and the one for all comparisons.
struct MedianRatio {
  stats::RatioEstimate alone;
  stats::RatioEstimate joint;
};

/// New over base for each pair. Throws StoreError.
std::vector<MedianRatio> median_ratios(const CompareResult& result,
                                       const std::vector<ComparedPair*>& judged) {
  const auto medians = [&](const CompareSide& side, std::optional<std::size_t> ComparedPair::*place) {
    std::vector<std::array<stats::MedianEstimate, 2>> found;
    found.reserve(judged.size());
    for (const ComparedPair* pair : judged) {
      const Result& point = side.points[*(pair->*place)];
      found.push_back({median_estimate(side, point, 1), median_estimate(side, point, result.corrected)});
    }
    return found;
  };
  const auto before = medians(*result.base, &ComparedPair::base);
  const auto now = medians(*result.fresh, &ComparedPair::fresh);
  std::vector<MedianRatio> ratios;
  ratios.reserve(judged.size());
  for (std::size_t i = 0; i < judged.size(); ++i) {
    ratios.push_back({stats::ratio_of_medians(now[i][0], before[i][0]),
                      stats::ratio_of_medians(now[i][1], before[i][1])});
  }
  return ratios;
}

void judge_pair(const CompareResult& result, ComparedPair& pair, const stats::RunSpread& spread,
                MedianRatio ratios, bool whole_interval) {
  pair.doubted.reset();
  pair.reason.clear();
  const Result& base = result.base->points[*pair.base];
  const Result& fresh = result.fresh->points[*pair.fresh];
  // Their intervals hold it.
  const bool replicated = processes_of(base) > 1 && processes_of(fresh) > 1;
  const bool known = spread.freedom > 0;
  const auto widened = [&](const stats::RatioEstimate& within, std::size_t comparisons) {
    if (replicated || !known) return within.interval;
    return stats::with_spread(within, spread, processes_of(fresh), processes_of(base),
                              stats::bonferroni_confidence(joint_confidence, comparisons));
  };
  auto& [alone, joint] = ratios;
  alone.interval = widened(alone, 1);
  pair.process_spread = known ? spread.deviation : no_number;
  pair.ratio = alone.ratio;
  pair.interval = alone.interval;
  joint.ratio = alone.ratio;  // the stored medians, which tables show
  joint.interval = widened(joint, std::max<std::size_t>(1, result.corrected));
  pair.joint_interval = joint.interval;
  pair.outcome = outcome_of(whole_interval ? stats::judge_strictly(joint, pair.threshold)
                                           : stats::judge(joint, pair.threshold));
  if (!joint.interval.known()) {
    const bool single = base.measurement->n_samples == 1 || fresh.measurement->n_samples == 1;
    pair.reason = single ? "a single sample on one side: nothing is known of its scatter"
                         : "an interval that reaches 0";
  }
  if (!replicated && !known && is_difference(pair.outcome)) {
    pair.doubted = std::exchange(pair.outcome, PairOutcome::not_resolved);
    pair.reason = fmt::format("{} within these two processes; the spread between processes is unknown",
                              info(*pair.doubted).label);
  }
  respect_picks(pair, base, fresh);
}

/// Judges all pairs: corrected for all of them, or for the false discovery rate. Then of m pairs those R
/// are called different that are so at the level 1 − 0.05·R/m, with the largest such R (Benjamini &
/// Yekutieli, "False discovery rate-adjusted multiple confidence intervals", JASA 100, 2005).
void judge_all(CompareResult& result, const std::vector<ComparedPair*>& judged,
               const std::vector<stats::RunSpread>& spreads, const CompareOptions& options) {
  result.false_discovery_rate = options.policy.false_discovery_rate;
  result.corrected = result.false_discovery_rate ? std::min<std::size_t>(1, judged.size()) : judged.size();
  while (true) {
    const std::vector<MedianRatio> ratios = median_ratios(result, judged);
    for (std::size_t i = 0; i < judged.size(); ++i)
      judge_pair(result, *judged[i], spreads[i], ratios[i], options.policy.whole_interval);
    if (!result.false_discovery_rate || judged.empty()) return;
    const auto called = std::ranges::count_if(
        judged, [](const ComparedPair* pair) { return pair->doubted || is_difference(pair->outcome); });
    const std::size_t corrected = ceil_div(judged.size(), static_cast<std::size_t>(std::max(1L, called)));
    if (corrected <= result.corrected) return;
    result.corrected = corrected;
  }
}

/// Runs that know nothing of each other: what their intervals and the spread between processes tell.
void judge_apart(CompareResult& result, const std::vector<ComparedPair*>& judged,
                 const CompareOptions& options) {
  result.spread.given = options.process_spread.has_value();
  const std::vector<stats::RunSpread> spreads =
      options.process_spread
          ? std::vector<stats::RunSpread>(judged.size(), {*options.process_spread, infinitely_many})
          : find_spreads(result, judged);
  judge_all(result, judged, spreads, options);
}

void summarise(CompareResult& result) {
  std::map<std::string, std::vector<double>> ratios;
  std::vector<double> all;
  for (const ComparedPair& pair : result.pairs) {
    const std::string& workload = point_of(result, pair).point().workload;
    auto found = std::ranges::find(result.workloads, workload, &RatioSummary::workload);
    if (found == result.workloads.end()) {
      found = result.workloads.insert(found, RatioSummary{workload, {}, {}});
    }
    ++found->counts[pair.outcome];
    ++result.all.counts[pair.outcome];
    if (std::isnan(pair.ratio)) continue;
    ratios[workload].push_back(pair.ratio);
    all.push_back(pair.ratio);
  }
  const stats::RatioEstimate none{0, no_number, {no_number, no_number}};
  for (RatioSummary& summary : result.workloads) {
    const std::vector<double>& own = ratios[summary.workload];
    summary.mean = own.empty() ? none : stats::mean_ratio(own);
  }
  result.all.mean = all.empty() ? none : stats::mean_ratio(all);
}

}  // namespace

PairOutcome outcome_of(stats::Verdict verdict) {
  return parse_outcome(stats::info(verdict).id).value_or(PairOutcome::not_resolved);
}

LaneVerdict judge_lane(const Circumstances& first, const Circumstances& second,
                       bool (*counts)(const Difference& difference)) {
  const ComparabilityVerdict found = compare_circumstances(first, second);
  LaneVerdict result{.verdict = found.verdict};
  for (const Difference& difference : found.differences) {
    if (!counts(difference)) continue;
    result.reasons.push_back(difference.reason);
    result.host_differs = result.host_differs ||
                          (difference.lane.empty() && difference.weight == EnvironmentClass::must_match);
  }
  return result;
}

std::size_t count_of(const CompareResult& result, PairOutcome outcome) {
  const auto found = result.all.counts.find(outcome);
  return found == result.all.counts.end() ? 0 : found->second;
}

std::vector<ComparedLane> match_lanes(const Circumstances& base, const Circumstances& fresh) {
  const auto found = partners(base.lanes, fresh.lanes);
  std::vector<ComparedLane> lanes;
  std::vector<bool> taken(fresh.lanes.size(), false);
  for (std::size_t i = 0; i < base.lanes.size(); ++i) {
    if (found[i]) {
      lanes.push_back(judged(base, fresh, base.lanes[i], fresh.lanes[*found[i]]));
      taken[*found[i]] = true;
    } else {
      lanes.push_back({{}, base.lanes[i].name(), ""});
    }
  }
  for (std::size_t j = 0; j < fresh.lanes.size(); ++j) {
    if (!taken[j]) lanes.push_back({{}, "", fresh.lanes[j].name()});
  }
  return lanes;
}

const Result& point_of(const CompareResult& result, const ComparedPair& pair) {
  return pair.base ? result.base->points[*pair.base] : result.fresh->points[*pair.fresh];
}

CompareResult compare_runs(const CompareSide& base, const CompareSide& fresh,
                           const CompareOptions& options) {
  CompareResult result;
  result.base = &base;
  result.fresh = &fresh;
  result.threshold = options.threshold;
  result.lanes = match_lanes(base.circumstances, fresh.circumstances);
  if (!options.turns) result.changed_files = changed_files(base.files, fresh.files);
  pair_points(result);
  std::vector<ComparedPair*> judged;
  for (ComparedPair& pair : result.pairs) {
    const Point& point = point_of(result, pair).point();
    result.words.add(point);
    pair.ratio = no_number;
    pair.interval = pair.joint_interval = {no_number, no_number};
    pair.threshold = gate_threshold(options, point);
    if (const auto outcome = outcome_of_statuses(result, pair)) {
      pair.outcome = *outcome;
    } else if (refused(result, pair)) {
      pair.outcome = PairOutcome::not_comparable;
    } else {
      judged.push_back(&pair);
    }
  }
  result.comparisons = result.corrected = judged.size();
  result.turns = options.turns;
  if (options.turns) {
    result.spread.replicated = judged.size();
    judge_in_turns(result, judged);
  } else {
    judge_apart(result, judged, options);
  }
  summarise(result);
  apply_gate(result, options);
  return result;
}

}  // namespace benchctl
