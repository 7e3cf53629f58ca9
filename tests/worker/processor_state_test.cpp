// What a kernel leaves of a processor's threads to others: named and restored.
#include "worker/processor_state.hpp"
#include "support/catch.hpp"

#include <sys/resource.h>
#include <thread>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

using namespace benchctl;

TEST_CASE("a thread gets back the processors that it may run on") {
  cpu_set_t before;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  if (CPU_COUNT(&before) < 2) SKIP("there is one processor");
  ProcessorState state;
  state.look();
  CHECK(state.restore().empty());
  cpu_set_t one;
  CPU_ZERO(&one);
  std::size_t first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  CPU_SET(first, &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  CHECK(state.restore() == "it changes on which processors a thread may run");
  cpu_set_t after;
  REQUIRE(sched_getaffinity(0, sizeof after, &after) == 0);
  CHECK(CPU_EQUAL(&before, &after));
  CHECK_FALSE(state.is_spoilt());
  CHECK(state.restore().empty());
}

#ifdef __SSE__
TEST_CASE("denormals that were switched off are switched on again") {
  ProcessorState state;
  state.look();
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040U);
  CHECK(state.restore().find("denormals") != std::string::npos);
  CHECK((_mm_getcsr() & 0xFFC0U) == (before & 0xFFC0U));
  CHECK(state.restore().empty());
}
#endif

TEST_CASE("a nice level that is changed is named, and restored or said to be lost") {
  std::string harm;
  bool lost = false;
  int levels[3] = {};
  std::thread([&] {  // it ends with what it could not get back
    ProcessorState state;
    state.look();
    levels[0] = getpriority(PRIO_PROCESS, 0);
    setpriority(PRIO_PROCESS, 0, levels[0] + 1);
    levels[1] = getpriority(PRIO_PROCESS, 0);
    harm = state.restore();
    lost = state.is_spoilt();
    levels[2] = getpriority(PRIO_PROCESS, 0);
  })
      .join();
  if (levels[1] == levels[0]) SKIP("there is no lower priority");
  CHECK(harm == "it changes the nice level of a thread from " + std::to_string(levels[0]) + " to " +
                    std::to_string(levels[1]));
  CHECK(lost == (levels[2] != levels[0]));
}
