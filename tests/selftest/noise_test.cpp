// The noise of the fake backend is what its settings say.
#include "fake/noise.hpp"
#include "support/catch.hpp"

#include "stats/summary.hpp"

using namespace benchctl;
using fake::Noise;

namespace {

std::vector<double> observed(Noise noise, std::size_t count) {
  std::vector<double> all(count);
  for (double& one : all) one = noise.observe(1000, 1);
  return all;
}

double covariance(const std::vector<double>& values, std::size_t lag) {
  const double mean = stats::mean(values);
  double sum = 0;
  for (std::size_t i = lag; i < values.size(); ++i) sum += (values[i] - mean) * (values[i - lag] - mean);
  return sum / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("body and correlation come out as set") {
  std::vector<double> logs = observed(Noise({.body = 0.05, .correlation = 0.6}, "a"), 200'000);
  for (double& value : logs) value = std::log(value / 1000);
  CHECK(covariance(logs, 0) == Approx(0.05 * 0.05).epsilon(0.05));
  CHECK(covariance(logs, 1) / covariance(logs, 0) == Approx(0.6).margin(0.02));
  CHECK(std::abs(stats::median(logs)) < 0.001);
}

TEST_CASE("the tail is long, upwards only, and of the share that was set") {
  const std::vector<double> all = observed(Noise({.tail = 0.05}, "a"), 100'000);
  const auto late = std::ranges::count_if(all, [](double ns) { return ns > 1000; });
  CHECK(static_cast<double>(late) == Approx(5000).margin(300));
  CHECK(stats::quantile(all, 0.5) == 1000);
  CHECK(*std::ranges::min_element(all) == 1000);
  CHECK(*std::ranges::max_element(all) > 5000);
}

TEST_CASE("variants of a process share its pace, which changes slowly") {
  Noise one({.drift = 0.05}, "a");
  Noise two({.drift = 0.05}, "b");
  double least = 1e9;
  double most = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double first = one.observe(1e6, 1);
    const double second = two.observe(1e6, 1);
    REQUIRE(std::abs(first / second - 1) < 1e-3);
    least = std::min(least, first);
    most = std::max(most, first);
  }
  CHECK(least < 0.96e6);
  CHECK(most > 1.04e6);
}
