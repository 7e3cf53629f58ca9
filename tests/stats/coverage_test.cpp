// Does the 95 % interval cover the true median as often as it says? Seeded series of distributions whose
// median is known.
#include <catch2/catch_test_macros.hpp>

#include "stats/summary.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

using namespace benchctl::stats;

namespace {

constexpr int series = 8000;  // standard error of a share of 95 %: 0.24 %

/// Standard normal numbers by Box and Muller's transform, the same on every platform.
class Normal {
 public:
  explicit Normal(std::uint64_t seed) : random_(seed) {}
  double operator()() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  std::mt19937_64 random_;
};

template <class Draw>
double share_covered(int n, double true_median, const Draw& draw) {
  Normal normal(static_cast<std::uint64_t>(n) * 7919);
  int covered = 0;
  std::vector<double> values(static_cast<std::size_t>(n));
  for (int i = 0; i < series; ++i) {
    for (double& x : values) x = draw(normal());
    const Interval interval = median_interval(values);
    if (interval.low <= true_median && true_median <= interval.high) ++covered;
  }
  return static_cast<double>(covered) / series;
}

}  // namespace

TEST_CASE("the interval covers the median of continuous series in 93 to 97 of 100") {
  for (const int n : {6, 10, 30, 100}) {
    CAPTURE(n);
    const double normal = share_covered(n, 100, [](double z) { return 100 + 3 * z; });
    CHECK(normal >= 0.93);
    CHECK(normal <= 0.97);
    const double skewed = share_covered(n, 1, [](double z) { return std::exp(z); });
    CHECK(skewed >= 0.93);
    CHECK(skewed <= 0.97);
  }
}

TEST_CASE("the interval covers the median of quantised series in at least 93 of 100") {
  for (const int n : {10, 30, 100}) {
    CAPTURE(n);
    CHECK(share_covered(n, 100, [](double z) { return 100 + std::round(2 * z); }) >= 0.93);
  }
}
