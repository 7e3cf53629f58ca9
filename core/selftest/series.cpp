#include "selftest/series.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace benchctl::selftest {

namespace {

constexpr double centre = 1000;

template <class Draw>
void independent(std::span<double> out, Draw draw) {
  for (double& sample : out) sample = draw();
}

void normal(RandomNumbers& random, std::span<double> out) {
  independent(out, [&] { return centre * (1 + 0.03 * random.normal()); });
}

void log_normal(RandomNumbers& random, std::span<double> out) {
  independent(out, [&] { return centre * std::exp(0.05 * random.normal()); });
}

/// Two normal humps of equal weight, their centres so far apart that next to nothing lies between them: the
/// median is any number in the gap, and its middle by symmetry.
void bimodal(RandomNumbers& random, std::span<double> out) {
  independent(out, [&] {
    const double side = random.uniform() < 0.5 ? -0.02 : 0.02;
    return centre * (1 + side + 0.01 * random.normal());
  });
}

/// A body of 2 % with one sample in ten delayed, by times without a mean: 5 % · (1/u − 1).
void heavy_tailed(RandomNumbers& random, std::span<double> out) {
  independent(out, [&] {
    const double body = centre * (1 + 0.02 * random.normal());
    // Half of the delays fall on either half of the body, so that these do not move the median.
    const bool outlier = random.uniform() < 0.1;
    const double sign = body < centre ? -0.01 : 0.05;
    return outlier ? body * (1 + sign * std::min(1 / random.uniform() - 1, sign < 0 ? 50.0 : 1e6)) : body;
  });
}

/// The steps of a coarse timer: ten of them in the spread of the samples.
void quantised(RandomNumbers& random, std::span<double> out) {
  independent(out, [&] { return centre + 10 * std::round(3 * random.normal()); });
}

/// A clock that slows down by 2 % over the series, around the centre.
void drifting(RandomNumbers& random, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(out.size()) - 0.5;
    out[i] = centre * (1 + 0.02 * place + 0.02 * random.normal());
  }
}

/// A first-order autoregression around the centre.
template <int percent>
void autoregression(RandomNumbers& random, std::span<double> out) {
  constexpr double memory = percent / 100.0;
  double state = random.normal();
  for (double& sample : out) {
    state = memory * state + std::sqrt(1 - memory * memory) * random.normal();
    sample = centre * (1 + 0.03 * state);
  }
}

/// Two states a tenth apart, each kept for five samples in the mean: the median is anything between.
void clusters(RandomNumbers& random, std::span<double> out) {
  double side = random.uniform() < 0.5 ? -0.05 : 0.05;
  for (double& sample : out) {
    if (random.uniform() < 0.2) side = -side;
    sample = centre * (1 + side + 0.005 * random.normal());
  }
}

constexpr std::array<SeriesKind, 10> kinds{{{"normal", centre, true, &normal},
                                            {"log-normal", centre, true, &log_normal},
                                            {"heavy-tailed", centre, true, &heavy_tailed},
                                            {"bimodal", centre, false, &bimodal},
                                            {"quantised", centre, false, &quantised},
                                            {"drifting", centre, false, &drifting},
                                            {"autoregression 0.3", centre, false, &autoregression<30>},
                                            {"autoregression 0.7", centre, false, &autoregression<70>},
                                            {"autoregression 0.95", centre, false, &autoregression<95>},
                                            {"clusters", centre, false, &clusters}}};

}  // namespace

double RandomNumbers::uniform() { return (static_cast<double>(random_() >> 11) + 0.5) * 0x1p-53; }

double RandomNumbers::normal() {
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

std::span<const SeriesKind> series_kinds() { return kinds; }

}  // namespace benchctl::selftest
