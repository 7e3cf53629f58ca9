// The end of a search: the best points once more, in turns, and what is left to say of their order.
#pragma once

#include "model/tuning.hpp"
#include "store/result.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace benchctl {

/// What points that a search has measured cost (cost_of of store/result.hpp), each with the caller's index:
/// the best first.
using Costs = std::vector<std::pair<double, std::size_t>>;

/// Which of the points that a search has measured get another look.
struct FinalsRule {
  double margin = 0.05;   ///< those that cost up to this share more than the best …
  std::size_t least = 2;  ///< … so many in any case; none where fewer were measured
  std::size_t most = 6;
};
/// The rule of a search for configurations: problems nearby may want one that is slower here.
inline constexpr FinalsRule tuning_finals{0.5, 1, most_configurations};

/// Those worth another look, the best first.
[[nodiscard]] std::vector<std::size_t> choose_finalists(const Costs& costs, const FinalsRule& rule);

/// Finalists get so many times the time of other points: ratios need more samples than a first look.
inline constexpr double finals_time_factor = 4;

/// What a search found, as text of several lines. `finals` are the finalists' results, the baseline first;
/// empty when there was nothing to compare: then `best` is all that is known.
struct SearchSummary {
  std::string label;
  std::string strategy;
  std::uint64_t seed = 0;
  std::uint64_t tried = 0;
  double space = 0;        ///< points in all
  std::string best;        ///< label of the best point by its first figure alone; empty: none has a figure
  double best_figure = 0;  ///< the objective's
  std::vector<Result> finals;
  std::string tuned = {};   ///< SearchSettings::tuned
  std::string before = {};  ///< then: label of the finalist with the defaults; empty: none was measured
  const MetricInfo* objective = find_metric("median_ns");  ///< what was made best
};
/// Is the time the objective? Then the comparisons of the run rank the finalists, else their figures do.
[[nodiscard]] inline bool is_for_time(const SearchSummary& summary) {
  return summary.objective->id == "median_ns";
}
/// A finalist that has a figure of the objective and may win.
struct Rival {
  const Result* result = nullptr;
  double ratio = 1;   ///< its time over that of the best (store/rank.hpp); with another objective its cost
  bool ties = false;  ///< its time is not shown longer than that of the fastest
};
/// The best first. The summary must outlive them.
[[nodiscard]] std::vector<Rival> rivals_of(const SearchSummary& summary);
[[nodiscard]] std::string to_text(const SearchSummary& summary);

}  // namespace benchctl
