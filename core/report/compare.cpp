#include "report/compare.hpp"

#include <benchctl/rounding.hpp>

#include "model/keys.hpp"
#include "report/format.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
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

LaneVerdict verdict_of(const Circumstances& base, const Circumstances& fresh, const Lane& lane,
                       Lane partner) {
  partner.device.id = lane.device.id;
  return lane_verdict(
      {base.environment, {lane}}, {fresh.environment, {std::move(partner)}},
      [](const Difference& difference) { return difference.weight != EnvironmentClass::information; });
}

/// A pair for each point of base, with the point of new that is the same, then what only new has. A config
/// may name a point twice, with other settings: those that have the same go first.
void pair_points(CompareResult& result) {
  const auto pair_of = [&](const Point& point, std::string ComparedLane::*side) {
    ComparedPair pair;
    const auto lane = std::ranges::find(result.lanes, point.device, side);
    if (lane != result.lanes.end()) pair.lane = lane - result.lanes.begin();
    return pair;
  };
  // Devices are called by their lane of the comparison; a point without one by its backend alone.
  const auto key = [](const Point& point, const ComparedPair& pair) {
    return PointKey(point, pair.lane ? fmt::format("#{}", *pair.lane) : point.device);
  };
  std::vector<ComparedPair> of_fresh;
  std::unordered_map<PointKey, std::deque<ComparedPair*>, KeyHash> open;
  of_fresh.reserve(result.fresh->points.size());
  for (const Result& fresh : result.fresh->points) {
    ComparedPair& pair = of_fresh.emplace_back(pair_of(fresh.point(), &ComparedLane::fresh));
    pair.fresh_point = &fresh;
    open[key(fresh.point(), pair)].push_back(&pair);
  }
  for (const Result& base : result.base->points) {
    ComparedPair& pair = result.pairs.emplace_back(pair_of(base.point(), &ComparedLane::base));
    pair.base_point = &base;
    const auto same = open.find(key(base.point(), pair));
    if (same == open.end() || same->second.empty()) continue;
    auto namesake = std::ranges::find_if(same->second, [&](const ComparedPair* other) {
      return other->point().apart == base.point().apart;
    });
    if (namesake == same->second.end()) namesake = same->second.begin();
    pair.fresh_point = std::exchange((*namesake)->fresh_point, nullptr);
    same->second.erase(namesake);
  }
  std::ranges::copy_if(of_fresh, std::back_inserter(result.pairs), &ComparedPair::fresh_point);
}

double time_of(const Result* point) {
  return point != nullptr && point->timed() ? median_of(*point) : no_number;
}

std::string because(const Point& point) {
  const std::string reason = gist_of(point.status, point.reason);
  return fmt::format("{}{}", to_string(point.status), reason.empty() ? "" : ": " + reason);
}

