#include "engine/interrupt.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <atomic>

using namespace benchctl;
using Catch::Matchers::WithinAbs;

TEST_CASE("a clock goes with time, and stands still while nobody could look at it") {
  std::atomic<double> now = 100;
  RunningClock clock([&] { return now.load(); });
  CHECK(clock.seconds() == 0);
  now = 100.5;
  CHECK_THAT(clock.seconds(), WithinAbs(0.5, 1e-9));
  now = 102;
  CHECK_THAT(clock.seconds(), WithinAbs(2, 1e-9));
  // A stop of 50 s: the 2 s count that a busy machine may take between two looks.
  now = 152;
  CHECK_THAT(clock.seconds(), WithinAbs(4, 1e-9));
  now = 153;
  CHECK_THAT(clock.seconds(), WithinAbs(5, 1e-9));
}
