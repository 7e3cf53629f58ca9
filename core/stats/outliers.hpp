// Samples far from the rest, counted and never dropped: a slow sample is a fact about the machine.
#pragma once

#include <cstddef>
#include <span>

namespace benchctl::stats {

/// How many samples lie beyond Tukey's fences ("Exploratory Data Analysis", 1977, section 2D): mild ones
/// over 1.5 interquartile ranges outside the quartiles, severe ones over 3. A sample on a fence is not an
/// outlier. Quartiles are of type 7 (`quantile`). Of a normal distribution 0.7 % are beyond the inner
/// fences.
struct Outliers {
  std::size_t low_severe = 0;
  std::size_t low_mild = 0;
  std::size_t high_mild = 0;
  std::size_t high_severe = 0;

  [[nodiscard]] std::size_t total() const noexcept {
    return low_severe + low_mild + high_mild + high_severe;
  }
  bool operator==(const Outliers&) const = default;
};

[[nodiscard]] Outliers count_outliers(std::span<const double> samples);

}  // namespace benchctl::stats
