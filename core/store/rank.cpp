#include "store/rank.hpp"

#include "stats/race.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace benchctl {

namespace {

bool shown_slower(const Comparison& comparison) { return comparison.verdict == stats::Verdict::slower; }

using Standings = std::map<std::size_t, Standing>;  ///< by place among the rows

std::optional<std::size_t> best_of(const Standings& standings) {
  const auto found = std::ranges::find_if(standings, [](const auto& entry) { return entry.second.best; });
  return found != standings.end() ? std::optional(found->first) : std::nullopt;
}

/// The rows of one platform.
class Field {
 public:
  Field(std::span<const Result* const> rows, std::span<const RowOrigin> origins,
        std::vector<std::size_t> places)
      : rows_(rows), origins_(origins), places_(std::move(places)) {
    for (const std::size_t place : places_) {
      numbers_[{origins_[place].run, rows_[place]->row.ordinal}] = place;
    }
  }

  /// How those rows that `belongs` accepts stand against the fastest of them. `known`: the fastest of more
  /// rows; if it is one of these, it is their fastest, too.
  [[nodiscard]] Standings stand(Against against, std::optional<std::size_t> known,
                                const std::function<bool(std::size_t)>& belongs) const {
    std::vector<std::size_t> rivals;
    std::ranges::copy_if(places_, std::back_inserter(rivals), [&](std::size_t place) {
      return !origins_[place].older && may_win(*rows_[place]) && belongs(place);
    });
    Standings standings;
    if (rivals.empty()) return standings;
    const bool has_known = known && std::ranges::find(rivals, *known) != rivals.end();
    const std::size_t best = has_known ? *known : winner(against, rivals);
    double nearest_slower = std::numeric_limits<double>::infinity();
    for (const std::size_t rival : rivals) {
      Standing& standing = standings[rival];
      standing = {.competes = true, .best = rival == best, .versus_best = 1};
      if (standing.best) continue;
      const Comparison* comparison = against_row(rival, best);
      standing.together = comparison != nullptr && comparison->rounds > 0;
      standing.ties = comparison != nullptr
                          ? !shown_slower(*comparison)
                          : !is_beaten(against, rival) && !slower_between_processes(rival, best);
      standing.versus_best =
          std::max(1.0, comparison != nullptr ? comparison->time_ratio : median(rival) / median(best));
      if (comparison != nullptr && !standing.ties)
        nearest_slower = std::min(nearest_slower, standing.versus_best);
    }
    for (auto& [rival, standing] : standings) {
      if (against_row(rival, best) == nullptr && standing.versus_best > nearest_slower)
        standing.ties = false;
    }
    return standings;
  }

 private:
  [[nodiscard]] double median(std::size_t place) const { return median_of(*rows_[place]); }
  /// The row that a comparison is with, if it is here and its time stands.
  [[nodiscard]] std::optional<std::size_t> reference(std::size_t place,
                                                     const Comparison& comparison) const {
    const auto found = numbers_.find({origins_[place].run, comparison.reference});
    const bool stands = found != numbers_.end() && may_win(*rows_[found->second]);
    return stands ? std::optional(found->second) : std::nullopt;
  }

  /// The comparison of two rows, of whatever kind, if their run has stored one.
  [[nodiscard]] const Comparison* against_row(std::size_t place, std::size_t other) const {
    for (const Comparison& comparison : rows_[place]->comparisons) {
      if (comparison.against != Against::baseline && reference(place, comparison) == other) {
        return &comparison;
      }
    }
    return nullptr;
  }

  /// Is it shown slower than the fastest that its run has named?
  [[nodiscard]] bool is_beaten(Against against, std::size_t place) const {
    const Comparison* comparison = rows_[place]->compared(against);
    return comparison != nullptr && shown_slower(*comparison) && reference(place, *comparison);
  }

