// What the estimators are built from: checks of samples, order statistics, the step of a timer.
#include <catch2/catch_test_macros.hpp>

#include "stats/order.hpp"

#include <cmath>
#include <limits>
#include <span>
#include <vector>

using namespace benchctl::stats;

TEST_CASE("ratios need samples, all of them finite and above 0") {
  CHECK(have_ratios(std::vector{0.5, 3.0}));
  CHECK_FALSE(have_ratios({}));
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    CHECK_FALSE(have_ratios(std::vector{1.0, bad}));
    CHECK_FALSE(have_ratios(std::vector{bad, 1.0}));
  }
}

TEST_CASE("the step of a lattice is the least difference that is none of equal samples") {
  const std::vector<double> sorted{1, 1.5, 1.5, 3, 4, 4.25};
  CHECK(lattice_step(sorted) == 0.25);
  CHECK(lattice_step(std::span(sorted).first(5)) == 0.5);
  CHECK(lattice_step(std::span(sorted).subspan(1, 4)) == 1);
  CHECK(std::isinf(lattice_step(std::vector<double>(3, 2.0))));
  CHECK(std::isinf(lattice_step({})));
}
