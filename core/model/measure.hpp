// How a point is to be measured, and what came out of it: the types that the config fills, the engine
// works by, the store keeps and the reports read.
#pragma once

#include <benchctl/backend.hpp>
#include <benchctl/sampling.hpp>

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace benchctl {

/// How long the points of a group take turns.
enum class RoundMode : std::uint8_t {
  independent,  ///< each until it is known well enough (Precision)
  paired,       ///< all until their ratios to a baseline are known
};

/// What must be known of a point before it leaves the rounds.
enum class Precision : std::uint8_t {
  answer,  ///< whether it is the fastest: points that are shown slower leave, ties are sampled until they
           ///< are known
  all,     ///< its time, within the target
};

/// `[measure]` of a config. Part of a point's content key.
struct MeasureSettings {
  CacheMode cache = CacheMode::hot;
  LaunchMode launch = LaunchMode::stream;
  Basis basis = Basis::device;
  Precision precision = Precision::answer;
  double target = 0.01;  ///< half the 95 % interval of the median that its blocks give, as a share of it
  std::uint32_t min_samples = 30;
  std::uint32_t max_samples = 10'000;
  double max_seconds = 2.0;         ///< per point: warm-up and sampling together
  std::uint32_t fixed_samples = 0;  ///< exactly so many samples, no stop rule; 0: by target
  double min_sample_ns = 20'000;    ///< a sample is batched until it lasts so long …
  double min_timer_steps = 200;     ///< … and so many steps of the device's timer
  double warmup_seconds = 0.25;     ///< bound on warming up, inside max_seconds
  double span_seconds = 0.3;        ///< least time for the rounds of a group, where there is a target
  RoundMode mode = RoundMode::independent;
  std::uint32_t replicates = 1;  ///< times that everything is repeated in fresh worker processes
  std::uint64_t seed = 0;  ///< seed of inputs and of the order of points in a round; 0: the run draws one
  /// Readings to take beside the cheap ones, by id; the one word `none`: no readings at all.
  std::vector<std::string> observe = {};

  bool operator==(const MeasureSettings&) const = default;
};

/// Outcome of comparing one set of outputs with the reference.
struct Verification {
  bool ok = false;
  std::string reason;     ///< why not, with figures; empty when ok
  double error_norm = 0;  ///< ‖out − ref‖ / ‖ref‖ over the checked elements
  double tolerance_norm = 0;
  double worst_error = 0;  ///< largest |out − ref|
  double worst_tolerance = 0;
  std::string worst_element;  ///< where: `C[3, 7]`
  std::uint64_t checked = 0;  ///< elements compared one by one
  std::uint64_t not_a_number = 0;
  std::uint64_t guard_bytes_changed = 0;
};

/// Why sampling of a point ended.
enum class StopReason : std::uint8_t {
  target,
  slower,  ///< shown slower than the fastest
  fixed,
  max_samples,
  max_seconds,
  budget,
  interrupted
};

BENCHCTL_WORDS(RoundMode, independent, paired)
BENCHCTL_WORDS(Precision, answer, all)
BENCHCTL_WORDS(StopReason, target, slower, fixed, max_samples, max_seconds, budget, interrupted)

/// A missing figure: empty or `–` in tables, null in JSON.
inline constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// Statistics of a point's samples, as stored. Times in nanoseconds of one execution.
struct Measurement {
  std::uint64_t n_samples = 0;
  std::uint32_t batch = 1;
  bool gated = false;
  double median_ns = 0;
  /// 95 % interval of the median: from blocks of the samples of one process (stats::block_interval), from
  /// three processes on Student's over their medians. NaN for one sample.
  double ci_low_ns = 0;
  double ci_high_ns = 0;
  double min_ns = 0;
  double max_ns = 0;
  double mean_ns = 0;
  double mad_ns = 0;  ///< median absolute deviation from the median, unscaled
  double p5_ns = 0;
  double p25_ns = 0;
  double p75_ns = 0;
  double p95_ns = 0;
  double warmup_ns = 0;  ///< time spent warming up
  std::uint32_t processes = 1;
  StopReason stop = StopReason::target;
  std::string note;
};

/// What a time is shown with.
struct TimeRange {
  enum class Kind : std::uint8_t {
    middle,     ///< nine tenths of the samples, p5 to p95
    extremes,   ///< smallest and largest of fewer than six samples
    processes,  ///< 95 % interval over three processes or more
  };
  Kind kind = Kind::middle;
  double low_ns = 0;
  double high_ns = 0;
};
[[nodiscard]] TimeRange range_of(const Measurement& measurement);

/// Half the interval of the median as a share of it: what `target` is compared with. NaN for one sample.
[[nodiscard]] double precision_of(const Measurement& measurement);

}  // namespace benchctl
