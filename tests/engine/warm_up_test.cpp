// When a point has warmed up.
#include "engine/sampler_steps.hpp"
#include "support/catch.hpp"
#include "support/series.hpp"

#include <utility>

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("warming up asks for three short executions, then for 10 ms of samples, 20 at most") {
  for (const auto& [ns, count] :
       std::vector<std::pair<double, std::uint32_t>>{{2e6, 5U}, {1e6, 10U}, {1e5, 20U}, {3e7, 1U}}) {
    MeasureSettings settings;
    settings.max_seconds = 100;
    PointSampler sampler(settings, device(), false);
    sampler.executed_once(ns);
    REQUIRE(sampler.warming_up());
    CHECK(sampler.next().count == (ns < 1e7 ? 3 : 1));
    CHECK(sampler.next().batch == 1);
    sampler.accept(answer(sampler.next(), ns), 0.001);
    CHECK(sampler.next().count == count);
  }
}

TEST_CASE("warming up takes a quarter of the point's time at most") {
  for (const double first_seconds : {0.24, 0.26}) {
    MeasureSettings settings;
    settings.max_seconds = 1;
    settings.warmup_seconds = 10;
    PointSampler sampler(settings, device(), false);
    sampler.executed_once(first_seconds * 1e9);
    REQUIRE(sampler.warming_up());
    // Beyond the bound a single execution more tells that it was no loading.
    CHECK(sampler.next().count == 1);
    sampler.accept(answer(sampler.next(), first_seconds * 1e9),
                   first_seconds < 0.25 ? 0.009 : first_seconds);
    CHECK(sampler.warming_up() == (first_seconds < 0.25));
    if (!sampler.warming_up()) continue;
    sampler.accept(answer(sampler.next(), first_seconds * 1e9), 0.002);
    CHECK_FALSE(sampler.warming_up());
  }
}

TEST_CASE(
    "a first execution that loads a library is no warm-up: what follows is batched and warmed up like any "
    "other") {
  MeasureSettings settings;
  settings.warmup_seconds = 0.05;
  PointSampler sampler(settings, device(500), false);
  sampler.executed_once(0.2e9);
  REQUIRE(sampler.warming_up());
  CHECK(sampler.next().count == 1);
  CHECK(sampler.next().batch == 1);
  sampler.accept(answer(sampler.next(), 8'000), 0.001);
  REQUIRE(sampler.warming_up());
  CHECK(sampler.next().batch == 13);
  warm_up(sampler, 8'000);
  CHECK(sampler.next().batch == 13);
  sampler.accept(answer(sampler.next(), 8'000), 0.001);
  CHECK(sampler.measurement().warmup_ns < 50e6);
}

TEST_CASE("a point that is far slower than another is warm once its batch is known") {
  MeasureSettings settings;
  PointSampler sampler(settings, device(), false);
  sampler.executed_once(100'000);
  sampler.end_warm_up();
  CHECK(sampler.warming_up());
  sampler.accept(answer(sampler.next(), 100'000), 1e-4);
  REQUIRE(sampler.warming_up());
  sampler.end_warm_up();
  CHECK_FALSE(sampler.warming_up());
  CHECK(sampler.accept(answer(sampler.next(), 100'000), 1e-4));
}

TEST_CASE("times within a hundredth of one another have settled, others have not") {
  for (const double other : {100'900.0, 103'000.0}) {
    MeasureSettings settings;
    settings.warmup_seconds = 10;
    settings.max_seconds = 100;
    PointSampler sampler(settings, device(), false);
    sampler.executed_once(100'000);
    int requests = 0;
    while (sampler.warming_up() && requests < 20) {
      sampler.accept(answer(sampler.next(), ++requests % 2 == 0 ? other : 100'000), 1e-4);
    }
    INFO(other << " ns after 100,000");
    CHECK(sampler.warming_up() == (other > 101'000));
  }
}

TEST_CASE("a slow ramp is not taken for settled, noise is") {
  const auto seconds_for = [](double change_in_chunk) {
    MeasureSettings settings;
    settings.max_seconds = 10;
    PointSampler sampler(settings, device(), false);
    sampler.executed_once(1e6);
    double ns = 1e6;
    double spent = 0;
    test::Random random(1);
    while (sampler.warming_up()) {
      SampleBlock block = answer(sampler.next(), ns);
      for (double& sample : block.ns) sample *= 1 + 0.002 * random.normal();
      sampler.accept(block, 0.01);
      spent += 0.01;
      ns *= 1 + change_in_chunk;
    }
    return spent;
  };
  // 10 % over 0.3 s, in chunks of 10 ms: neighbours differ by 0.33 %.
  CHECK(seconds_for(0.0033) > 0.2);
  CHECK(seconds_for(-0.0033) > 0.2);
  CHECK(seconds_for(0) < 0.08);
}

TEST_CASE("warm-up goes on until the clock stands, where it is read") {
  const auto requests_with = [](const std::vector<double>& clocks) {
    MeasureSettings settings;
    settings.max_seconds = 100;
    PointSampler sampler(settings, device(), false);
    sampler.executed_once(1e6);
    std::size_t requests = 0;
    for (; sampler.warming_up(); ++requests) {
      SampleBlock block = answer(sampler.next(), 1e6);
      if (!clocks.empty()) block.readings["sm_clock"] = {clocks[std::min(requests, clocks.size() - 1)]};
      sampler.accept(block, 0.001);
    }
    return requests;
  };
  const std::size_t by_times = requests_with({});
  CHECK(requests_with({1980}) == by_times);
  // 1971 is within a hundredth of 1980: with it, three are alike after the eleventh request.
  CHECK(requests_with({1200, 1280, 1360, 1440, 1520, 1600, 1700, 1800, 1971, 1980}) == 11);
  CHECK(by_times < 11);
  // A clock that never stands ends with the bound.
  std::vector<double> restless;
  for (int i = 0; i < 1000; ++i) restless.push_back(i % 2 == 0 ? 1200 : 1980);
  CHECK(requests_with(restless) >= 249);
  CHECK(requests_with(restless) <= 250);
}
