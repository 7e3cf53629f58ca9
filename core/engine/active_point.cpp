#include "engine/active_point.hpp"

#include "model/metrics.hpp"
#include "observe/lane_watch.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

namespace benchctl {

namespace {

/// A device that is slowed down needs time, not work. Grows with every repetition.
constexpr auto recovery_time = std::chrono::milliseconds(20);

}  // namespace

bool PointObservation::discard(const Observed& observed, std::size_t samples) {
  for (const auto& [id, reason] : observed.absent) absent_[id] = reason;
  if (observed.redo.empty()) return false;
  if (retries_ == most_retries) {
    why_kept_ = observed.redo;
    return false;
  }
  ++retries_;
  discarded_ += samples;
  why_discarded_ = observed.redo;
  std::this_thread::sleep_for(retries_ * recovery_time);
  return true;
}

void PointObservation::add_pass(const PassReply& reply) {
  for (const auto& [id, reason] : reply.absent) absent_[id] = reason;
  for (const auto& [id, value] : reply.metrics) pass_[id] = value;
}

void PointObservation::pass_failed(std::span<const std::string> asked, const std::string& reason) {
  for (const std::string& id : asked) absent_.try_emplace(id, reason);
}

void PointObservation::conclude(Result& result, std::span<const SampleRow> rows,
                                const Catalogue& catalogue) const {
  std::vector<ObservedBlock> blocks;
  blocks.reserve(rows.size());
  for (const SampleRow& row : rows) blocks.push_back({&row.block, row.used});
  for (const auto& [id, value] : summarize_readings(blocks, catalogue.readings))
    result.resources[metric_of_reading(id)] = value;
  for (const auto& [id, value] : pass_) result.resources[metric_of_reading(id)] = value;
  for (const auto& [id, reason] : absent_) {
    if (!result.resources.contains(metric_of_reading(id))) result.notes["not_observed." + id] = reason;
  }
  if (retries_ == 0) return;
  std::string text = fmt::format("{} samples were discarded and retaken ({})", discarded_, why_discarded_);
  if (!why_kept_.empty()) {
    text += fmt::format("; after {} retries samples were kept anyway: {}", most_retries, why_kept_);
  }
  result.notes["redone"] = text;
}

Pair ActivePoint::pair() const {
  return {&rounds, &baseline->rounds, baseline->entry->ordinal, baseline->point().label()};
}

double ActivePoint::excess() const {
  if (settings.mode == RoundMode::independent || settings.fixed_samples > 0) return sampler->excess();
  if (baseline == nullptr) return 0;
  const double width = ratio_half_width(pair());
  return std::isnan(width) ? std::numeric_limits<double>::infinity() : width / settings.target;
}

}  // namespace benchctl
