#include "engine/sampling.hpp"

#include <benchctl/rounding.hpp>

#include "engine/replicates.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

namespace benchctl {

namespace {

/// Sets of buffers: at most so many, of so many times the last-level cache together, in such a share of the
/// memory.
constexpr std::uint64_t most_sets = 16;
constexpr std::uint64_t cache_multiple = 3;
constexpr std::uint64_t memory_share = 4;

constexpr double warmup_chunk_ns = 10e6;
constexpr double chunk_ns = 20e6;
/// Rounds shall be many, each short against drift: neighbours in one round resemble each other.
constexpr double paired_round_ns = 2e6;
constexpr std::uint32_t most_in_paired_round = 5;
constexpr double first_round_ns = 5e6;
constexpr std::uint32_t most_in_first_round = 10;
/// Rounds that a point is sampled in at least, unless a budget is to cover all points first.
constexpr std::uint32_t least_rounds = 20;
/// Samples that are taken for the span alone.
constexpr std::uint32_t most_for_span = 3;
/// Share of the point's cap that the span may take.
constexpr double span_share = 0.5;
/// Two neighbouring warm-up medians this close, twice in a row, mean that time has settled.
constexpr double settled_change = 0.01;
constexpr int settled_times = 2;
/// So many medians in a row that only rise or only fall, by more than this together, are a ramp: none of
/// two neighbours need differ by much.
constexpr std::size_t ramp_length = 4;
constexpr double ramp_change = 0.005;
/// So many readings of the device's clock in a row this close, where it is read: times that a memory
/// decides settle before the clock does.
constexpr std::size_t alike_clocks = 3;
constexpr double clock_change = 0.01;
/// Warming up takes at most this share of a point's cap.
constexpr double warmup_share = 0.25;
/// A first execution that fills the warm-up bound in less time than this may have been loading for the most
/// part: vendors' libraries load their kernels on first use, which takes 0.1 to 0.3 s.
constexpr double longest_loading_ns = 0.5e9;
/// A processor is warm after an execution that takes so long.
constexpr double warm_on_processor_ns = 5e6;
/// Whoever leaves with a single sample has one that lasts longer than this.
constexpr double long_execution_ns = 0.5e9;
constexpr std::size_t fewest_to_leave = 3;
/// A first sample is thrown away only where it costs little.
constexpr double cheap_sample_ns = 5e6;
/// The first look of a stop rule, as a share of the least number of samples, and each later one.
constexpr double first_look = 2.0 / 3;
constexpr double look_growth = 1.25;
constexpr int looks_that_agree = 2;

std::uint32_t clamped_count(double count, std::uint32_t most) {
  if (!(count >= 1)) return 1;
  return static_cast<std::uint32_t>(std::min(count, static_cast<double>(std::max(1U, most))));
}

/// Do the latest medians of warming up only rise, or only fall, by more than chance?
bool on_a_ramp(std::span<const double> medians) {
  if (medians.size() < ramp_length) return true;  // too few to tell
  const std::span<const double> latest = medians.last(ramp_length);
  if (std::abs(latest.back() - latest.front()) <= ramp_change * latest.back()) return false;
  return std::ranges::is_sorted(latest) || std::ranges::is_sorted(latest, std::greater<>());
}

/// Are the latest readings of the clock alike? Yes where it is not read.
bool clock_stands(std::span<const double> clocks) {
  if (clocks.empty()) return true;
  if (clocks.size() < alike_clocks) return false;
  const auto [least, most] = std::ranges::minmax(clocks.last(alike_clocks));
  return most - least <= clock_change * most;
}

}  // namespace

std::uint32_t cache_sets(CacheMode cache, const DeviceInfo& device, std::uint64_t working_set) {
  if (cache == CacheMode::hot || working_set == 0) return 1;
  const std::uint64_t wanted = ceil_div(cache_multiple * device.last_level_cache_bytes, working_set);
  std::uint64_t sets = std::min(most_sets, wanted);
  if (const std::uint64_t memory = device.limits.memory_bytes; memory > 0) {
    sets = std::min(sets, memory / memory_share / working_set);
  }
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(sets, 1));
}

std::uint32_t cache_sets(const MeasureSettings& measure, const DeviceInfo& device,
                         const ProblemSpec& problem) {
  return measure.basis == Basis::end_to_end ? 1 : cache_sets(measure.cache, device, problem.bytes());
}

StopRule::StopRule(const MeasureSettings& settings)
    : fixed_(settings.fixed_samples),
      paired_(settings.mode == RoundMode::paired),
      target_(settings.target),
      fewest_(settings.min_samples),
      most_(settings.max_samples),
      // The first of two looks may come before the minimum, so that the second is there.
      next_look_(static_cast<std::size_t>(std::ceil(first_look * fewest_))) {}

