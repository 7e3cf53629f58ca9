// Points compared with each other round by round: what the config asks for, and what came out.
#pragma once

#include <benchctl/sampling.hpp>
#include <benchctl/types.hpp>

#include "stats/ratio.hpp"

#include <cstdint>
#include <string>

namespace benchctl {

/// `[compare]` of a config.
struct CompareSettings {
  /// What the point must be that the others of its problem are compared with in paired mode
  /// (`matches` of core/model/point.hpp). Empty: a vendor's variant on the same device or, without one, the
  /// first point of the device.
  Parameters baseline;
  /// Differences of up to this share of a time do not matter: 0.01 is 1 %.
  double threshold = 0.01;

  bool operator==(const CompareSettings&) const = default;
};

/// What a point is compared with.
enum class Against : std::uint8_t {
  best,      ///< the fastest of its device
  own,       ///< the fastest of its device that is not a vendor library
  question,  ///< the fastest of its device among the points that the experiment asks about
  baseline,  ///< the point that the config names (`mode = "paired"`)
};

BENCHCTL_WORDS(Against, best, own, question, baseline)
BENCHCTL_WORDS(stats::Verdict, faster, slower, same, not_resolved)

/// One point against another, from the rounds in which both were sampled. The fastest point has a
/// comparison with itself: that marks it.
struct Comparison {
  Against against = Against::best;
  std::uint64_t other = 0;   ///< ordinal of the point that it is compared with
  std::string label;         ///< and its label
  std::uint64_t rounds = 0;  ///< with a value of both; 0: not measured together
  double time_ratio = 1;     ///< the point's time over the other's: median over the rounds
  double ci_low = 1;         ///< interval of that ratio; NaN where none is known
  double ci_high = 1;
  std::uint64_t comparisons = 1;  ///< made in the table; the interval holds for all of them together
  double threshold = 0;           ///< CompareSettings::threshold
  stats::Verdict verdict = stats::Verdict::not_resolved;

  bool operator==(const Comparison&) const = default;
};

}  // namespace benchctl
