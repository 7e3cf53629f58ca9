#include "stats/steps.hpp"

#include "stats/drift.hpp"
#include "stats/level_noise.hpp"
#include "stats/order.hpp"
#include "stats/segments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace benchctl::stats {

namespace {

/// Cost of a proposed cut in standard deviations of the noise: low, since tests remove what is too much.
constexpr double cut_penalty = 4;
/// Values further from the median than so many standard deviations move a level as if they were so far.
constexpr double level_clip = 2;
/// So many values speak for a level by their median; fewer have to agree.
constexpr std::size_t many = 10;

struct Series {
  std::span<const double> values;
  std::span<const double> errors;
};

/// Schwarz's criterion of residuals from Laplace's distribution, less what all descriptions of a series
/// have in common: the lower, the better.
double criterion(std::span<const double> residuals, std::size_t parameters) {
  const auto n = static_cast<double>(residuals.size());
  double sum = 0;
  for (const double residual : residuals) sum += std::abs(residual);
  return n * std::log(sum) + static_cast<double>(parameters) * std::log(n);
}

double in_errors(double difference, double error) {
  if (difference == 0) return 0;
  return error > 0 ? difference / error : std::numeric_limits<double>::infinity();
}

/// What is left of a series by a description of it.
struct Fit {
  std::vector<double> residuals;
  LevelNoise noise;
  double criterion = std::numeric_limits<double>::infinity();
};

Fit make_fit(std::vector<double> residuals, std::size_t fitted, std::size_t parameters,
             const Series& series) {
  Fit fit;
  fit.noise = level_noise(residuals, fitted, series.errors);
  fit.criterion = criterion(residuals, parameters);
  fit.residuals = std::move(residuals);
  return fit;
}

/// Levels between cuts.
class Levels {
 public:
  Levels(const Series& series, double level) : series_(series) {
    std::vector<double> distances;
    for (std::size_t i = 1; i < series.values.size(); ++i) {
      distances.push_back(std::abs(series.values[i] - series.values[i - 1]));
    }
    // A difference scatters by the root of two more than a value.
    const double scatter =
        std::max(normal_deviation(median(distances)) / std::sqrt(2.0), known_scatter(series.errors));
    starts_ = robust_segments(series.values, cut_penalty * scatter, {});
    prune(level);
  }

  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  [[nodiscard]] const Fit& fit() const { return fit_; }
  /// Of the best description with steps that was tried; infinite if none was.
  [[nodiscard]] double best_criterion() const { return best_criterion_; }

 private:
  [[nodiscard]] std::span<const double> part(std::size_t i) const {
    const std::size_t to = i + 1 < starts_.size() ? starts_[i + 1] : series_.values.size();
    return series_.values.subspan(starts_[i], to - starts_[i]);
  }

