// Who is fastest among competitors that take turns: in each round everyone is timed once, in an order drawn
// anew. What a round has in common (clock, temperature, other load) cancels in ratios within it.
//
// For equal competitors the sign of a round's log ratio is a fair coin, because the order is drawn. So an
// interval from order statistics of these ratios needs no assumption about the noise, and dependence
// between rounds cannot make it false (a randomisation test: Fisher, "The Design of Experiments", 1935,
// section 21).
#pragma once

#include "stats/ratio.hpp"

#include <map>
#include <vector>

namespace benchctl::stats {

/// Values of one competitor by round, all above 0. The upper half of a key numbers the process, the lower
/// half the round in it. Equal keys are one round: the same process, and an order that was drawn.
using RoundValues = std::map<std::uint64_t, double>;

[[nodiscard]] constexpr std::uint64_t round_key(std::uint32_t process, std::uint32_t round) {
  return std::uint64_t{process} << 32 | round;
}

/// How much log values of one competitor in one process scatter: their pooled standard deviation, and the
/// degrees of freedom that it is known with.
struct Scatter {
  double deviation = 0;
  double freedom = 0;
  /// The same of medians of processes, apart from what a process does to all competitors. No freedom: of
  /// one process or one competitor.
  double between = 0;
  double between_freedom = 0;
};

/// Scatter of all these together; within a process with a prior of 0.3 at 3 degrees of freedom: what a
/// shared machine shows before anything is known of it (`tools/answers` measures how often answers that
/// rest on it are wrong).
[[nodiscard]] Scatter pooled_scatter(std::span<const RoundValues* const> rows);

/// Time of one over that of another, from the rounds that both have: the median of their log ratios.
///  - Several processes: each is one value, and the interval is Student's over them, with the larger of
///    `between` · √2 and the ratios' own SD.
///  - One process: order statistics of the log ratios, where the rounds suffice for the confidence.
///  - Fewer rounds: Student's t with the larger of deviation · √2 and the ratios' own SD, for the error of
///    a median. No narrower than the range of the ratios: all rounds must agree.
///  - No common round: Student's t of the medians, with the deviation.
/// `n` counts the common rounds. std::invalid_argument where one of the two has no value.
[[nodiscard]] RatioEstimate ratio_by_rounds(const RoundValues& numerator, const RoundValues& denominator,
                                            const Scatter& scatter, double confidence);

/// A verdict is right with this confidence for all comparisons of a table together (see `race`).
inline constexpr double confidence_of_race = 0.975;
/// The same where one looks again and again and whoever is shown slower leaves. docs/statistics.md,
/// "Who is fastest", has the error rates of both.
inline constexpr double confidence_of_leaving = 0.995;

struct Race {
  std::size_t best = 0;
  /// Time of each over that of the best; 1 for the best itself.
  std::vector<RatioEstimate> ratios;
  std::size_t comparisons = 1;  ///< for which the verdicts hold together
};

/// The one with the smallest median, then whoever beats it by rounds takes its place. The verdicts hold
/// together: the best is chosen by the values that the others are compared with, so all pairs of rows count
/// (`bonferroni_confidence`); once some are shown slower, only pairs of the others do, as in Holm's
/// procedure ("A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics
/// 6, 1979). `rows` is not empty, and each has a value.
[[nodiscard]] Race race(std::span<const RoundValues* const> rows, const Scatter& scatter,
                        double confidence = confidence_of_race);
/// The same where it is known who is the best.
[[nodiscard]] Race race_against(std::span<const RoundValues* const> rows, std::size_t best,
                                const Scatter& scatter, double confidence = confidence_of_race);

/// What is known of a time that was not measured in turns with another.
struct ProcessMedian {
  double median = 0;
  std::uint32_t processes = 1;
  Interval interval;  ///< from three processes on: Student's over their medians, at 95 %
};

/// Is the first shown slower? With three processes or more each by their intervals, else with the prior's
/// scatter between processes, at `confidence_of_race`: a shared machine gives two processes times that
/// differ by a factor of two (docs/statistics.md).
[[nodiscard]] bool slower_between_processes(const ProcessMedian& one, const ProcessMedian& best);

}  // namespace benchctl::stats
