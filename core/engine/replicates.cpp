#include "engine/replicates.hpp"

#include "stats/modes.hpp"
#include "stats/ratio.hpp"
#include "stats/summary.hpp"

#include <algorithm>

namespace benchctl {

namespace {

std::vector<double> pooled_samples(std::span<const Replicate> replicates) {
  std::vector<double> pooled;
  for (const Replicate& replicate : replicates)
    pooled.insert(pooled.end(), replicate.samples.begin(), replicate.samples.end());
  return pooled;
}

std::vector<double> medians_of(std::span<const Replicate> replicates) {
  std::vector<double> medians;
  for (const Replicate& replicate : replicates) medians.push_back(replicate.measurement.median_ns);
  return medians;
}

}  // namespace

void summarize_into(Measurement& result, std::span<const double> samples) {
  const stats::Summary summary = stats::summarize(samples);
  result.n_samples = samples.size();
  result.median_ns = summary.median;
  result.min_ns = summary.minimum;
  result.max_ns = summary.maximum;
  result.mean_ns = summary.mean;
  result.mad_ns = summary.mad;
  result.p5_ns = summary.p5;
  result.p25_ns = summary.p25;
  result.p75_ns = summary.p75;
  result.p95_ns = summary.p95;
}

Measurement combine(std::span<const Replicate> replicates) {
  Measurement result = replicates.back().measurement;
  if (replicates.size() == 1) return result;
  result.warmup_ns = 0;
  result.processes = static_cast<std::uint32_t>(replicates.size());
  result.gated = true;
  for (const Replicate& replicate : replicates) {
    result.warmup_ns += replicate.measurement.warmup_ns;
    result.gated = result.gated && replicate.measurement.gated;
  }
  summarize_into(result, pooled_samples(replicates));
  if (!result.note.empty()) result.note = "in the last process: " + result.note;
  const std::vector<double> medians = medians_of(replicates);
  if (std::ranges::all_of(medians, [](double median) { return median > 0; })) {
    const stats::RatioEstimate scatter = stats::mean_ratio(medians);
    result.ci_low_ns = result.median_ns * scatter.interval.low / scatter.ratio;
    result.ci_high_ns = result.median_ns * scatter.interval.high / scatter.ratio;
  }
  return result;
}

Resources replicate_metrics(std::span<const Replicate> replicates) {
  if (replicates.size() < 2) return {};
  std::vector<double> within;
  for (const Replicate& replicate : replicates) {
    within.push_back(replicate.measurement.mad_ns / replicate.measurement.median_ns);
  }
  const std::vector<double> medians = medians_of(replicates);
  return {{"replicates", static_cast<double>(replicates.size())},
          {"within_spread", stats::median(within)},
          {"between_spread", stats::summarize(medians).mad / stats::median(medians)}};
}

Resources mode_metrics(std::span<const Replicate> replicates) {
  constexpr double least_apart = 0.01;
  const auto modes = stats::two_modes(pooled_samples(replicates));
  if (!modes || modes->high < (1 + least_apart) * modes->low) return {};
  return {
      {"mode_low_ns", modes->low}, {"mode_high_ns", modes->high}, {"mode_high_share", modes->high_share}};
}

}  // namespace benchctl
