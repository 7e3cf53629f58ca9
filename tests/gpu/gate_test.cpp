#include "gpu/gate.hpp"
#include "support/catch.hpp"

#include <atomic>

using namespace benchctl::gpu;
using namespace std::chrono_literals;

TEST_CASE("the watchdog of a gate opens it once when its time is over", "[gpu][gate]") {
  std::atomic<int> opened{0};
  GateWatchdog watchdog(1ms, [&] {
    ++opened;
    opened.notify_all();
  });
  watchdog.closed();
  opened.wait(0);
  CHECK(watchdog.fired());
  int by_host = 0;
  CHECK_FALSE(watchdog.opens([&] { ++by_host; }));
  CHECK(by_host == 0);

  watchdog.closed();
  opened.wait(1);
  CHECK(opened == 2);
}

TEST_CASE("a gate that the host opens in time leaves its watchdog nothing to do", "[gpu][gate]") {
  int by_watchdog = 0;
  int by_host = 0;
  {
    GateWatchdog watchdog(24h, [&] { ++by_watchdog; });
    CHECK_FALSE(watchdog.opens([&] { ++by_host; }));
    CHECK(by_host == 0);
    watchdog.closed();
    CHECK(watchdog.opens([&] { ++by_host; }));
    CHECK_FALSE(watchdog.opens([&] { ++by_host; }));
    watchdog.closed();
    CHECK_FALSE(watchdog.fired());
  }  // does not wait for the end of the time
  CHECK(by_host == 1);
  CHECK(by_watchdog == 0);
}
