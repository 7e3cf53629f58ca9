#include "stats/modes.hpp"

#include "stats/summary.hpp"

#include <boost/math/special_functions/beta.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace benchctl::stats {

namespace {

constexpr double modes_level = 0.001;
constexpr double least_lattice_steps = 6;

/// Sorted values whose parts have known sums.
class Parts {
 public:
  explicit Parts(std::vector<double> sorted) : sorted_(std::move(sorted)), sums_(sorted_.size() + 1) {
    std::partial_sum(sorted_.begin(), sorted_.end(), sums_.begin() + 1);
  }

  [[nodiscard]] const std::vector<double>& sorted() const { return sorted_; }

  /// Sum of distances from the median of [first, last).
  [[nodiscard]] double distances(std::size_t first, std::size_t last) const {
    const std::size_t middle = (first + last) / 2;
    const double center = sorted_[middle];
    const auto below = static_cast<double>(middle - first);
    const auto above = static_cast<double>(last - middle);
    return (sums_[last] - sums_[middle] - center * above) +
           (center * below - (sums_[middle] - sums_[first]));
  }

  /// How many lie in [low, high].
  [[nodiscard]] double count(double low, double high) const {
    return static_cast<double>(std::ranges::upper_bound(sorted_, high) -
                               std::ranges::lower_bound(sorted_, low));
  }

 private:
  std::vector<double> sorted_;
  std::vector<double> sums_;
};

/// Number of values in the lower part; 0: no cut.
std::size_t best_cut(const Parts& parts) {
  const std::vector<double>& sorted = parts.sorted();
  const std::size_t n = sorted.size();
  const std::size_t least = (n + 9) / 10;
  double best = std::numeric_limits<double>::infinity();
  std::size_t cut = 0;
  for (std::size_t at = least; at + least <= n; ++at) {
    if (sorted[at] == sorted[at - 1]) continue;
    const double cost = parts.distances(0, at) + parts.distances(at, n);
    if (cost >= best) continue;
    best = cost;
    cut = at;
  }
  return cut;
}

/// The smallest difference between two sorted values that are not equal: the step of a timer, where one
/// counts. Infinite when all are equal.
double lattice_step(std::span<const double> sorted) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i] > sorted[i - 1]) least = std::min(least, sorted[i] - sorted[i - 1]);
  }
  return least;
}

}  // namespace

std::optional<Modes> two_modes(std::span<const double> samples) {
  const Parts parts(sorted_copy(samples));
  const std::vector<double>& sorted = parts.sorted();
  const std::size_t cut = best_cut(parts);
  if (cut == 0) return std::nullopt;
  Modes modes;
  modes.low = sorted[cut / 2];
  modes.high = sorted[(cut + sorted.size()) / 2];
  const double third = (modes.high - modes.low) / 3;
  if (3 * third < least_lattice_steps * lattice_step(sorted)) return std::nullopt;
  const double middle = parts.count(modes.low + third, modes.high - third);
  const double side =
      std::min(parts.count(modes.low, modes.low + third), parts.count(modes.high - third, modes.high));
  // P(B ≥ side) of side + middle trials with probability ½.
  if (boost::math::ibeta(side, middle + 1, 0.5) > modes_level) return std::nullopt;
  modes.high_share = static_cast<double>(sorted.size() - cut) / static_cast<double>(sorted.size());
  const double border = (modes.low + modes.high) / 2;
  modes.visits = 1;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    modes.visits += (samples[i] > border) != (samples[i - 1] > border) ? 1 : 0;
  }
  return modes;
}

}  // namespace benchctl::stats
