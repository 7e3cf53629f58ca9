// How long a sample on a GPU is held, from how long queueing took before.
#include "measure/hold_time.hpp"
#include "support/catch.hpp"

using benchctl::opencl::HoldTime;

TEST_CASE("a hold lasts longer than the commands behind it take to queue") {
  HoldTime time;
  const double first = time.for_commands(100);
  CHECK(first > 100 * 8e3);  // the slowest driver seen
  for (int sample = 0; sample < 100; ++sample) time.learn(100, 100 * 2e3, false);
  CHECK(time.for_commands(100) > 100 * 2e3);
  CHECK(time.for_commands(100) < first / 2);
  CHECK(time.for_commands(200) > time.for_commands(100));
}

TEST_CASE("a queue that was slower once is held longer at once, and shorter only bit by bit") {
  HoldTime time;
  for (int sample = 0; sample < 200; ++sample) time.learn(10, 10 * 1e3, false);
  const double usual = time.for_commands(10);
  time.learn(10, 10 * 3e3, false);
  const double longer = time.for_commands(10);
  CHECK(longer > 10 * 3e3);
  time.learn(10, 10 * 1e3, false);
  CHECK(time.for_commands(10) > 0.85 * longer);
  for (int sample = 0; sample < 200; ++sample) time.learn(10, 10 * 1e3, false);
  CHECK_THAT(time.for_commands(10), WithinRel(usual, 0.01));
}

TEST_CASE("a single command that was queued very slowly, and one after the other, are told apart") {
  HoldTime time;
  for (int sample = 0; sample < 200; ++sample) time.learn(1, 5e3, false);
  time.learn(1, 10e6, false);  // the driver loads the kernel
  CHECK(time.for_commands(80) < 5e6);
  for (int sample = 0; sample < 20; ++sample) time.learn(80, 80 * 5e3, false);
  CHECK(time.for_commands(80) < 1.5e6);
  int lost = 0;
  while (time.for_commands(80) < 80 * 1e6) {  // each takes so long from now on
    time.learn(80, 80 * 1e6, true);
    ++lost;
  }
  CHECK(lost <= 5);
}

TEST_CASE("a hold that ended too early is doubled until it does not, and commands may be none") {
  HoldTime time;
  double before = time.for_commands(1000);
  for (int sample = 0; sample < 3; ++sample) {
    time.learn(1000, 1000.0, true);
    CHECK_THAT(time.for_commands(1000) - time.for_commands(0),
               WithinRel(2 * (before - time.for_commands(0)), 1e-9));
    before = time.for_commands(1000);
  }
  time.learn(0, 5e3, false);
  CHECK(time.for_commands(0) > 0);
}
