// What the comparisons of a run said, counted.
#pragma once

#include "store/result.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace benchctl::selftest {

struct PairCounts {
  std::size_t all = 0;
  std::size_t different = 0;     ///< the 95 % interval of the ratio does not hold 1
  std::size_t with_verdict = 0;  ///< verdict `faster` or `slower`: beyond the practical threshold, too
  std::size_t slower = 0;        ///< verdict `slower`
  double least_ratio = 0;
  double largest_ratio = 0;
  double usual_width = 0;  ///< median width of the ratios' intervals
};

/// Every comparison of a point with its baseline that has an interval: under six rounds nothing is said.
[[nodiscard]] PairCounts count_pairs(const std::vector<Result>& points);

/// How probable it is that at least `hits` of `trials` happen by chance, each with that probability.
[[nodiscard]] double at_least_so_many(std::size_t hits, std::size_t trials, double probability);
/// Below it chance does not explain the difference.
inline constexpr double rare = 0.01;

/// `3 of 200 (1.5 %)`.
[[nodiscard]] std::string share_text(std::size_t hits, std::size_t trials);

}  // namespace benchctl::selftest
