// Which samples a point needs next: calibration of the batch, warm-up until settled, the caps, and the stop
// rule's word. No device, no clock, no process: the group runner feeds it, tests do too.
#pragma once

#include <benchctl/device.hpp>
#include <benchctl/sampling.hpp>

#include "engine/stop_rule.hpp"
#include "model/measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace benchctl {

/// Seconds that sampling may take, warm-up included.
struct SamplingTime {
  double cap = 0;  ///< what is left of the point's own max_seconds
  double allowance =
      std::numeric_limits<double>::infinity();  ///< what the run's budget allows, verification included

  [[nodiscard]] double least() const { return std::min(cap, allowance); }
};

/// What ended a point outside its target, with the figure.
[[nodiscard]] std::string cap_text(StopReason stop, const MeasureSettings& settings);

/// A sentence: what is known to ± `width` of it where ± `target` was asked for, both as shares. `after`
/// says what ended it, or is empty.
[[nodiscard]] std::string missed_target(const std::string& what, double width, double target,
                                        const std::string& after = {});

class PointSampler {
 public:
  /// `in_place`: executions change their own input, so a sample holds exactly one.
  PointSampler(const MeasureSettings& settings, const DeviceInfo& device, bool in_place, SamplingTime time);
  PointSampler(const MeasureSettings& settings, const DeviceInfo& device, bool in_place)
      : PointSampler(settings, device, in_place, {settings.max_seconds}) {}

  /// A single execution took `ns` on the host clock (the one that verified). It is the first warm-up.
  void executed_once(double ns);
  /// Verifying took so long. It counts against what the budget allows, not against the cap: a kernel that
  /// writes gigabytes is read back and compared for longer than many a cap.
  void verified(double seconds) { verifying_seconds_ += seconds; }
  /// Seconds that were spent on warming up and sampling.
  [[nodiscard]] double spent_seconds() const { return spent_seconds_; }
  /// Time spent on samples that do not count.
  void spend(double seconds) { spent_seconds_ += seconds; }
  /// Samples that were taken before, in an interrupted session or for an earlier share of the budget. The
  /// stop rule has looked at them as often as it would have while they were taken.
  void resume(const std::vector<double>& ns);

  /// Executions per sample; known once warmed up.
  [[nodiscard]] std::uint32_t batch() const { return batch_; }
  [[nodiscard]] std::uint32_t most_in_batch() const { return max_batch_; }
  /// Once warmed up: another number of executions, for the sake of points that this one is compared with.
  void set_batch(std::uint32_t batch) { batch_ = std::min(batch, max_batch_); }
  [[nodiscard]] bool warming_up() const { return phase_ == Phase::warmup; }
  [[nodiscard]] bool done() const { return phase_ == Phase::done; }
  /// What to ask for next. Only while not done.
  [[nodiscard]] SampleRequest next() const;
  /// Should the first sample of that request be thrown away? Another variant ran in between and left
  /// its own data in the caches.
  [[nodiscard]] bool discard_first() const;
  /// How long the request is expected to take on the device, in seconds.
  [[nodiscard]] double expected_seconds() const;
  /// So long the rounds of its group have lasted by now. Whoever samples a point alone needs not tell.
  void rounds_last(double seconds) { rounds_seconds_ = std::max(rounds_seconds_, seconds); }
  /// Do the rounds cover the time that they are to be spread over?
  [[nodiscard]] bool covers_span() const;
  /// Takes the answer, and the wall time that it took.
  void accept(const SampleBlock& block, double seconds);
  /// Ends sampling for a reason from outside (budget, interrupt).
  void stop(StopReason reason);

  [[nodiscard]] const std::vector<double>& samples() const { return samples_; }
  [[nodiscard]] StopReason stop_reason() const { return stop_; }
  [[nodiscard]] Measurement measurement() const;
  /// Why the target was not reached, with figures; empty if it was, or if none was set.
  [[nodiscard]] std::string shortfall() const;
  /// Half the width of the median's interval over the target, infinite while there is no interval. With a
  /// fixed number of samples: the same for the share of them that is there, as if widths were roots.
  [[nodiscard]] double excess() const;

 private:
  enum class Phase : std::uint8_t { warmup, sampling, done };

  [[nodiscard]] std::uint32_t batch_for(double execution_ns) const;
  [[nodiscard]] double sample_ns() const { return estimate_ns_ * batch_; }
  [[nodiscard]] double left_seconds() const {
    return std::min(time_.cap, time_.allowance - verifying_seconds_) - spent_seconds_;
  }
  [[nodiscard]] double warmup_bound() const;  ///< in seconds
  /// Is there time for many short rounds? Not while a budget is to cover all points first.
  [[nodiscard]] bool spreads_rounds() const { return std::isinf(time_.allowance); }
  [[nodiscard]] std::uint32_t in_first_rounds() const;  ///< samples in each
  [[nodiscard]] std::size_t fewest_samples() const;     ///< that as many rounds hold
  void accept_warmup(const SampleBlock& block, double seconds);
  void decide();

  MeasureSettings settings_;
  SamplingTime time_;
  std::unique_ptr<StopRule> rule_;
  double timer_step_ns_;
  std::uint32_t max_batch_;
  Phase phase_ = Phase::warmup;
  StopReason stop_ = StopReason::target;
  double estimate_ns_ = 0;
  std::uint32_t batch_ = 1;
  bool batch_known_ = false;
  bool rule_agrees_ = false;      ///< that the samples are enough
  double sampling_seconds_ = 0;   ///< of spent_seconds_, on samples that count
  double rounds_seconds_ = 0;     ///< since the first round began
  bool perhaps_loading_ = false;  ///< the first execution was so long that one more is to tell why
  double spent_seconds_ = 0;      ///< warming up and sampling
  double verifying_seconds_ = 0;
  double warmup_seconds_ = 0;
  std::vector<double> warmup_medians_;
  std::vector<double> warmup_clocks_;
  int settled_ = 0;
  bool gated_ = true;
  std::string note_;
  std::vector<double> samples_;
};

}  // namespace benchctl
