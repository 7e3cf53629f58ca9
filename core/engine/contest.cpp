#include "engine/contest.hpp"

#include "stats/ratio.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

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
        const stats::Verdict verdict = stats::judge(race.ratios[k], threshold);
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

}  // namespace benchctl