bool StopRule::enough(std::span<const double> samples) {
  const std::size_t n = samples.size();
  if (fixed_ > 0) return n >= fixed_;
  if (paired_) return false;
  if (n >= next_look_) {
    looked_ = true;
    next_look_ =
        n < fewest_ ? fewest_ : static_cast<std::size_t>(std::ceil(look_growth * static_cast<double>(n)));
    const double width =
        stats::relative_half_width(stats::block_interval(samples, confidence()), stats::median(samples));
    narrow_looks_ = width <= target_ ? narrow_looks_ + 1 : 0;
  }
  return narrow_looks_ >= looks_that_agree && n >= fewest_;
}

PointSampler::PointSampler(const MeasureSettings& settings, const DeviceInfo& device, bool in_place,
                           SamplingTime time)
    : settings_(settings),
      time_(time),
      rule_(settings),
      timer_step_ns_(device.timer_step_ns),
      on_processor_(device.type == DeviceType::cpu),
      max_batch_(in_place ? 1 : std::max(1U, device.max_batch)) {}

void PointSampler::executed_once(double ns) {
  estimate_ns_ = std::max(ns, 1.0);
  warmup_seconds_ += ns * 1e-9;
  if (on_processor_ && ns >= warm_on_processor_ns) {
    phase_ = Phase::sampling;
    return;
  }
  if (warmup_seconds_ < warmup_bound()) return;
  // An execution that fills the warm-up bound by itself was the warm-up, if executing is what took so long:
  // one more tells.
  perhaps_loading_ = warmup_bound() > 0 && ns < longest_loading_ns;
  if (!perhaps_loading_) phase_ = Phase::sampling;
}

double PointSampler::warmup_bound() const {
  return std::min(settings_.warmup_seconds, warmup_share * time_.cap);
}

void PointSampler::resume(const std::vector<double>& ns) {
  samples_ = ns;
  const std::span<const double> all(samples_);
  for (std::size_t n = 1; n <= all.size(); ++n) static_cast<void>(rule_.enough(all.first(n)));
}

std::uint32_t PointSampler::batch_for(double execution_ns) const {
  const double wanted = std::max(settings_.min_sample_ns, settings_.min_timer_steps * timer_step_ns_);
  return clamped_count(std::ceil(wanted / std::max(execution_ns, 1.0)), max_batch_);
}

SampleRequest PointSampler::next() const {
  SampleRequest request;
  request.cache = settings_.cache;
  request.launch = settings_.launch;
  request.basis = settings_.basis;
  request.batch = batch_;
  if (phase_ == Phase::warmup) {
    const std::uint32_t first = perhaps_loading_ ? 1 : clamped_count(3 * warmup_chunk_ns / estimate_ns_, 3);
    request.count = batch_known_ ? clamped_count(warmup_chunk_ns / sample_ns(), 20) : first;
    return request;
  }
  const auto taken = static_cast<std::uint32_t>(samples_.size());
  std::uint32_t most = rule_.goal() > taken ? rule_.goal() - taken : 1;
  if (settings_.mode == RoundMode::paired) {
    request.count = clamped_count(paired_round_ns / sample_ns(), std::min(most, most_in_paired_round));
    return request;
  }
  // Later rounds are longer, so that a point that needs thousands of samples has not as many rounds.
  // A fixed number is spread over rounds, too: points are compared by the rounds that both have.
  const std::uint32_t in_round = settings_.fixed_samples > 0
                                     ? (settings_.fixed_samples + least_rounds - 1) / least_rounds
                                     : std::max(in_first_rounds(), taken / least_rounds);
  most = std::min(most, in_round);
  if (rule_agrees_ && taken >= fewest_samples()) most = std::min(most, most_for_span);
  if (taken > 0) most = std::min(most, clamped_count(left_seconds() * 1e9 / sample_ns(), most));
  request.count = clamped_count(chunk_ns / sample_ns(), most);
  return request;
}

std::uint32_t PointSampler::in_first_rounds() const {
  // So few samples as a cap allows are spread over rounds, too.
  const std::uint32_t most = std::clamp(rule_.goal() / least_rounds, 1U, most_in_first_round);
  return clamped_count(first_round_ns / sample_ns(), most);
}

std::size_t PointSampler::fewest_samples() const {
  if (settings_.fixed_samples > 0 || time_.in_haste) return 0;
  return std::min(least_rounds * in_first_rounds(), rule_.goal());
}

bool PointSampler::covers_span() const {
  if (settings_.fixed_samples > 0 || time_.in_haste) return true;
  return rounds_seconds_ >= std::min(settings_.span_seconds, span_share * time_.cap);
}

