#include "stats/steps.hpp"

#include "stats/order.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace benchctl::stats {

namespace {

struct Part {
  std::size_t from = 0;
  std::size_t to = 0;  ///< one past the last

  [[nodiscard]] std::size_t size() const { return to - from; }
};

class Series {
 public:
  Series(std::span<const double> values, std::span<const double> errors)
      : values_(values), errors_(errors) {}

  [[nodiscard]] double mean(const Part& part) const {
    return stats::mean(values_.subspan(part.from, part.size()));
  }
  [[nodiscard]] double squares(const Part& part) const {
    const double center = mean(part);
    double sum = 0;
    for (std::size_t i = part.from; i < part.to; ++i) sum += (values_[i] - center) * (values_[i] - center);
    return sum;
  }
  /// Standard error of the difference of the means of two neighbours, and that is never below what the
  /// values' own errors give.
  [[nodiscard]] double error(const Part& left, const Part& right) const {
    const auto n = static_cast<double>(left.size() + right.size());
    double known = 0;
    for (std::size_t i = left.from; i < right.to; ++i) known += errors_[i] * errors_[i] / n;
    const double scatter = n > 2 ? (squares(left) + squares(right)) / (n - 2) : 0;
    return std::sqrt(std::max(scatter, known) *
                     (1 / static_cast<double>(left.size()) + 1 / static_cast<double>(right.size())));
  }

 private:
  std::span<const double> values_;
  std::span<const double> errors_;
};

/// Two-sided p-value of a difference with that error.
double p_value(double difference, double error, double degrees) {
  if (difference == 0) return 1;
  if (error == 0) return 0;
  const boost::math::students_t distribution(degrees);
  return 2 * boost::math::cdf(distribution, -std::abs(difference) / error);
}

void cut(const Series& series, const Part& part, double level, std::vector<Step>& steps) {
  if (part.size() < 3) return;
  const auto degrees = static_cast<double>(part.size() - 2);
  Step best;
  for (std::size_t at = part.from + 1; at < part.to; ++at) {
    const Part left{part.from, at};
    const Part right{at, part.to};
    const double p = p_value(series.mean(right) - series.mean(left), series.error(left, right), degrees);
    if (p < best.p_value) best = {at, 0, {}, p};
  }
  best.p_value = std::min(1.0, best.p_value * static_cast<double>(part.size() - 1));
  if (best.at == 0 || best.p_value > level) return;
  cut(series, {part.from, best.at}, level, steps);
  steps.push_back(best);
  cut(series, {best.at, part.to}, level, steps);
}

/// Difference of the levels on both sides of a step, which other steps bound.
void measure(const Series& series, const Part& left, const Part& right, Step& step) {
  step.shift = series.mean(right) - series.mean(left);
  const auto n = static_cast<double>(left.size() + right.size());
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  step.interval = {unknown, unknown};
  if (n < 3) return;
  const boost::math::students_t distribution(n - 2);
  const double half = boost::math::quantile(distribution, 0.975) * series.error(left, right);
  step.interval = {step.shift - half, step.shift + half};
}

}  // namespace

std::vector<Step> find_steps(std::span<const double> values, std::span<const double> errors, double level) {
  if (values.size() != errors.size()) throw std::invalid_argument("every value needs an error");
  if (!(level > 0 && level < 1)) throw std::invalid_argument("a level lies between 0 and 1");
  std::vector<Step> steps;
  if (values.empty()) return steps;
  static_cast<void>(checked_copy(values));
  if (std::ranges::any_of(checked_copy(errors), [](double error) { return error < 0; })) {
    throw std::invalid_argument("an error is not below 0");
  }
  const Series series(values, errors);
  cut(series, {0, values.size()}, level, steps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::size_t from = i == 0 ? 0 : steps[i - 1].at;
    const std::size_t to = i + 1 == steps.size() ? values.size() : steps[i + 1].at;
    measure(series, {from, steps[i].at}, {steps[i].at, to}, steps[i]);
  }
  return steps;
}

}  // namespace benchctl::stats
