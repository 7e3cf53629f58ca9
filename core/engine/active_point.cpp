#include "engine/active_point.hpp"

#include "stats/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace benchctl {

Pair ActivePoint::pair() const { return {&rounds, &baseline->rounds, baseline->point().label()}; }

double ActivePoint::excess() const {
  if (settings.mode == RoundMode::independent || settings.fixed_samples > 0) return sampler->excess();
  if (baseline == nullptr) return 0;
  const double width = ratio_half_width(pair());
  return std::isnan(width) ? std::numeric_limits<double>::infinity() : width / settings.target;
}

namespace {

/// Of several processes, of which caps ended some outside the target: judged by the interval that is shown.
std::string shortfall_of(const std::vector<Replicate>& replicates, const MeasureSettings& settings) {
  const auto cut = std::ranges::find_if(replicates, [](const Replicate& replicate) {
    const StopReason stop = replicate.measurement.stop;
    return stop != StopReason::target && stop != StopReason::fixed;
  });
  if (cut == replicates.end()) return {};
  const Measurement all = combine(replicates);
  const double width = stats::relative_half_width({all.ci_low_ns, all.ci_high_ns}, all.median_ns);
  if (width <= settings.target) return {};
  const std::string of_all = fmt::format("the median over {} processes", replicates.size());
  const std::string cap = cap_text(cut->measurement.stop, settings);
  if (std::isnan(width)) return fmt::format("too few samples within {} for an interval of {}", cap, of_all);
  return missed_target(of_all, width, settings.target, cap) + ", or more replicates";
}

}  // namespace

std::string ActivePoint::shortfall() const {
  if (settings.mode == RoundMode::independent) {
    return replicates.size() > 1 ? shortfall_of(replicates, settings) : sampler->shortfall();
  }
  if (baseline == nullptr || settings.fixed_samples > 0) return {};
  const double width = ratio_half_width(pair());
  if (width <= settings.target) return {};
  if (std::isnan(width)) {
    return fmt::format("only {} rounds: too few for an interval of the ratio; allow the point more time",
                       rounds.size());
  }
  return missed_target("the ratio to " + baseline->point().label(), width, settings.target);
}

}  // namespace benchctl