bool PointSampler::may_leave() const {
  return samples_.size() >= fewest_to_leave || (!samples_.empty() && takes_long());
}

bool PointSampler::takes_long() const { return estimate_ns_ > long_execution_ns; }

bool PointSampler::discard_first() const { return sample_ns() < cheap_sample_ns; }

double PointSampler::expected_seconds() const {
  const SampleRequest request = next();
  return estimate_ns_ * request.batch * (request.count + 1.0) * 1e-9;
}

bool PointSampler::accept(const SampleBlock& block, double seconds) {
  spent_seconds_ += seconds;
  if (block.ns.empty()) throw std::invalid_argument("the plugin returned no samples");
  for (const double ns : block.ns) {
    if (!std::isfinite(ns) || ns < 0)
      throw std::invalid_argument(fmt::format("the plugin returned an invalid sample ({} ns)", ns));
  }
  estimate_ns_ = std::max(stats::median(block.ns), 1e-3);
  // An execution that verifies may load and compile for longer than it executes: samples that follow it
  // tell how many executions a sample holds.
  if (phase_ == Phase::sampling && !batch_known_ && batch_for(estimate_ns_) > batch_)
    phase_ = Phase::warmup;
  if (phase_ == Phase::warmup) {
    accept_warmup(block, seconds);
    return false;
  }
  batch_known_ = true;
  gated_ = gated_ && block.gated;
  if (!block.note.empty()) note_ = block.note;
  batch_ = block.batch;
  samples_.insert(samples_.end(), block.ns.begin(), block.ns.end());
  set_rounds_seconds(sampling_seconds_ += seconds);
  if (phase_ != Phase::done) decide();
  return true;
}

void PointSampler::accept_warmup(const SampleBlock& block, double seconds) {
  if (perhaps_loading_) warmup_seconds_ = 0;  // if it was executing, this execution fills the bound again
  perhaps_loading_ = false;
  warmup_seconds_ += seconds;
  if (const auto clock = block.readings.find("sm_clock");
      clock != block.readings.end() && !clock->second.empty()) {
    warmup_clocks_.push_back(clock->second.back());
  }
  // A batched mean and a single execution are not the same thing: compare like with like.
  if (const std::uint32_t batch = batch_for(estimate_ns_); !batch_known_ || batch > batch_ * 2) {
    batch_ = batch;
    batch_known_ = true;
    warmup_medians_.clear();
    settled_ = 0;
  } else {
    const double median = stats::median(block.ns);
    const double before = warmup_medians_.empty() ? 0 : warmup_medians_.back();
    const bool close = std::abs(median - before) <= settled_change * median;
    settled_ = close ? settled_ + 1 : 0;
    warmup_medians_.push_back(median);
  }
  const bool settled =
      settled_ >= settled_times && !on_a_ramp(warmup_medians_) && clock_stands(warmup_clocks_);
  if (settled || warmup_seconds_ >= warmup_bound()) phase_ = Phase::sampling;
}

void PointSampler::decide() {
  rule_agrees_ = rule_.enough(samples_);
  // The interval must also hold for samples that came after the rule had looked.
  const bool enough = rule_agrees_ && samples_.size() >= fewest_samples() && covers_span();
  if (enough && !(contested_ && settings_.fixed_samples == 0) && std::isfinite(excess()))
    return stop(rule_.reason());
  if (samples_.size() >= rule_.goal()) return stop(StopReason::max_samples);
  if (left_seconds() * 1e9 < sample_ns()) stop(StopReason::max_seconds);
}

void PointSampler::stop(StopReason reason) {
  stop_ = reason;
  phase_ = Phase::done;
}

Measurement PointSampler::measurement() const {
  Measurement result;
  summarize_into(result, samples_);
  result.batch = batch_;
  result.gated = gated_;
  const stats::Interval interval = stats::block_interval(samples_, rule_.confidence());
  result.ci_low_ns = interval.low < 0 ? 0 : interval.low;
  result.ci_high_ns = interval.high;
  result.warmup_ns = warmup_seconds_ * 1e9;
  result.stop = stop_;
  result.note = note_;
  return result;
}

double PointSampler::excess() const {
  if (settings_.fixed_samples > 0) {
    return std::sqrt(settings_.fixed_samples / std::max(1.0, static_cast<double>(samples_.size())));
  }
  if (samples_.empty()) return std::numeric_limits<double>::infinity();
  const double width = stats::relative_half_width(stats::block_interval(samples_, rule_.confidence()),
                                                  stats::median(samples_));
  return std::isnan(width) ? std::numeric_limits<double>::infinity() : width / settings_.target;
}

}  // namespace benchctl
