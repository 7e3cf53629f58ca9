#include "stats/multiplicity.hpp"

#include "stats/order.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace benchctl::stats {

double bonferroni_confidence(double confidence, std::size_t comparisons) {
  check_confidence(confidence);
  if (comparisons == 0) throw std::invalid_argument("no comparison to correct for");
  return 1 - (1 - confidence) / static_cast<double>(comparisons);
}

std::vector<double> holm(std::span<const double> p_values) {
  if (!std::ranges::all_of(p_values, [](double p) { return p >= 0 && p <= 1; })) {
    throw std::invalid_argument("a p-value lies between 0 and 1");
  }
  std::vector<std::size_t> by_size(p_values.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::ranges::stable_sort(by_size, {}, [&](std::size_t i) { return p_values[i]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  auto hypotheses = static_cast<double>(p_values.size());
  for (const std::size_t i : by_size) {
    largest = std::max(largest, std::min(1.0, hypotheses * p_values[i]));
    adjusted[i] = largest;
    --hypotheses;
  }
  return adjusted;
}

}  // namespace benchctl::stats
