// Paired rounds: which points are compared, how many executions their samples hold, and when their ratios
// are known.
#include "engine/group_runner.hpp"

#include <algorithm>
#include <cmath>

namespace benchctl {

namespace {

/// The ratios are looked at after so many rounds, and then whenever there are half as many more: an
/// interval that is looked at again and again until it is narrow comes out too narrow.
constexpr std::int64_t first_look = 20;
constexpr double look_growth = 1.5;

}  // namespace

void GroupRunner::choose_pairs() {
  std::vector<PairCandidate> candidates;
  std::vector<ActivePoint*> owners;
  for (ActivePoint& active : active_) {
    if (active.settings.mode != RoundMode::paired) continue;
    candidates.push_back({&active.point(), active.device.type, active.variant->vendor});
    owners.push_back(&active);
  }
  const auto baselines = choose_baselines(candidates, context_.compare);
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (baselines[i]) owners[i]->baseline = owners[*baselines[i]];
  }
}

void GroupRunner::share_batches() {
  const std::vector<ActivePoint*> open = open_points();
  std::vector<Batch> batches;
  for (const ActivePoint* active : open) {
    batches.push_back({active->sampler->batch(), active->sampler->most_in_batch()});
  }
  const std::vector<std::uint32_t> equal = equal_batches(batches);
  for (std::size_t i = 0; i < open.size(); ++i) open[i]->sampler->set_batch(equal[i]);
}

void GroupRunner::choose_last_rounds(std::int64_t rounds) {
  const bool enough = enough_rounds(rounds);
  const auto has_ended = [](const ActivePoint& one) { return one.is_over() && one.sampler->done(); };
  for (ActivePoint* active : open_points()) {
    if (enough) active->last_round = StopReason::target;
    // Rounds without its baseline are worth nothing to a pair, nor those of a baseline without the others.
    const ActivePoint* last = active->baseline;
    bool alone = last != nullptr && has_ended(*last);
    if (last == nullptr) {
      for (const ActivePoint& other : active_) {
        if (other.baseline != active) continue;
        alone = has_ended(other);
        last = &other;
        if (!alone) break;
      }
    }
    if (alone) active->last_round = last->sampler->stop_reason();
  }
}

bool GroupRunner::enough_rounds(std::int64_t rounds) {
  const auto covers_span = [](const ActivePoint& active) {
    return active.is_over() || active.sampler->covers_span();
  };
  if (rounds < std::max(first_look, next_look_) || !std::ranges::all_of(active_, covers_span)) return false;
  next_look_ = static_cast<std::int64_t>(std::ceil(look_growth * static_cast<double>(rounds)));
  const auto comparisons = static_cast<std::size_t>(
      std::ranges::count_if(active_, [](const ActivePoint& active) { return active.baseline != nullptr; }));
  return std::ranges::all_of(active_, [&](const ActivePoint& active) {
    const bool is_fixed = active.settings.fixed_samples > 0;
    if (active.is_over() || active.baseline == nullptr || is_fixed) return !is_fixed;
    return ratio_is_known(active.pair(), active.settings.target, context_.compare.threshold, comparisons);
  });
}

}  // namespace benchctl
