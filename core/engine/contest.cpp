#include "engine/contest.hpp"

#include "model/point.hpp"
#include "stats/ratio.hpp"
#include "stats/summary.hpp"
#include "store/result.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <optional>
#include <set>

namespace benchctl {

std::vector<Prospect> prospects(std::span<const Contestant> contestants, double threshold) {
  std::vector<Prospect> found(contestants.size(), Prospect::settled);
  std::map<std::size_t, std::vector<std::size_t>> tables;
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    if (!contestants[i].rounds.empty()) tables[contestants[i].table].push_back(i);
  }
  for (const auto& [number, table] : tables) {
    std::vector<const stats::RoundValues*> rounds;
    for (const std::size_t i : table) rounds.push_back(&contestants[i].rounds);
    const stats::Scatter scatter = stats::pooled_scatter(rounds);
    // Points of the narrowest circle that a point belongs to are its rivals.
    const auto circle = [&](std::size_t i) {
      return contestants[i].vendor ? 0 : contestants[i].asked ? 2 : 1;
    };
    std::optional<std::size_t> overall;
    std::map<std::size_t, std::size_t> common;  // rounds that each has with it
    // By how much a library is faster than the best of the others is told of three common rounds.
    const auto meet = [&](std::size_t i) {
      const bool open = overall && contestants[i].open && contestants[*overall].open;
      if (open && i != *overall && common[i] < contestants[i].fewest_rounds)
        found[i] = found[*overall] = Prospect::contested;
    };
    for (const int narrowest : {0, 1, 2}) {
      std::vector<std::size_t> rivals;
      std::ranges::copy_if(table, std::back_inserter(rivals),
                           [&](std::size_t i) { return circle(i) >= narrowest; });
      if (narrowest == 1 && rivals.size() == 1) meet(rivals.front());
      if (rivals.size() < 2) continue;
      std::vector<const stats::RoundValues*> own;
      for (const std::size_t i : rivals) own.push_back(&contestants[i].rounds);
      const stats::Race race = stats::race(own, scatter, stats::confidence_of_leaving);
      const std::size_t best = rivals[race.best];
      if (narrowest == 0) {
        overall = best;
        for (std::size_t k = 0; k < rivals.size(); ++k) common[rivals[k]] = race.ratios[k].n;
      }
      if (narrowest == 1) meet(best);
      for (std::size_t k = 0; k < rivals.size(); ++k) {
        const std::size_t i = rivals[k];
        if (i == best || circle(i) != narrowest) continue;
        const stats::Verdict verdict = stats::verdict_of(race.ratios[k], threshold);
        const bool few = race.ratios[k].n < contestants[i].fewest_rounds;
        if (verdict == stats::Verdict::same) continue;
        if (verdict == stats::Verdict::slower && contestants[i].may_leave && !few) {
          found[i] = Prospect::slower;
          continue;
        }
        // More rounds of one alone tell nothing.
        if (contestants[i].open && contestants[best].open) found[i] = found[best] = Prospect::contested;
      }
    }
  }
  return found;
}

std::int64_t next_look(std::int64_t rounds) {
  for (const std::int64_t look : {3, 4, 6, 9, 14}) {
    if (look > rounds) return look;
  }
  return rounds + (rounds + 1) / 2;
}

