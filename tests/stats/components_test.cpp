// Variance components of nested times, and how many processes a difference takes.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "stats/components.hpp"
#include "stats/summary.hpp"
#include "support/series.hpp"

#include <array>
#include <cmath>
#include <stdexcept>

using namespace benchctl::stats;
using benchctl::test::Random;
using Catch::Matchers::WithinRel;

namespace {

struct Sizes {
  int runs;
  int processes;
  int blocks;
  int executions;
};

/// Log times with standard deviations of 4 % (executions), 3 % (blocks), 2 % (processes), 1 % (runs).
NestedTimes times(const Sizes& sizes, std::uint64_t seed) {
  Random random(seed);
  NestedTimes all;
  for (int run = 0; run < sizes.runs; ++run) {
    auto& processes = all.emplace_back();
    const double of_run = 0.01 * random.normal();
    for (int process = 0; process < sizes.processes; ++process) {
      auto& blocks = processes.emplace_back();
      const double of_process = of_run + 0.02 * random.normal();
      for (int block = 0; block < sizes.blocks; ++block) {
        auto& executions = blocks.emplace_back();
        const double of_block = of_process + 0.03 * random.normal();
        for (int i = 0; i < sizes.executions; ++i) executions.push_back(of_block + 0.04 * random.normal());
      }
    }
  }
  return all;
}

}  // namespace

TEST_CASE("each level gets the variance that it adds") {
  const VarianceComponents found = variance_components(times({200, 20, 5, 4}, 1));
  REQUIRE(found.executions);
  REQUIRE(found.runs);
  CHECK_THAT(*found.executions, WithinRel(0.0016, 0.05));
  CHECK_THAT(*found.blocks, WithinRel(0.0009, 0.05));
  CHECK_THAT(*found.processes, WithinRel(0.0004, 0.1));
  CHECK_THAT(*found.runs, WithinRel(0.0001, 0.35));
  CHECK_THAT(*found.of_process_mean, WithinRel(0.0004 + 0.0009 / 5 + 0.0016 / 20, 0.05));
  CHECK(found.processes_in_run == 20);
}

TEST_CASE("a level that is not repeated is told together with the next one") {
  const VarianceComponents single = variance_components(times({2000, 1, 5, 4}, 2));
  CHECK_FALSE(single.processes);
  CHECK_FALSE(single.of_process_mean);
  REQUIRE(single.runs);
  CHECK_THAT(*single.runs, WithinRel(0.0001 + 0.0004, 0.15));
  const VarianceComponents one_run = variance_components(times({1, 10, 5, 1}, 3));
  CHECK_FALSE(one_run.executions);
  CHECK(one_run.blocks);
  CHECK(one_run.processes);
  CHECK_FALSE(one_run.runs);
  CHECK_FALSE(variance_components({}).executions);
  CHECK_FALSE(variance_components({{{{1.0}}}}).runs);
  // By hand: two blocks of two around 1 and 2.
  const VarianceComponents small = variance_components({{{{0.9, 1.1}, {1.8, 2.2}}}});
  CHECK_THAT(*small.executions, WithinRel(0.05, 1e-9));
  CHECK_THAT(*small.blocks, WithinRel(0.5 - 0.05 / 2, 1e-9));
}

TEST_CASE("levels of unequal sizes count by their degrees of freedom, and empty ones not at all") {
  const NestedTimes runs{{{{1, 3}, {}, {5}}, {}, {{12, 14, 16}}}, {}, {{{107, 109}, {108, 112}}}};
  const VarianceComponents found = variance_components(runs);
  // Squares 2 + 8 + 2 + 8 with 1 + 2 + 1 + 1 degrees of freedom.
  CHECK_THAT(*found.executions, WithinRel(4.0, 1e-12));
  // Blocks 2 and 5, 108 and 110; the errors of their means are 4/2, 4/1, 4/2, 4/2.
  CHECK_THAT(*found.blocks, WithinRel(6.5 / 2 - 10.0 / 4, 1e-12));
  // Processes 3.5 and 14; the errors of their means are 3.25/2 and 3.25/1.
  CHECK_THAT(*found.of_process_mean, WithinRel(55.125, 1e-12));
  CHECK_THAT(*found.processes, WithinRel(55.125 - 4.875 / 2, 1e-12));
  // Runs 8.75 and 109, with the errors 55.125/2 and 55.125/1.
  CHECK_THAT(*found.of_run_mean, WithinRel(100.25 * 100.25 / 2, 1e-12));
  CHECK_THAT(*found.runs, WithinRel(100.25 * 100.25 / 2 - 55.125 * 1.5 / 2, 1e-12));
  CHECK(found.processes_in_run == 1.5);
  // Runs of one process each: the errors of their means are those of the processes, 3.25/2.
  const VarianceComponents single = variance_components({{{{1, 3}, {5}}}, {{{107, 109}, {108, 112}}}});
  CHECK_FALSE(single.processes);
  CHECK_THAT(*single.runs, WithinRel(105.5 * 105.5 / 2 - 3.25 / 2, 1e-12));
}

TEST_CASE("so many processes find the difference, but for one case in twenty") {
  constexpr double deviation = 0.01;
  const unsigned needed = processes_to_find(0.02, deviation * deviation);
  CHECK(needed >= 5);
  CHECK(needed <= 10);
  int found = 0;
  constexpr int trials = 2000;
  Random random(4);
  for (int trial = 0; trial < trials; ++trial) {
    std::array<double, 2> means{};
    double squares = 0;
    for (std::size_t side = 0; side < 2; ++side) {
      std::vector<double> values;
      for (unsigned i = 0; i < needed; ++i)
        values.push_back((side == 0 ? 0 : std::log(1.02)) + deviation * random.normal());
      means[side] = mean(values);
      for (const double value : values) squares += (value - means[side]) * (value - means[side]);
    }
    const double error = std::sqrt(squares / (2.0 * needed - 2) * 2 / needed);
    // Student's quantile of 8 to 18 degrees of freedom lies between 2.31 and 2.1.
    found += means[1] - means[0] > 2.2 * error ? 1 : 0;
  }
  CHECK(found >= 0.93 * trials);
  CHECK(found <= 0.985 * trials);
  CHECK(processes_to_find(0.02, 0) == 2);
  // Student's quantiles of two degrees of freedom are 4.303 and 2.920: two of each find 7.223 %, as a
  // logarithm.
  CHECK(processes_to_find(std::expm1(0.0723), 1e-4) == 2);
  CHECK(processes_to_find(std::expm1(0.0722), 1e-4) == 3);
  CHECK(processes_to_find(0.01, deviation * deviation) > 3 * needed);
  CHECK(processes_to_find(1e-6, 1) == 10'000);
  CHECK_THROWS_AS(processes_to_find(0, 1), std::invalid_argument);
  CHECK_THROWS_AS(processes_to_find(0.02, -1), std::invalid_argument);
}

TEST_CASE("another process is worth more than many executions") {
  VarianceComponents components;
  CHECK_FALSE(executions_worthwhile(components, 1, 0.001));
  components.executions = 0.0016;
  components.processes = 0.0001;
  CHECK_THAT(*executions_worthwhile(components, 1, 0.01), WithinRel(40.0, 1e-12));
  CHECK(*executions_worthwhile(components, 1e-9, 1) == 1);
  for (const std::optional<double> none : {std::optional(0.0), std::optional<double>()}) {
    components.processes = none;
    CHECK_FALSE(executions_worthwhile(components, 1, 0.01));
  }
}
