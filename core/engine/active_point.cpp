#include "engine/active_point.hpp"

#include <cmath>
#include <limits>

namespace benchctl {

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
