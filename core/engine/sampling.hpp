// Which samples a point needs next and when it has enough: calibration of the batch, warm-up until settled,
// the caps, the stop rules, the sets of buffers. No device, no clock, no process: the group runner feeds
// it, tests do too.
#pragma once

#include <benchctl/device.hpp>
#include <benchctl/problem.hpp>
#include <benchctl/sampling.hpp>

#include "model/measure.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace benchctl {

/// `cold` and `rotate` execute on several sets of buffers in turn, so that what an execution left in the
/// caches is of no use to the next: together the sets hold three times the last-level cache, but no more
/// than 16 of them and no more than a quarter of the device's memory. One set is enough for `hot`, for
/// buffers beyond three times the cache, and where the size of the cache is unknown. `working_set`: bytes
/// of one set.
[[nodiscard]] std::uint32_t cache_sets(CacheMode cache, const DeviceInfo& device,
                                       std::uint64_t working_set);

/// The same for a point. What is uploaded before every execution (`end_to_end`) is in the caches anyway:
/// one set.
[[nodiscard]] std::uint32_t cache_sets(const MeasureSettings& measure, const DeviceInfo& device,
                                       const ProblemSpec& problem);

/// When a point has enough samples. Knows numbers only; the caps of time and number are the sampler's.
///  - `samples` is set: at that number. Nothing is looked at, so the interval means what it says.
///  - Paired rounds: never. It is the ratio to another point that must be known, and the group decides.
///  - Else until the interval of the median is within `target`. Whoever looks again and again stops when
///  the
///    interval happens to be narrow, not only when it should be. Three things against it: looks lie a
///    quarter apart, two in succession must agree, and the interval is computed at a higher level
///    (docs/statistics.md has the coverage).
class StopRule {
 public:
  explicit StopRule(const MeasureSettings& settings);

  /// Are these samples, in the order in which they were taken, enough? Asked after every block of them;
  /// when it does not look, it says what it said when it looked last.
  [[nodiscard]] bool enough(std::span<const double> samples);
  /// Samples beyond which the rule wants none.
  [[nodiscard]] std::uint32_t goal() const { return fixed_ > 0 ? fixed_ : most_; }
  /// Why sampling ended, if `enough` ended it.
  [[nodiscard]] StopReason reason() const { return fixed_ > 0 ? StopReason::fixed : StopReason::target; }
  /// Confidence at which an interval must be computed so that 95 in 100 hold, given that the rule decided
  /// when to stop.
  [[nodiscard]] double confidence() const { return looked_ ? 0.96 : 0.95; }

 private:
  std::uint32_t fixed_;
  bool paired_;
  double target_;
  std::uint32_t fewest_;
  std::uint32_t most_;
  std::size_t next_look_;
  int narrow_looks_ = 0;  ///< in succession
  bool looked_ = false;
};

/// How long a point may be sampled.
struct SamplingTime {
  double cap = 0;         ///< seconds, warm-up included: what is left of the point's own max_seconds
  bool in_haste = false;  ///< a budget is to cover other points, too: rounds are not spread over a span
};

class PointSampler {
 public:
  /// `in_place`: executions change their own input, so a sample holds exactly one.
  PointSampler(const MeasureSettings& settings, const DeviceInfo& device, bool in_place, SamplingTime time);
  PointSampler(const MeasureSettings& settings, const DeviceInfo& device, bool in_place)
      : PointSampler(settings, device, in_place, {settings.max_seconds}) {}

  /// A single execution took `ns` on the host clock (the one that verified). It is the first warm-up; on a
  /// processor it is the only one if it took 5 ms or more.
  void executed_once(double ns);
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
  /// Samples from now on. For a point whose time need not be known to the last per cent.
  void end_warm_up() {
    if (batch_known_ && phase_ == Phase::warmup) phase_ = Phase::sampling;
  }
  /// The latest word on how long an execution takes; 0 before any.
  [[nodiscard]] double execution_ns() const { return estimate_ns_; }
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
  void set_rounds_seconds(double seconds) { rounds_seconds_ = std::max(rounds_seconds_, seconds); }
  /// Do the rounds cover the time that they are to be spread over?
  [[nodiscard]] bool covers_span() const;
  /// While it is contested (whether it is the fastest is not known), reaching the target ends nothing.
  void contest(bool contested) { contested_ = contested; }
  [[nodiscard]] bool contested() const { return contested_; }
  /// Has it the samples that a point must have to leave as shown slower: three, or one that lasts longer
  /// than half a second?
  [[nodiscard]] bool may_leave() const;
  /// Does an execution last longer than half a second?
  [[nodiscard]] bool takes_long() const;
  /// Takes the reply, and the wall time that it took. False if the samples were warming up, and do not
  /// count.
  bool accept(const SampleBlock& block, double seconds);
  /// Ends sampling for a reason from outside (shown slower, budget, interrupt).
  void stop(StopReason reason);
  /// After `stop`: there are rounds again.
  void reopen() { phase_ = Phase::sampling; }

  [[nodiscard]] const std::vector<double>& samples() const { return samples_; }
  [[nodiscard]] StopReason stop_reason() const { return stop_; }
  [[nodiscard]] Measurement measurement() const;
  /// Half the width of the median's interval over the target, infinite while there is no interval. With a
  /// fixed number of samples: the same for the share of them that is there, as if widths were roots.
  [[nodiscard]] double excess() const;

 private:
  enum class Phase : std::uint8_t { warmup, sampling, done };

  [[nodiscard]] std::uint32_t batch_for(double execution_ns) const;
  [[nodiscard]] double sample_ns() const { return estimate_ns_ * batch_; }
  [[nodiscard]] double left_seconds() const { return time_.cap - spent_seconds_; }
  [[nodiscard]] double warmup_bound() const;            ///< in seconds
  [[nodiscard]] std::uint32_t in_first_rounds() const;  ///< samples in each
  [[nodiscard]] std::size_t fewest_samples() const;     ///< samples in the least number of rounds
  void accept_warmup(const SampleBlock& block, double seconds);
  void decide();

  MeasureSettings settings_;
  SamplingTime time_;
  StopRule rule_;
  double timer_step_ns_;
  bool on_processor_;
  std::uint32_t max_batch_;
  Phase phase_ = Phase::warmup;
  StopReason stop_ = StopReason::target;
  double estimate_ns_ = 0;
  std::uint32_t batch_ = 1;
  bool batch_known_ = false;
  bool rule_agrees_ = false;  ///< the rule says that the samples are enough
  bool contested_ = false;
  double sampling_seconds_ = 0;   ///< the part of spent_seconds_ on samples that count
  double rounds_seconds_ = 0;     ///< since the first round began
  bool perhaps_loading_ = false;  ///< the first execution was so long that one more is to tell why
  double spent_seconds_ = 0;      ///< warming up and sampling
  double warmup_seconds_ = 0;
  std::vector<double> warmup_medians_;
  std::vector<double> warmup_clocks_;
  int settled_ = 0;
  bool gated_ = true;
  std::string note_;
  std::vector<double> samples_;
};

}  // namespace benchctl
