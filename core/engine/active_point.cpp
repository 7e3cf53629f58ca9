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
  return fmt::format(
      "the ratio to {} is known to ±{:.3g} %, the target is ±{:.3g} %; allow more time or a "
      "wider target",
      baseline->point().label(), 100 * width, 100 * settings.target);
}

}  // namespace benchctl