namespace {

/// A point that may win, with its rounds.
struct Racer {
  Result& result;
  stats::RoundValues rounds = {};
  std::vector<Comparison> comparisons = {};
};

stats::RoundValues rounds_of(const std::vector<SampleRow>& samples) {
  stats::RoundValues rounds;
  for (const SampleRow& row : samples) {
    if (row.used) rounds[stats::round_key(row.replicate, row.round)] = stats::median(row.block.ns);
  }
  return rounds;
}

/// Compares racers with the fastest of them. `known`: the fastest of more, if it is one of these.
const Racer* race_among(const std::vector<Racer*>& racers, Against against, const Racer* known,
                        const stats::Scatter& scatter, double threshold) {
  if (racers.empty()) return nullptr;
  std::vector<const stats::RoundValues*> rounds;
  for (const Racer* racer : racers) rounds.push_back(&racer->rounds);
  const auto place = std::ranges::find(racers, known);
  const std::size_t first = static_cast<std::size_t>(place - racers.begin());
  const stats::Race race =
      place != racers.end() ? stats::race_against(rounds, first, scatter) : stats::race(rounds, scatter);
  const Racer& best = *racers[race.best];
  for (std::size_t i = 0; i < racers.size(); ++i) {
    const stats::RatioEstimate& ratio = race.ratios[i];
    stats::Verdict verdict = stats::verdict_of(ratio, threshold);
    // Who left the rounds was shown slower, at a confidence above that of this race: it stays out.
    const auto& measurement = racers[i]->result.measurement;
    const bool left = measurement && measurement->stop == StopReason::slower;
    if (left && ratio.ratio > 1 + threshold) verdict = stats::Verdict::slower;
    racers[i]->comparisons.push_back({.against = against,
                                      .other = best.result.row.ordinal,
                                      .label = best.result.row.point.label(),
                                      .rounds = ratio.n,
                                      .time_ratio = ratio.ratio,
                                      .ci_low = ratio.interval.low,
                                      .ci_high = ratio.interval.high,
                                      .comparisons = race.comparisons,
                                      .threshold = threshold,
                                      .verdict = verdict});
  }
  return &best;
}

}  // namespace

bool RunComparisons::is_vendor(const Point& point) const {
  const VariantInfo* variant = catalogue_.variant_of(point);
  return variant != nullptr && variant->vendor;
}

void RunComparisons::number_points() {
  for (; numbered_ < points_.size(); ++numbered_) {
    tables_[table_of(points_[numbered_].point)].push_back(numbered_);
  }
}

const std::string& RunComparisons::axis(const std::string& workload) {
  Axis& axis = axes_[workload];
  if (axis.points == points_.size()) return axis.name;
  std::vector<AskedPoint> own;
  for (const RunPoint& entry : points_) {
    const Point& point = entry.point;
    const bool ruled_out = info(point.status).status_class == StatusClass::ruled_out;
    if (point.workload == workload && !ruled_out) own.push_back({&point, is_vendor(point)});
  }
  axis = {question_axis(own, question_), points_.size()};
  return axis.name;
}

void RunComparisons::update(std::span<const std::size_t> points,
                            const std::map<PointId, Comparison>& baselines) {
  number_points();
  std::set<const std::vector<std::size_t>*> touched;
  for (const std::size_t index : points) touched.insert(&tables_.at(table_of(points_[index].point)));
  for (const std::vector<std::size_t>* table : touched) compare(*table, baselines);
}

void RunComparisons::compare(const std::vector<std::size_t>& table,
                             const std::map<PointId, Comparison>& baselines) {
  std::list<Racer> racers;
  for (const std::size_t index : table) {
    RunPoint& entry = points_[index];
    if (!entry.finished || !entry.result_in(store_).timed()) continue;
    Racer& racer = racers.emplace_back(Racer{entry.result_in(store_)});
    if (const auto own = baselines.find(entry.id); own != baselines.end()) {
      racer.comparisons.push_back(own->second);
    } else if (const Comparison* earlier = racer.result.compared(Against::baseline)) {
      racer.comparisons.push_back(*earlier);
    }
    if (may_win(racer.result) && !racer.result.row.reused_from)
      racer.rounds = rounds_of(entry.samples_in(store_));
  }
  std::vector<Racer*> all;
  std::vector<Racer*> own;
  std::vector<Racer*> asked;
  std::vector<const stats::RoundValues*> rounds;
  for (Racer& racer : racers) {
    if (racer.rounds.empty()) continue;
    const Point& point = racer.result.row.point;
    const bool vendor = racer.result.row.vendor;
    rounds.push_back(&racer.rounds);
    all.push_back(&racer);
    if (!vendor) own.push_back(&racer);
    if (is_asked({&point, vendor}, axis(point.workload))) asked.push_back(&racer);
  }
  const stats::Scatter scatter = stats::pooled_scatter(rounds);
  const Racer* best = race_among(all, Against::best, nullptr, scatter, threshold_);
  best = race_among(own, Against::own, best, scatter, threshold_);
  race_among(asked, Against::question, best, scatter, threshold_);
  std::map<PointId, std::vector<Comparison>> found;
  for (const Racer& racer : racers) found[racer.result.row.id] = racer.comparisons;
  store_.set_comparisons(found);
  for (Racer& racer : racers) racer.result.comparisons = std::move(racer.comparisons);
}

}  // namespace benchctl
