#include "stats/mann_whitney.hpp"

#include "stats/order.hpp"

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace benchctl::stats {

namespace {

constexpr std::size_t most_exact_pairs = 400;

/// P(U ≤ u) without ties. Orders are counted by the largest sample: if it is one of the first m, it is the
/// larger in n pairs; if it is one of the second n, in none: count(m, n, u) = count(m − 1, n, u − n) +
/// count(m, n − 1, u). Shares instead of counts, so that nothing overflows.
double exact_tail(std::size_t m, std::size_t n, std::size_t u) {
  std::vector<double> of_none(u + 1);
  of_none[0] = 1;
  // shares[j][v]: share of the orders of i and j samples with U = v, for one i after the other.
  std::vector<std::vector<double>> shares(n + 1, of_none);
  for (std::size_t i = 1; i <= m; ++i) {
    for (std::size_t j = 1; j < shares.size(); ++j) {
      const double first = static_cast<double>(i) / static_cast<double>(i + j);
      // Downwards: below v are still the shares of i − 1.
      for (std::size_t v = shares[j].size(); v-- > 0;) {
        shares[j][v] = (1 - first) * shares[j - 1][v] + (v >= j ? first * shares[j][v - j] : 0);
      }
    }
  }
  return std::accumulate(shares.back().begin(), shares.back().end(), 0.0);
}

}  // namespace

MannWhitney mann_whitney(std::span<const double> first, std::span<const double> second) {
  const std::vector<double> a = sorted_copy(first);
  const std::vector<double> b = sorted_copy(second);
  MannWhitney result;
  for (const double x : a) {
    const auto [from, to] = std::equal_range(b.begin(), b.end(), x);
    result.u += static_cast<double>(from - b.begin()) + static_cast<double>(to - from) / 2;
  }
  std::vector<double> both = a;
  both.insert(both.end(), b.begin(), b.end());
  std::ranges::sort(both);
  double ties = 0;  // Σ (t³ − t) over groups of t equal samples
  for (auto from = both.begin(); from != both.end();) {
    const auto to = std::upper_bound(from, both.end(), *from);
    const auto t = static_cast<double>(to - from);
    ties += t * t * t - t;
    from = to;
  }
  const auto m = static_cast<double>(a.size());
  const auto n = static_cast<double>(b.size());
  result.superiority = result.u / (m * n);
  const double smaller = std::min(result.u, m * n - result.u);
  result.exact = ties == 0 && a.size() * b.size() <= most_exact_pairs;
  if (result.exact) {
    const double tail = exact_tail(a.size(), b.size(), static_cast<std::size_t>(smaller));
    result.p_value = std::min(1.0, 2 * tail);
    return result;
  }
  const double total = m + n;
  const double variance = m * n / 12 * (total + 1 - ties / (total * (total - 1)));
  if (variance <= 0) return result;  // all samples are equal
  const double distance = std::max(0.0, m * n / 2 - smaller - 0.5);
  const boost::math::normal normal;
  result.p_value = 2 * boost::math::cdf(normal, -distance / std::sqrt(variance));
  return result;
}

}  // namespace benchctl::stats
