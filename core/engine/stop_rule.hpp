// When a point has enough samples. Rules know numbers only: no device, no clock. The caps of time and
// number are the sampler's, for all rules alike.
#pragma once

#include "model/measure.hpp"
#include "stats/dependence.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace benchctl {

class StopRule {
 public:
  virtual ~StopRule() = default;

  /// Are these samples, in the order in which they were taken, enough? Asked after every block of them; a
  /// rule that does not look then says what it said when it looked last.
  [[nodiscard]] virtual bool enough(std::span<const double> samples) = 0;
  /// Samples beyond which the rule wants none.
  [[nodiscard]] virtual std::uint32_t goal() const = 0;
  /// Why sampling ended, if `enough` ended it.
  [[nodiscard]] virtual StopReason reason() const = 0;
  /// Confidence at which an interval must be computed so that 95 in 100 hold, given that the rule decided
  /// when to stop.
  [[nodiscard]] virtual double confidence() const = 0;
};

/// Whether half an interval, as a share of what it is of, is narrow: `target` at most, and at 99.9 % not
/// much more. Values that lie in two humps of about the same weight have narrow intervals as long as these
/// lie in one of them, and then they are wrong; an outer one reaches across. `half_width` gives it at a
/// confidence, NaN where there are too few values: the inner one must be known, the outer one need not.
[[nodiscard]] bool is_narrow(const std::function<double(double confidence)>& half_width, double confidence,
                             double target);

/// By the settings: `samples` if it is set, else `target`.
[[nodiscard]] std::unique_ptr<StopRule> make_stop_rule(const MeasureSettings& settings);

/// The median's interval as samples of a point have it: at the rule's confidence, and widened or unknown
/// where they depend on each other.
struct PointInterval {
  stats::Interval interval;
  stats::Dependence dependence;
  double relative_half_width = 0;  ///< of the median; NaN without an interval

  PointInterval(std::span<const double> samples, double confidence);
};

}  // namespace benchctl
