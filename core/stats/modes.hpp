// Series that lie around two values: a clock with two states, memory that two processes got in two ways.
// One median hides them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace benchctl::stats {

struct Modes {
  double low = 0;          ///< median of the lower part
  double high = 0;         ///< median of the upper part
  double high_share = 0;   ///< share of the samples in the upper part, in (0, 1)
  std::size_t visits = 0;  ///< stretches of samples on one side, in the order in which they were taken
};

/// The two modes of a series, or nothing. The cut minimises the sum of distances from the medians of both
/// parts, each of which holds a tenth of the samples. Two modes are shown if the middle third between the
/// medians holds fewer samples than either outer third, by a sign test at 0.1 %: of a density with one hump
/// the middle cannot hold the least. That needs some 20 samples in each part. Medians fewer than six steps
/// of a lattice apart are not looked at.
[[nodiscard]] std::optional<Modes> two_modes(std::span<const double> samples);

}  // namespace benchctl::stats
