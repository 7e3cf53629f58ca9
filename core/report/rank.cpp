#include "report/rank.hpp"

#include "stats/race.hpp"
#include "stats/verdict.hpp"
#include "store/may_win.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>

namespace benchctl {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

bool shown_slower(const Comparison& comparison) {
  return comparison.verdict == stats::info(stats::Verdict::slower).id;
}

/// The rows of one platform.
class Field {
 public:
  Field(std::span<const ResultRow* const> rows, std::span<const RowOrigin> origins,
        std::vector<std::size_t> places)
      : rows_(rows), origins_(origins), places_(std::move(places)) {}

  struct Placed {
    bool best = false;
    bool ties = false;
    bool together = true;
    double ratio = unknown;  ///< to the best, at least 1
  };

  /// How those rows that `belongs` accepts stand against the fastest of them, by comparisons of that kind.
  /// By place among the rows. `known`: the fastest of more rows; if it is one of these, it is their fastest.
  [[nodiscard]] std::map<std::size_t, Placed> place(Against against, std::optional<std::size_t> known,
                                                    const std::function<bool(const ResultRow&)>& belongs) const {
    std::vector<std::size_t> rivals;
    std::ranges::copy_if(places_, std::back_inserter(rivals),
                         [&](std::size_t place) { return belongs(*rows_[place]); });
    std::map<std::size_t, Placed> placed;
    const bool has_known = known && std::ranges::find(rivals, *known) != rivals.end();
    const std::optional<std::size_t> best = has_known ? known : winner(against, rivals);
    for (const std::size_t rival : rivals) {
      Placed& one = placed[rival];
      one.best = rival == *best;
      one.ratio = 1;
      if (one.best) continue;
      const Comparison* comparison = together(against, rival, *best);
      const double ratio = comparison != nullptr ? comparison->time_ratio : medians(rival, *best);
      one.together = comparison != nullptr && comparison->rounds > 0;
      one.ties = comparison != nullptr ? !shown_slower(*comparison) : !slower_apart(rival, *best, rivals.size());
      one.ratio = std::max(1.0, ratio);
    }
    return placed;
  }

 private:
  [[nodiscard]] double median(std::size_t place) const { return median_of(*rows_[place]); }
  [[nodiscard]] double medians(std::size_t place, std::size_t best) const { return median(place) / median(best); }

  /// The comparison of the row with that one, if its run has stored it.
  [[nodiscard]] const Comparison* together(Against against, std::size_t place, std::size_t best) const {
    const StoredPoint& stored = rows_[place]->stored;
    const Comparison* comparison = stored.compared(against);
    const bool same_run = origins_[place].run == origins_[best].run;
    const bool is_it = comparison != nullptr && comparison->reference == rows_[best]->stored.row.ordinal;
    return same_run && is_it ? comparison : nullptr;
  }

  /// Each run has named its fastest. Among those of several runs, and where a run has named none, the smallest
  /// median stands in front.
  [[nodiscard]] std::optional<std::size_t> winner(Against against,
                                                  const std::vector<std::size_t>& rivals) const {
    std::map<std::size_t, std::size_t> named;  // by run
    for (const std::size_t rival : rivals) {
      if (together(against, rival, rival) != nullptr) named[origins_[rival].run] = rival;
    }
    std::optional<std::size_t> best;
    for (const std::size_t rival : rivals) {
      const auto own = named.find(origins_[rival].run);
      const bool reused = rows_[rival]->stored.row.reused_from.has_value();
      if (own != named.end() && own->second != rival && !reused) continue;
      if (!best || median(rival) < median(*best)) best = rival;
    }
    return best;
  }

  /// Is a row slower that was not measured in turns with the best?
  [[nodiscard]] bool slower_apart(std::size_t place, std::size_t best, std::size_t rivals) const {
    return stats::slower_between_processes(spread_of(place), spread_of(best), rivals);
  }
  [[nodiscard]] stats::ProcessMedian spread_of(std::size_t place) const {
    const Measurement& m = *rows_[place]->stored.measurement;
    return {m.median_ns, m.processes, {m.ci_low_ns, m.ci_high_ns}};
  }

  std::span<const ResultRow* const> rows_;
  std::span<const RowOrigin> origins_;
  std::vector<std::size_t> places_;
};

std::optional<std::size_t> best_of(const std::map<std::size_t, Field::Placed>& placed) {
  for (const auto& [place, one] : placed) {
    if (one.best) return place;
  }
  return std::nullopt;
}

/// 1 for the best and what ties, then by ratio.
void number_places(std::vector<Rank>& ranks, const std::vector<std::size_t>& places) {
  for (const std::size_t place : places) {
    Rank& own = ranks[place];
    if (!own.competes) continue;
    if (own.best || own.ties) {
      own.place = 1;
      continue;
    }
    own.place = 1 + static_cast<std::size_t>(std::ranges::count_if(places, [&](std::size_t other) {
                  const Rank& rank = ranks[other];
                  return rank.competes && (rank.best || rank.ties || rank.versus_best < own.versus_best);
                }));
  }
}

}  // namespace

std::vector<Rank> rank(std::span<const ResultRow* const> rows, std::span<const RowOrigin> origins) {
  std::vector<Rank> ranks(rows.size(), Rank{.versus_best = unknown, .versus_asked = unknown});
  std::map<std::size_t, std::vector<std::size_t>> platforms;
  for (std::size_t i = 0; i < rows.size(); ++i) platforms[origins[i].platform].push_back(i);
  for (const auto& [platform, places] : platforms) {
    const Field field(rows, origins, places);
    const auto all =
        field.place(Against::best, std::nullopt, [](const ResultRow& row) { return may_win(row.stored); });
    const auto own = field.place(Against::own, best_of(all), [](const ResultRow& row) {
      return may_win(row.stored) && !row.stored.row.vendor;
    });
    const auto asked = field.place(Against::question, best_of(own), [](const ResultRow& row) {
      return may_win(row.stored) && row.stored.compared(Against::question) != nullptr;
    });
    for (const auto& [place, placed] : all) {
      ranks[place].competes = true;
      ranks[place].best = placed.best;
      ranks[place].ties = placed.ties;
      ranks[place].together = placed.together;
      ranks[place].versus_best = placed.ratio;
    }
    for (const auto& [place, placed] : own) {
      ranks[place].own_best = placed.best;
      ranks[place].own_ties = placed.ties;
    }
    for (const auto& [place, placed] : asked) {
      ranks[place].asked = true;
      ranks[place].asked_best = placed.best;
      ranks[place].asked_ties = placed.ties;
      ranks[place].versus_asked = placed.ratio;
    }
    number_places(ranks, places);
    // A row that may not win is told how it compares with the fastest all the same.
    const auto best = std::ranges::find_if(places, [&](std::size_t place) { return ranks[place].best; });
    if (best == places.end()) continue;
    for (const std::size_t place : places) {
      if (!ranks[place].competes && rows[place]->timed())
        ranks[place].versus_best = std::max(1.0, median_of(*rows[place]) / median_of(*rows[*best]));
    }
  }
  return ranks;
}

std::vector<Rank> rank(std::span<const ResultRow* const> rows) {
  std::map<std::string, std::size_t, std::less<>> numbers;
  std::vector<RowOrigin> origins;
  for (const ResultRow* row : rows) {
    origins.push_back({numbers.try_emplace(row->point().device, numbers.size()).first->second, 0});
  }
  return rank(rows, origins);
}

}  // namespace benchctl