  /// Each run has named its fastest. Among those of several runs, and rows that their run has not compared,
  /// the smallest median stands in front.
  [[nodiscard]] std::size_t winner(Against against, const std::vector<std::size_t>& rivals) const {
    std::map<std::size_t, std::size_t> named;  // by run
    for (const std::size_t rival : rivals) {
      const Comparison* comparison = rows_[rival]->compared(against);
      if (comparison != nullptr && reference(rival, *comparison) == rival)
        named[origins_[rival].run] = rival;
    }
    const auto stands_behind = [&](std::size_t rival) {
      const auto own = named.find(origins_[rival].run);
      const bool compared = rows_[rival]->compared(against) != nullptr;
      return is_beaten(against, rival) || (compared && own != named.end() && own->second != rival);
    };
    return *std::ranges::min_element(
        rivals, {}, [&](std::size_t rival) { return std::pair(stands_behind(rival), median(rival)); });
  }

  /// Is a row slower that was not measured in turns with the best?
  [[nodiscard]] bool slower_between_processes(std::size_t place, std::size_t best) const {
    const auto known_of = [&](std::size_t row) {
      const Measurement& m = *rows_[row]->measurement;
      return stats::ProcessMedian{m.median_ns, m.processes, {m.ci_low_ns, m.ci_high_ns}};
    };
    return stats::slower_between_processes(known_of(place), known_of(best));
  }

  std::span<const Result* const> rows_;
  std::span<const RowOrigin> origins_;
  std::vector<std::size_t> places_;
  std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> numbers_;  ///< by run and ordinal
};

/// 1 for the best and what ties, then by ratio.
void number_places(std::vector<Rank>& ranks, const std::vector<std::size_t>& places) {
  std::size_t in_front = 0;
  std::vector<double> behind;
  for (const std::size_t place : places) {
    const Rank& own = ranks[place];
    if (own.best || own.ties) {
      ++in_front;
    } else if (own.competes) {
      behind.push_back(own.versus_best);
    }
  }
  std::ranges::sort(behind);
  for (const std::size_t place : places) {
    Rank& own = ranks[place];
    if (!own.competes) continue;
    const auto faster = std::ranges::lower_bound(behind, own.versus_best) - behind.begin();
    own.place = own.best || own.ties ? 1 : 1 + in_front + static_cast<std::size_t>(faster);
  }
}

}  // namespace

std::vector<Rank> rank(std::span<const Result* const> rows, std::span<const RowOrigin> origins) {
  std::vector<Rank> ranks(rows.size());
  std::map<std::size_t, std::vector<std::size_t>> platforms;
  for (std::size_t i = 0; i < rows.size(); ++i) platforms[origins[i].platform].push_back(i);
  for (const auto& [platform, places] : platforms) {
    const Field field(rows, origins, places);
    const auto is_own = [&](std::size_t place) { return !rows[place]->row.vendor; };
    const Standings all = field.stand(Against::best, std::nullopt, [](std::size_t) { return true; });
    const Standings own = field.stand(Against::own, best_of(all), is_own);
    const Standings asked = field.stand(Against::question, best_of(own),
                                        [&](std::size_t place) { return origins[place].asked; });
    for (const auto& [place, standing] : all) static_cast<Standing&>(ranks[place]) = standing;
    for (const auto& [place, standing] : own) ranks[place].own = standing;
    for (const auto& [place, standing] : asked) ranks[place].asked = standing;
    number_places(ranks, places);
    // A row that may not win is told how it compares with the fastest all the same.
    const std::optional<std::size_t> best = best_of(all);
    for (const std::size_t place : places) {
      if (best && !ranks[place].competes && !origins[place].older && rows[place]->timed())
        ranks[place].versus_best = std::max(1.0, median_of(*rows[place]) / median_of(*rows[*best]));
    }
  }
  return ranks;
}

std::vector<Rank> rank(std::span<const Result* const> rows) {
  std::map<std::string, std::size_t, std::less<>> numbers;
  std::vector<RowOrigin> origins;
  for (const Result* row : rows) {
    origins.push_back({numbers.try_emplace(row->point().device, numbers.size()).first->second});
  }
  return rank(rows, origins);
}

}  // namespace benchctl
