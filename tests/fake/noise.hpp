// Durations as real machines scatter them: a log-normal body in which neighbours resemble each other, now
// and then a sample that something held up, and a slow drift that all variants of a process share, since it
// is the machine's. Time is simulated: nothing sleeps.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <string_view>

namespace benchctl::fake {

struct NoiseSettings {
  double body = 0;         ///< standard deviation of the logarithm of a sample
  double correlation = 0;  ///< correlation of neighbouring samples' bodies, in [0, 1)
  double tail = 0;         ///< share of samples that are held up
  double drift = 0;        ///< largest relative change of the machine's pace
  double process = 0;      ///< standard deviation of what a process does to a variant for good
  std::uint64_t seed = 1;  ///< 0: another one each time
};

/// The simulated time of this process, in nanoseconds.
inline double& simulated_ns() {
  static double now = 0;
  return now;
}

/// The factor that the machine's pace has now: two slow waves, the longer one of half a minute, so that a
/// run of seconds sees it as a trend.
inline double pace(double drift) {
  const double seconds = simulated_ns() * 1e-9;
  constexpr double turn = 2 * std::numbers::pi;
  return 1 + drift * (0.7 * std::sin(turn * seconds / 30) + 0.3 * std::sin(turn * seconds / 1.7));
}

class Noise {
 public:
  /// `name` gives variants of one seed noise of their own.
  Noise(const NoiseSettings& settings, std::string_view name)
      : settings_(settings), random_(seed_of(settings.seed, name)) {
    if (settings_.process > 0) bias_ = std::exp(settings_.process * normal_(random_));
  }

  /// One observation of something that takes `ns` in a quiet hour, as the mean of `batch` executions.
  double observe(double ns, std::uint32_t batch) {
    double factor = bias_ * pace(settings_.drift);
    if (settings_.body > 0) {
      const double fresh = std::sqrt(1 - settings_.correlation * settings_.correlation);
      state_ = settings_.correlation * state_ + fresh * normal_(random_);
      factor *= std::exp(settings_.body * state_);
    }
    // A Pareto tail of index 1.5: a mean, but no variance.
    if (settings_.tail > 0 && uniform() < settings_.tail) {
      factor *= 1 + 0.05 * (std::pow(1 - uniform(), -1 / 1.5) - 1);
    }
    const double observed = factor == 1 ? ns : ns * factor;
    simulated_ns() += observed * batch;
    return observed;
  }

 private:
  static std::uint64_t seed_of(std::uint64_t seed, std::string_view name) {
    if (seed == 0) {
      std::random_device device;
      return (std::uint64_t{device()} << 32) | device();
    }
    // Which of this process's it is counts, too: a problem further on has other noise.
    static std::uint64_t made = 0;
    std::uint64_t mixed = seed * 0x9e3779b97f4a7c15U + ++made;
    for (const char c : name) mixed = (mixed ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return mixed;
  }
  double uniform() { return std::uniform_real_distribution<double>(0, 1)(random_); }

  NoiseSettings settings_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_{0, 1};
  double bias_ = 1;
  double state_ = 0;
};

}  // namespace benchctl::fake