  void measure() {
    std::vector<double> residuals;
    std::vector<double> centres;
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      centres.push_back(median(part(i)));
      for (const double value : part(i)) residuals.push_back(value - centres.back());
    }
    const double limit = level_clip * level_noise(residuals, starts_.size(), series_.errors).scatter;
    levels_.clear();
    residuals.clear();
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      double sum = 0;
      for (const double value : part(i)) sum += std::clamp(value - centres[i], -limit, limit);
      levels_.push_back(centres[i] + sum / static_cast<double>(part(i).size()));
      for (const double value : part(i)) residuals.push_back(value - levels_.back());
    }
    fit_ = make_fit(std::move(residuals), starts_.size(), 2 * starts_.size() - 1, series_);
  }

  /// Few values are a level only if nearly all lie on its side of the middle between it and the other.
  [[nodiscard]] bool agrees(std::size_t own, std::size_t other) const {
    if (part(own).size() >= many) return true;
    const double middle = (levels_[own] + levels_[other]) / 2;
    const auto strays = std::ranges::count_if(
        part(own), [&](double value) { return (value > middle) != (levels_[own] > middle); });
    return static_cast<std::size_t>(strays) <= part(own).size() / 5;
  }

  [[nodiscard]] Step step_into(std::size_t i) const {
    const LevelNoise& noise = fit_.noise;
    Step step;
    step.at = starts_[i];
    step.shift = levels_[i] - levels_[i - 1];
    const double error = noise.scatter * std::sqrt(noise.mean_variance(part(i - 1).size()) +
                                                   noise.mean_variance(part(i).size()));
    const double half = noise.half_interval() * error;
    step.interval = {step.shift - half, step.shift + half};
    if (agrees(i, i - 1) && agrees(i - 1, i)) {
      const auto places = static_cast<double>(series_.values.size());
      step.p_value = std::min(1.0, places * noise.p_value(in_errors(step.shift, error)));
    }
    return step;
  }

  /// Removes the weakest cut until all hold.
  void prune(double level) {
    for (;;) {
      measure();
      steps_.clear();
      for (std::size_t i = 1; i < starts_.size(); ++i) steps_.push_back(step_into(i));
      if (steps_.empty()) return;
      best_criterion_ = std::min(best_criterion_, fit_.criterion);
      const auto weakest = std::ranges::max_element(steps_, {}, &Step::p_value);
      if (weakest->p_value <= level) return;
      starts_.erase(starts_.begin() + 1 + (weakest - steps_.begin()));
    }
  }

  Series series_;
  std::vector<std::size_t> starts_;
  std::vector<double> levels_;
  Fit fit_;
  std::vector<Step> steps_;
  double best_criterion_ = std::numeric_limits<double>::infinity();
};

struct Line {
  Fit fit;
  Trend trend;
};

Line line_through(const Series& series) {
  const double slope = theil_sen(series.values).per_step;
  std::vector<double> residuals;
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    residuals.push_back(series.values[i] - slope * static_cast<double>(i));
  }
  const double centre = median(residuals);
  for (double& residual : residuals) residual -= centre;
  Line line;
  line.fit = make_fit(std::move(residuals), 2, 2, series);
  const LevelNoise& noise = line.fit.noise;
  const auto n = static_cast<double>(series.values.size());
  // Least squares in a first-order autoregression, for long series.
  const double error =
      noise.scatter * (n - 1) * std::sqrt(12 / (n * (n * n - 1)) * (1 + noise.lag1) / (1 - noise.lag1));
  line.trend.shift = slope * (n - 1);
  const double half = noise.half_interval() * error;
  line.trend.interval = {line.trend.shift - half, line.trend.shift + half};
  line.trend.p_value = noise.p_value(in_errors(line.trend.shift, error));
  return line;
}

std::vector<std::size_t> disturbed_in(const Fit& fit, const Series& series, double level) {
  std::vector<std::size_t> places;
  const auto n = static_cast<double>(series.values.size());
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    const double error = std::max(fit.noise.scatter, series.errors[i]);
    if (n * fit.noise.p_value(in_errors(fit.residuals[i], error)) <= level) places.push_back(i);
  }
  return places;
}

}  // namespace

LevelChanges find_changes(std::span<const double> values, std::span<const double> errors, double level) {
  if (values.size() != errors.size()) throw std::invalid_argument("every value needs an error");
  if (!(level > 0 && level < 1)) throw std::invalid_argument("a level lies between 0 and 1");
  LevelChanges found;
  if (values.empty()) return found;
  static_cast<void>(checked_copy(values));
  if (std::ranges::any_of(checked_copy(errors), [](double error) { return error < 0; })) {
    throw std::invalid_argument("an error is not below 0");
  }
  if (values.size() < least_for_changes) return found;
  const Series series{values, errors};
  const Levels levels(series, level);
  const Line line = line_through(series);
  const bool stepped = !levels.steps().empty();
  const bool straight = line.fit.criterion < (stepped ? levels.fit().criterion : levels.best_criterion());
  if (straight && line.trend.p_value <= level) found.trend = line.trend;
  if (stepped && !straight) found.steps = levels.steps();
  found.disturbed = disturbed_in(found.trend ? line.fit : levels.fit(), series, level);
  return found;
}

}  // namespace benchctl::stats
