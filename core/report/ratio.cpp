#include "report/ratio.hpp"

#include <cmath>
#include <limits>

namespace benchctl {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

bool usable(const Estimate& estimate) { return estimate.interval.known() && estimate.interval.low > 0; }

double below(const Estimate& estimate) { return std::log(estimate.value / estimate.interval.low); }
double above(const Estimate& estimate) { return std::log(estimate.interval.high / estimate.value); }

}  // namespace

Estimate ratio_of(const Estimate& numerator, const Estimate& denominator) {
  if (!(numerator.value > 0) || !(denominator.value > 0)) return {unknown, {unknown, unknown}};
  const double ratio = numerator.value / denominator.value;
  if (!usable(numerator) || !usable(denominator)) return {ratio, {unknown, unknown}};
  const double down = std::hypot(below(numerator), above(denominator));
  const double up = std::hypot(above(numerator), below(denominator));
  return {ratio, {ratio * std::exp(-down), ratio * std::exp(up)}};
}

}  // namespace benchctl
