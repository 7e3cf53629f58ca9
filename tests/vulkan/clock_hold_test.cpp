// Who holds a card's clock, and how long, with a CUDA driver that counts. Built only where the plugin is.
#ifdef BENCHCTL_TEST_VULKAN
#include <benchctl/shared_library.hpp>

#include "driver/clock_hold.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

using benchctl::vulkan::ClockHold;

TEST_CASE("a card's clock is held as long as the device is open") {
  const std::string driver =
      (benchctl::test::tree_root() / "libexec/benchctl/tests/faulty_vulkan/libfake_cuda.so").string();
  const benchctl::SharedLibrary fake("the fake driver", {driver});
  int (*holders)() = nullptr;
  fake.bind(holders, "benchctl_test_holders");
  {
    const ClockHold first("0000:65:00.0", driver);
    const ClockHold second("0000:65:00.0", driver);
    const ClockHold of_another_card("0000:66:00.0", driver);
    CHECK(holders() == 2);
  }
  CHECK(holders() == 0);
}

TEST_CASE("without a CUDA driver, or with one that lacks a function, no clock is held") {
  CHECK_NOTHROW(ClockHold("0000:65:00.0", "libno_such_driver.so"));
  CHECK_NOTHROW(ClockHold("0000:65:00.0", "libc.so.6"));
}

#endif
