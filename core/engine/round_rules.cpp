#include "engine/round_rules.hpp"

#include "engine/contest.hpp"
#include "model/point.hpp"

#include <algorithm>
#include <cmath>

namespace benchctl {

namespace {

/// Whoever is shown slower than its fastest rival leaves; the others stay until the fastest is known.
class Race final : public RoundRules {
 public:
  Race(std::list<ActivePoint>& points, const std::uint32_t& replicate, double threshold, std::string axis)
      : points_(points), replicate_(replicate), threshold_(threshold), axis_(std::move(axis)) {}

  [[nodiscard]] bool need_each_other() const override { return false; }
  void begin() override { due_ = 0; }

  void before_round(std::int64_t rounds) override {
    if (rounds < due_) return;
    look();
    // Each round of long executions may be the one that tells.
    const bool long_round = std::ranges::any_of(points_, [&](const ActivePoint& active) {
      return active.is_open() && takes_part(active) && active.sampler->takes_long();
    });
    due_ = long_round ? rounds + 1 : next_look(rounds);
  }

  /// What is not ready has no round: its budget was up before.
  [[nodiscard]] bool takes_part(const ActivePoint& active) const override {
    return !active.time.in_haste || active.has_samples();
  }

 private:
  [[nodiscard]] Contestant contestant_of(const ActivePoint& active, std::size_t table) const {
    Contestant one;
    one.table = table;
    one.vendor = active.variant->vendor;
    one.asked = is_asked({&active.point(), one.vendor}, axis_);
    one.open = !active.is_over();
    one.may_leave = active.leaves() && active.sampler->may_leave();
    if (active.sampler->samples().size() < 3) one.fewest_rounds = 0;  // its executions are long
    const bool left = active.sampler->done() && active.sampler->stop_reason() == StopReason::slower;
    if (!left && !active.has_fallen() && active.point().expect == Expect::right) {
      const std::uint64_t first = stats::round_key(replicate_, 0);
      one.rounds.insert(active.rounds.lower_bound(first), active.rounds.end());
    }
    return one;
  }

  void look() {
    std::vector<Contestant> contestants;
    std::map<std::pair<const LaneWorker*, MeasureKey>, std::size_t> tables;
    for (const ActivePoint& active : points_) {
      const std::pair table(active.lane->worker, MeasureKey(active.point().measure));
      contestants.push_back(contestant_of(active, tables.try_emplace(table, tables.size()).first->second));
    }
    const std::vector<Prospect> found = prospects(contestants, threshold_);
    std::size_t place = 0;
    for (ActivePoint& active : points_) {
      const Prospect prospect = found[place++];
      if (active.is_over()) continue;
      active.sampler->contest(prospect == Prospect::contested && active.leaves());
      if (prospect == Prospect::slower && active.leaves()) active.sampler->stop(StopReason::slower);
    }
  }

  std::list<ActivePoint>& points_;
  const std::uint32_t& replicate_;
  double threshold_;
  std::string axis_;
  std::int64_t due_ = 0;  ///< rounds after which the ratios are looked at again
};

/// Each point is compared with its baseline, round by round, until all ratios are known.
class Pairs final : public RoundRules {
 public:
  Pairs(std::list<ActivePoint>& points, const CompareSettings& compare)
      : points_(points), compare_(compare) {
    std::vector<PairCandidate> candidates;
    std::vector<ActivePoint*> owners;
    for (ActivePoint& active : points) {
      if (active.settings.mode != RoundMode::paired) continue;
      candidates.push_back({&active.point(), active.device.type, active.variant->vendor});
      owners.push_back(&active);
    }
    const auto baselines = choose_baselines(candidates, compare);
    for (std::size_t i = 0; i < owners.size(); ++i) {
      if (baselines[i]) owners[i]->baseline = owners[*baselines[i]];
    }
  }

  [[nodiscard]] bool need_each_other() const override { return true; }

  /// Points whose executions last about as long get equally many in a sample.
  void begin() override {
    next_look_ = first_look;
    std::vector<ActivePoint*> open;
    std::vector<Batch> batches;
    for (ActivePoint& active : points_) {
      if (!active.is_open()) continue;
      open.push_back(&active);
      batches.push_back({active.sampler->batch(), active.sampler->most_in_batch()});
    }
    const std::vector<std::uint32_t> equal = equal_batches(batches);
    for (std::size_t i = 0; i < open.size(); ++i) open[i]->sampler->set_batch(equal[i]);
  }

  void after_round(std::int64_t rounds) override {
    const bool enough = enough_rounds(rounds);
    for (ActivePoint& active : points_) {
      if (!active.is_open()) continue;
      if (enough) active.last_round = StopReason::target;
      // Rounds without its baseline are worth nothing to a pair, nor those of a baseline without the
      // others.
      if (const ActivePoint* last = last_partner(active)) active.last_round = last->sampler->stop_reason();
    }
  }

 private:
  /// The ratios are looked at after so many rounds, and then whenever there are half as many more: an
  /// interval that is looked at again and again until it is narrow comes out too narrow.
  static constexpr std::int64_t first_look = 20;
  static constexpr double look_growth = 1.5;

  /// Where all that it is compared with have ended: the last of these.
  [[nodiscard]] const ActivePoint* last_partner(const ActivePoint& active) const {
    const ActivePoint* last = nullptr;
    for (const ActivePoint& other : points_) {
      if (&other != active.baseline && other.baseline != &active) continue;
      if (!other.is_over() || !other.sampler->done()) return nullptr;
      last = &other;
    }
    return last;
  }

  [[nodiscard]] bool enough_rounds(std::int64_t rounds) {
    const auto covers_span = [](const ActivePoint& active) {
      return active.is_over() || active.sampler->covers_span();
    };
    if (rounds < next_look_ || !std::ranges::all_of(points_, covers_span)) return false;
    next_look_ = static_cast<std::int64_t>(std::ceil(look_growth * static_cast<double>(rounds)));
    const auto comparisons = static_cast<std::size_t>(
        std::ranges::count_if(points_, [](const ActivePoint& one) { return one.baseline != nullptr; }));
    return std::ranges::all_of(points_, [&](const ActivePoint& active) {
      const bool is_fixed = active.settings.fixed_samples > 0;
      if (active.is_over() || active.baseline == nullptr || is_fixed) return !is_fixed;
      return ratio_is_known(active.pair(), active.settings.target, compare_.threshold, comparisons);
    });
  }

  std::list<ActivePoint>& points_;
  const CompareSettings& compare_;
  std::int64_t next_look_ = first_look;
};

}  // namespace

std::unique_ptr<RoundRules> make_rules(std::list<ActivePoint>& points, const std::uint32_t& replicate,
                                       const CompareSettings& compare, std::string axis) {
  const auto is_paired = [](const ActivePoint& one) { return one.settings.mode == RoundMode::paired; };
  if (std::ranges::any_of(points, is_paired)) return std::make_unique<Pairs>(points, compare);
  return std::make_unique<Race>(points, replicate, compare.threshold, std::move(axis));
}

}  // namespace benchctl
