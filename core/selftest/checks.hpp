// The table of the self-test's checks, and how they count comparisons.
#pragma once

#include "selftest/bench.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace benchctl::selftest {

/// Kernels of known duration come out with that duration.
[[nodiscard]] std::vector<CaseResult> check_durations(Bench& bench, const Lane& lane);
/// Held launches keep the host's part of a launch out of device times.
[[nodiscard]] std::vector<CaseResult> check_gate(Bench& bench, const Lane& lane);
/// A hot working set comes out of a cache, a cold one does not.
[[nodiscard]] std::vector<CaseResult> check_caches(Bench& bench, const Lane& lane);
/// APIs of one card read its caches at rates within 10 % of each other: from the results of check_caches
/// on all lanes, one for each API but the fastest of a card.
[[nodiscard]] std::vector<CaseResult> compare_caches(std::span<const Lane> lanes,
                                                     std::span<const CaseResult> results);
/// One variant under two names is called different no more often than stated.
[[nodiscard]] std::vector<CaseResult> check_twins(Bench& bench, const Lane& lane);
/// A variant that takes 2 % longer is found.
[[nodiscard]] std::vector<CaseResult> check_slowdown(Bench& bench, const Lane& lane);

// What the comparisons of a run said, counted.

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

struct Check {
  std::string_view id;
  std::string_view doc;  ///< one sentence for help and documents
  std::vector<CaseResult> (*on_lane)(Bench& bench, const Lane& lane) = nullptr;
  /// Compares what was found on all lanes.
  std::vector<CaseResult> (*across)(std::span<const Lane> lanes,
                                    std::span<const CaseResult> results) = nullptr;
};

[[nodiscard]] std::span<const Check> all_checks();

/// Carries out one check on every lane that the bench has. Throws Interrupted,
/// MachineBusy, StoreError.
[[nodiscard]] std::vector<CaseResult> run_check(const Check& check, Bench& bench);

}  // namespace benchctl::selftest
