#include "engine/active_point.hpp"

#include <fmt/format.h>

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

std::string ActivePoint::shortfall() const {
  if (settings.mode == RoundMode::independent) return sampler->shortfall();
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
