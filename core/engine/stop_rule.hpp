// When a point has enough samples. Rules know numbers only: no device, no clock. The caps of time and
// number are the sampler's, for all rules alike.
#pragma once

#include "model/measure.hpp"
#include "stats/summary.hpp"

#include <cstdint>
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

/// By the settings: `samples` if it is set, else `target`.
[[nodiscard]] std::unique_ptr<StopRule> make_stop_rule(const MeasureSettings& settings);

}  // namespace benchctl