/// Outcomes that follow from what became of the two points. Nothing where their times decide.
std::optional<PairOutcome> outcome_of_statuses(ComparedPair& pair) {
  const Result* base = pair.base_point;
  const Result* fresh = pair.fresh_point;
  const bool before = base != nullptr && base->timed();
  const bool now = fresh != nullptr && fresh->timed();
  if (before && now) return std::nullopt;
  if (!before && !now) {
    // Right before and wrong now is a regression even where nothing was timed.
    const bool was_right = base != nullptr && info(base->point().status).status_class == StatusClass::good;
    const bool is_wrong = fresh != nullptr && fresh->point().status == Status::wrong;
    const bool failed = fresh != nullptr && info(fresh->point().status).status_class == StatusClass::failed;
    if (failed) pair.reason = because(fresh->point());
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
  const Basis basis = pair.point().measure.basis;
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
void respect_picks(ComparedPair& pair) {
  const PairOutcome outcome = pair.doubted.value_or(pair.outcome);
  const std::string before = pair.base_point->note("configuration");
  const std::string now = pair.fresh_point->note("configuration");
  if (!is_difference(outcome) || before.empty() || now.empty() || before == now) return;
  pair.doubted.reset();
  pair.outcome = PairOutcome::not_resolved;
  pair.reason = fmt::format("{}, with another configuration: base picked {}, new {}", info(outcome).label,
                            before, now);
}

/// Two runs that know nothing of each other: what their intervals and the spread between processes tell.
/// Throws StoreError.
void decide(const CompareResult& result, ComparedPair& pair) {
  pair.doubted.reset();
  pair.reason.clear();
  const Result& base = *pair.base_point;
  const Result& fresh = *pair.fresh_point;
  // Their intervals hold it.
  const bool replicated = processes_of(base) > 1 && processes_of(fresh) > 1;
  const bool known = pair.spread.freedom > 0;
  const auto ratio_for = [&](std::size_t comparisons) {
    stats::RatioEstimate within =
        stats::ratio_of_medians(median_estimate(*result.fresh, fresh, comparisons),
                                median_estimate(*result.base, base, comparisons));
    within.ratio = pair.fresh / pair.base;  // the stored medians, which tables show
    if (replicated || !known) return within;
    within.interval = stats::with_spread(within, pair.spread, processes_of(fresh), processes_of(base),
                                         stats::bonferroni_confidence(joint_confidence, comparisons));
    return within;
  };
  const stats::RatioEstimate alone = ratio_for(1);
  const stats::RatioEstimate joint = ratio_for(result.corrected);
  pair.ratio = alone.ratio;
  pair.interval = alone.interval;
  pair.joint_interval = joint.interval;
  pair.outcome =
      outcome_of(result.options.policy.whole_interval ? stats::strict_verdict_of(joint, pair.threshold)
                                                      : stats::verdict_of(joint, pair.threshold));
  if (!joint.interval.known()) {
    const bool single = base.measurement->n_samples == 1 || fresh.measurement->n_samples == 1;
    pair.reason = single ? "a single sample on one side: nothing is known of its scatter"
                         : "too few samples, or too much scatter, for an interval";
  }
  if (!replicated && !known && is_difference(pair.outcome)) {
    pair.doubted = std::exchange(pair.outcome, PairOutcome::not_resolved);
    pair.reason = fmt::format("{} within these two processes; the spread between processes is unknown",
                              info(*pair.doubted).label);
  }
  respect_picks(pair);
}

/// Judges all pairs: corrected for all of them, or for the false discovery rate. Then of m pairs those R
/// are called different that are so at the level 1 − 0.05·R/m, with the largest such R (Benjamini &
/// Yekutieli, "False discovery rate-adjusted multiple confidence intervals", JASA 100, 2005).
void decide_apart(CompareResult& result, const std::vector<ComparedPair*>& compared) {
  if (const auto& given = result.options.process_spread) {
    for (ComparedPair* pair : compared) pair->spread = {*given, infinitely_many};
  } else {
    find_spreads(result, compared);
  }
  const bool by_rate = result.options.policy.false_discovery_rate;
  if (by_rate) result.corrected = std::min<std::size_t>(1, compared.size());
  while (true) {
    for (ComparedPair* pair : compared) decide(result, *pair);
    if (!by_rate || compared.empty()) return;
    const auto called = std::ranges::count_if(
        compared, [](const ComparedPair* pair) { return pair->doubted || is_difference(pair->outcome); });
    const std::size_t corrected = ceil_div(compared.size(), static_cast<std::size_t>(std::max(1L, called)));
    if (corrected <= result.corrected) return;
    result.corrected = corrected;
  }
}

// The sides of `ab`, which were measured in turns: compared process by process.

/// What each process of a side tells with one of the other, or each that measured both: logarithms.
struct ProcessPairs {
  std::vector<double> ratios;   ///< time of new over that of base
  std::vector<double> middles;  ///< geometric mean of both times, in ns

  void add(double before, double now) {
    ratios.push_back(std::log(now / before));
    middles.push_back(std::log(now * before) / 2);
  }
};

/// A process counts with the ratio of its two medians; where it measured both sides, with the median of the
/// ratios of its common rounds. Throws StoreError.
ProcessPairs processes_in(const CompareResult& result, const ComparedPair& pair) {
  ProcessPairs pairs;
  if (!result.options.turns->together) {
    const std::vector<double> before = process_medians(*result.base, *pair.base_point);
    const std::vector<double> now = process_medians(*result.fresh, *pair.fresh_point);
    for (std::size_t i = 0; i < std::min(before.size(), now.size()); ++i) pairs.add(before[i], now[i]);
    return pairs;
  }
  std::map<std::uint32_t, ProcessPairs> processes;
  const Rounds fresh = rounds_of(*result.fresh, *pair.fresh_point);
  for (const auto& [round, before] : rounds_of(*result.base, *pair.base_point)) {
    const auto now = fresh.find(round);
    if (now != fresh.end()) processes[round.first].add(before, now->second);
  }
  for (const auto& [process, rounds] : processes) {
    pairs.ratios.push_back(stats::median(rounds.ratios));
    pairs.middles.push_back(stats::median(rounds.middles));
  }
  return pairs;
}

void decide_in_turns(const CompareResult& result, ComparedPair& pair) {
  const ProcessPairs processes = processes_in(result, pair);
  const std::vector<std::size_t>& looks = result.options.turns->looks;
  std::vector<double> ratios;
  for (const double log : processes.ratios) ratios.push_back(std::exp(log));
  const auto usable = [](double ratio) { return ratio > 0 && std::isfinite(ratio); };
  pair.outcome = PairOutcome::not_resolved;
  if (looks.empty() || looks.back() > ratios.size() || !std::ranges::all_of(ratios, usable)) {
    pair.ratio = pair.fresh / pair.base;
    pair.reason = "too few processes";
    return;
  }
  const stats::SequentialRatio alone = stats::sequential_verdict_of(ratios, looks, pair.threshold, 1);
  const stats::SequentialRatio joint =
      stats::sequential_verdict_of(ratios, looks, pair.threshold, result.comparisons);
  pair.ratio = joint.ratio.ratio;
  pair.interval = alone.ratio.interval;
  pair.joint_interval = joint.ratio.interval;
  pair.outcome = outcome_of(joint.verdict);
  const double middle = std::exp(stats::mean(std::span(processes.middles).first(looks.back())));
  pair.base = middle / std::sqrt(pair.ratio);
  pair.fresh = middle * std::sqrt(pair.ratio);
  pair.spread = stats::pooled_spread({&processes.ratios, 1});
  // A ratio of two processes has the scatter of both, which scatter alike.
  if (!result.options.turns->together) pair.spread.deviation /= std::sqrt(2);
  if (joint.unconfirmed) {
    pair.doubted = PairOutcome::slower;
    pair.reason = "slower, but no further process has confirmed it";
  }
}

void summarise(CompareResult& result) {
  std::map<std::string, std::vector<double>> ratios;
  std::vector<double> all;
  for (const ComparedPair& pair : result.pairs) {
    const std::string& workload = pair.point().workload;
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
  return parse_outcome(to_string(verdict)).value_or(PairOutcome::not_resolved);
}

LaneVerdict lane_verdict(const Circumstances& first, const Circumstances& second,
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

std::vector<ComparedLane> match_lanes(const Circumstances& base, const Circumstances& fresh) {
  std::vector<ComparedLane> lanes;
  for (const Lane& lane : base.lanes) lanes.push_back({{}, lane.name(), ""});
  std::vector<bool> taken(fresh.lanes.size(), false);
  for (int grade = 5; grade > 0; --grade) {
    for (std::size_t i = 0; i < base.lanes.size(); ++i) {
      for (std::size_t j = 0; j < fresh.lanes.size() && lanes[i].fresh.empty(); ++j) {
        if (taken[j] || likeness(base.lanes[i], fresh.lanes[j]) != grade) continue;
        lanes[i] = {verdict_of(base, fresh, base.lanes[i], fresh.lanes[j]), base.lanes[i].name(),
                    fresh.lanes[j].name()};
        taken[j] = true;
      }
    }
  }
  for (std::size_t j = 0; j < fresh.lanes.size(); ++j) {
    if (!taken[j]) lanes.push_back({{}, "", fresh.lanes[j].name()});
  }
  return lanes;
}

CompareResult compare_runs(const CompareSide& base, const CompareSide& fresh,
                           const CompareOptions& options) {
  CompareResult result;
  result.base = &base;
  result.fresh = &fresh;
  result.options = options;
  result.lanes = match_lanes(base.circumstances, fresh.circumstances);
  if (!options.turns) result.changed_files = changed_files(base.files, fresh.files);
  pair_points(result);
  std::vector<ComparedPair*> compared;
  for (ComparedPair& pair : result.pairs) {
    result.words.add(pair.point());
    pair.base = time_of(pair.base_point);
    pair.fresh = time_of(pair.fresh_point);
    pair.threshold = gate_threshold(options, pair.point());
    if (const auto outcome = outcome_of_statuses(pair)) {
      pair.outcome = *outcome;
    } else if (refused(result, pair)) {
      pair.outcome = PairOutcome::not_comparable;
    } else {
      compared.push_back(&pair);
    }
  }
  result.comparisons = result.corrected = compared.size();
  if (options.turns) {
    result.spread.replicated = compared.size();
    for (ComparedPair* pair : compared) decide_in_turns(result, *pair);
  } else {
    decide_apart(result, compared);
  }
  summarise(result);
  apply_gate(result);
  return result;
}

}  // namespace benchctl
