#include "engine/stop_rule.hpp"

#include <algorithm>
#include <cmath>

namespace benchctl {

namespace {

/// A number that was fixed before: nothing is looked at, so the interval means what it says.
class FixedNumber final : public StopRule {
 public:
  explicit FixedNumber(std::uint32_t samples) : samples_(samples) {}

  bool enough(std::span<const double> samples) override { return samples.size() >= samples_; }
  [[nodiscard]] std::uint32_t goal() const override { return samples_; }
  [[nodiscard]] StopReason reason() const override { return StopReason::fixed; }
  [[nodiscard]] double confidence() const override { return 0.95; }

 private:
  std::uint32_t samples_;
};

/// Paired rounds: it is the ratio to another point that must be known, and the group decides on that.
class LeftToTheGroup final : public StopRule {
 public:
  explicit LeftToTheGroup(std::uint32_t most) : most_(most) {}

  bool enough(std::span<const double> /*samples*/) override { return false; }
  [[nodiscard]] std::uint32_t goal() const override { return most_; }
  [[nodiscard]] StopReason reason() const override { return StopReason::target; }
  [[nodiscard]] double confidence() const override { return 0.95; }

 private:
  std::uint32_t most_;
};

/// Until the interval of the median is narrow enough. Whoever looks again and again stops when the interval
/// happens to be narrow, not only when it should be. Three things against it: looks lie a quarter apart,
/// two in succession must agree, and the interval is computed at a higher level (docs/statistics.md has the
/// coverage).
class IntervalOfMedian final : public StopRule {
 public:
  explicit IntervalOfMedian(const MeasureSettings& settings)
      : target_(settings.target),
        fewest_(settings.min_samples),
        most_(settings.max_samples),
        // The first of two looks may come before the minimum, so that the second is there.
        next_look_(static_cast<std::size_t>(std::ceil(first_look * fewest_))) {}

  bool enough(std::span<const double> samples) override {
    const std::size_t n = samples.size();
    if (n < next_look_) return agrees(n);
    looked_ = true;
    next_look_ = n < fewest_ ? fewest_ : later_look(n);
    narrow_looks_ = narrow(samples) ? narrow_looks_ + 1 : 0;
    return agrees(n);
  }

  [[nodiscard]] std::uint32_t goal() const override { return most_; }
  [[nodiscard]] StopReason reason() const override { return StopReason::target; }
  [[nodiscard]] double confidence() const override { return looked_ ? looked_at_confidence : 0.95; }

 private:
  static constexpr double first_look = 2.0 / 3;  // of the minimum
  static constexpr double growth = 1.25;
  static constexpr int looks_that_agree = 2;
  static constexpr double looked_at_confidence = 0.96;

  /// What the latest looks say.
  [[nodiscard]] bool agrees(std::size_t n) const {
    return narrow_looks_ >= looks_that_agree && n >= fewest_;
  }

  [[nodiscard]] bool narrow(std::span<const double> samples) const {
    return stats::relative_half_width(stats::block_interval(samples, confidence()),
                                      stats::median(samples)) <= target_;
  }

  static std::size_t later_look(std::size_t n) {
    return static_cast<std::size_t>(std::ceil(growth * static_cast<double>(n)));
  }

  double target_;
  std::uint32_t fewest_;
  std::uint32_t most_;
  std::size_t next_look_;
  int narrow_looks_ = 0;
  bool looked_ = false;
};

}  // namespace

std::unique_ptr<StopRule> make_stop_rule(const MeasureSettings& settings) {
  if (settings.fixed_samples > 0) return std::make_unique<FixedNumber>(settings.fixed_samples);
  if (settings.mode == RoundMode::paired) return std::make_unique<LeftToTheGroup>(settings.max_samples);
  return std::make_unique<IntervalOfMedian>(settings);
}

}  // namespace benchctl
