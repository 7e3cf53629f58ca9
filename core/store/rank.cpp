#include "store/rank.hpp"

#include "stats/race.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace benchctl {

namespace {

bool shown_slower(const Comparison& comparison) { return comparison.verdict == stats::Verdict::slower; }

using Places = std::vector<std::size_t>;  ///< among the rows

/// The rows of one platform.
class Field {
 public:
  Field(std::span<const Result* const> rows, std::span<const RowOrigin> origins, const Places& places)
      : rows_(rows), origins_(origins) {
    for (const std::size_t place : places) {
      numbers_[{origins_[place].run, rows_[place]->row.ordinal}] = place;
    }
  }

  /// Says of rows that may win how they stand against the fastest of them, and which that is. `known`: the
  /// fastest of more rows; if it is one of these, it is their fastest, too.
  template <class StandingOf>
  std::optional<std::size_t> stand(Against against, const Places& rivals, std::optional<std::size_t> known,
                                   StandingOf standing_of) const {
    if (rivals.empty()) return std::nullopt;
    const bool has_known = known && std::ranges::find(rivals, *known) != rivals.end();
    const std::size_t best = has_known ? *known : winner(against, rivals);
    double nearest_slower = std::numeric_limits<double>::infinity();
    for (const std::size_t rival : rivals) {
      Standing& standing = standing_of(rival);
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
    for (const std::size_t rival : rivals) {
      Standing& standing = standing_of(rival);
      standing_of(best).by_rounds |= median(rival) < median(best);
      if (against_row(rival, best) == nullptr && standing.versus_best > nearest_slower)
        standing.ties = false;
    }
    return best;
  }

 private:
  [[nodiscard]] double median(std::size_t place) const { return median_of(*rows_[place]); }
  /// The row that a comparison is with, if it is here and its time stands.
  [[nodiscard]] std::optional<std::size_t> other_of(std::size_t place, const Comparison& comparison) const {
    const auto found = numbers_.find({origins_[place].run, comparison.other});
    const bool stands = found != numbers_.end() && may_win(*rows_[found->second]);
    return stands ? std::optional(found->second) : std::nullopt;
  }

  /// The comparison of two rows, of whatever kind, if their run has stored one.
  [[nodiscard]] const Comparison* against_row(std::size_t place, std::size_t other) const {
    for (const Comparison& comparison : rows_[place]->comparisons) {
      if (comparison.against != Against::baseline && other_of(place, comparison) == other) {
        return &comparison;
      }
    }
    return nullptr;
  }

  /// Is it shown slower than the fastest that its run has named?
  [[nodiscard]] bool is_beaten(Against against, std::size_t place) const {
    const Comparison* comparison = rows_[place]->compared(against);
    return comparison != nullptr && shown_slower(*comparison) && other_of(place, *comparison);
  }

  /// Each run has named its fastest. Among those of several runs, and rows that their run has not compared,
  /// the smallest median stands in front.
  [[nodiscard]] std::size_t winner(Against against, const Places& rivals) const {
    std::map<std::size_t, std::size_t> named;  // by run
    for (const std::size_t rival : rivals) {
      const Comparison* comparison = rows_[rival]->compared(against);
      if (comparison != nullptr && other_of(rival, *comparison) == rival)
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
  std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> numbers_;  ///< by run and ordinal
};

/// Numbers rows that compete. `best_ns`: the median of the fastest.
void number_places(std::vector<Rank>& ranks, Places places, double best_ns) {
  const auto in_front = [](const Rank& own) { return own.best || own.ties; };
  std::ranges::sort(places, {}, [&](std::size_t place) {
    const Rank& own = ranks[place];
    return std::tuple(!in_front(own), own.versus_best);
  });
  Rank before;
  for (std::size_t k = 0; k < places.size(); ++k) {
    Rank& own = ranks[places[k]];
    const bool level = !in_front(before) && own.versus_best == before.versus_best;
    own.place = in_front(own) ? 1 : level ? before.place : k + 1;
    own.order_ns = std::max(best_ns * own.versus_best, k > 0 ? before.order_ns : 0);
    before = own;
  }
}

}  // namespace

std::vector<Rank> rank(std::span<const Result* const> rows, std::span<const RowOrigin> origins) {
  std::vector<Rank> ranks(rows.size());
  double fastest_ns = no_number;  // of all platforms
  std::map<std::size_t, Places> platforms;
  for (std::size_t i = 0; i < rows.size(); ++i) platforms[origins[i].platform].push_back(i);
  for (const auto& [platform, places] : platforms) {
    const Field field(rows, origins, places);
    Places all;
    Places own;
    Places asked;
    for (const std::size_t place : places) {
      if (origins[place].older || !may_win(*rows[place])) continue;
      all.push_back(place);
      if (!rows[place]->row.vendor) own.push_back(place);
      if (origins[place].asked) asked.push_back(place);
    }
    const auto best = field.stand(Against::best, all, std::nullopt,
                                  [&](std::size_t place) -> Standing& { return ranks[place]; });
    const auto best_own = field.stand(Against::own, own, best,
                                      [&](std::size_t place) -> Standing& { return ranks[place].own; });
    field.stand(Against::question, asked, best_own,
                [&](std::size_t place) -> Standing& { return ranks[place].asked; });
    const double best_ns = best ? median_of(*rows[*best]) : no_number;
    number_places(ranks, all, best_ns);
    for (const std::size_t place : places) {
      Rank& own = ranks[place];
      if (!own.competes && rows[place]->timed()) {
        own.order_ns = median_of(*rows[place]);
        // A row that may not win is told how it compares with the fastest all the same.
        if (best && !origins[place].older) own.versus_best = own.order_ns / best_ns;
      }
      own.versus_devices = own.versus_best * best_ns;
    }
    fastest_ns = std::fmin(fastest_ns, best_ns);
  }
  for (Rank& own : ranks)
    own.versus_devices = platforms.size() < 2 ? no_number : own.versus_devices / fastest_ns;
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
