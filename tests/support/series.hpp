// Synthetic series of times whose true median is known, the same on every platform: what the coverage of
// intervals is tested with.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace benchctl::test {

/// 1, 2, … n.
[[nodiscard]] inline std::vector<double> one_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

/// Uniform and normal numbers from a seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : random_(seed) {}
  /// In (0, 1).
  double uniform() { return (static_cast<double>(random_() >> 11) + 0.5) * 0x1p-53; }
  /// Standard normal, by Box and Muller's transform.
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::mt19937_64 random_;
};

/// A kind of series; `spread` is relative to the median and of the order of a standard deviation.
struct SeriesKind {
  std::string name;
  bool continuous;
  /// The i-th of n samples; `state` starts at 0 and is the series' own.
  std::function<double(Random& random, double spread, double place, double& state)> draw;
  std::function<double(double spread)> true_median;
};

/// Share of the lower mode in the bimodal kind.
inline constexpr double lower_mode = 0.6;

/// Median of 0.6·N(0, 0.2²) + 0.4·N(3, 0.2²), by bisection of its distribution function.
inline double bimodal_median() {
  const auto below = [](double x) { return std::erfc(-x / 0.2 / std::numbers::sqrt2) / 2; };
  double low = 0;
  double high = 3;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (lower_mode * below(middle) + (1 - lower_mode) * below(middle - 3) < 0.5 ? low : high) = middle;
  }
  return low;
}

/// Normal, log-normal, heavy-tailed (Cauchy's distribution above its centre: no mean, no variance),
/// bimodal, quantised (steps of half a spread), drifting (normal, and a rise of two spreads from the first
/// to the last sample of the window [0, 1); the truth is the middle of the rise).
inline std::vector<SeriesKind> series_kinds() {
  const auto one = [](double) { return 1.0; };
  return {
      {"normal", true, [](Random& r, double s, double, double&) { return 1 + s * r.normal(); }, one},
      {"log-normal", true, [](Random& r, double s, double, double&) { return std::exp(s * r.normal()); },
       one},
      {"heavy-tailed", true,
       [](Random& r, double s, double, double&) {
         return 1 + s * std::tan(std::numbers::pi / 2 * r.uniform());
       },
       [](double s) { return 1 + s; }},
      {"bimodal", false,
       [](Random& r, double s, double, double&) {
         return 1 + s * (0.2 * r.normal() + (r.uniform() < lower_mode ? 0 : 3));
       },
       [](double s) { return 1 + s * bimodal_median(); }},
      {"quantised", false,
       [](Random& r, double s, double, double&) { return 1 + s / 2 * std::round(2 * r.normal()); }, one},
      {"drifting", false,
       [](Random& r, double s, double place, double&) { return 1 + s * (r.normal() + 2 * place - 1); },
       one},
  };
}

/// Each sample leans on the one before it: a first-order autoregression of coefficient ρ around 1.
inline SeriesKind dependent_kind(double rho) {
  return {"dependent", true,
          [rho](Random& r, double s, double, double& state) {
            const double innovation = std::sqrt(1 - rho * rho) * r.normal();
            state = state == 0 ? r.normal() : rho * state + innovation;
            return 1 + s * state;
          },
          [](double) { return 1.0; }};
}

inline std::vector<double> draw_series(const SeriesKind& kind, std::size_t n, double spread,
                                       std::uint64_t seed) {
  Random random(seed);
  double state = 0;
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    values[i] = kind.draw(random, spread, place, state);
  }
  return values;
}

}  // namespace benchctl::test
