
#include "plugin_under_test.hpp"
#include "support/catch.hpp"
#include "support/failure_of.hpp"

#include <dlfcn.h>

#include <regex>

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("without a driver the plugin works and says why there is no device", "[cuda]") {
  Backend& backend = built_backend("cuda");
  if (void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL); driver != nullptr) {
    SKIP("this machine has a CUDA driver");
  }
  const DeviceList list = backend.devices();
  CHECK(list.devices.empty());
  CHECK_THAT(list.unavailable, ContainsSubstring("no CUDA driver"));
  CHECK_THAT(list.unavailable, ContainsSubstring("libcuda.so.1"));
  CHECK_FALSE(backend.variants().empty());
  CHECK(backend.compiles_offline());
  const Failure failure = failure_of([&] { static_cast<void>(backend.open("0", {})); });
  CHECK(failure.kind() == FailureKind::no_device);
}

TEST_CASE("devices are described completely", "[cuda][gpu]") {
  std::size_t ordinal = 0;
  for (const GpuLane& lane : gpu_lanes({"cuda"})) {
    const DeviceInfo& device = lane.device;
    INFO(device.name);
    CHECK(device.id == std::to_string(ordinal++));
    CHECK(device.vendor == "NVIDIA");
    CHECK(device.type == DeviceType::gpu);
    CHECK(device.driver.starts_with("CUDA driver "));
    CHECK(std::regex_match(device.architecture, std::regex("sm_[0-9]{2,3}a?")));
    CHECK(std::regex_match(device.physical, std::regex("pci:[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\\.0")));
    CHECK(std::regex_match(device.properties.at("uuid"),
                           std::regex("GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")));
    CHECK(device.compute_units > 0);
    CHECK(device.last_level_cache_bytes > 0);
    CHECK(device.timer_step_ns == 500);
    CHECK(device.max_batch == 30);
    CHECK(device.limits.memory_bytes > (1U << 28U));
    CHECK(device.limits.max_block_threads == 1024);
    CHECK(device.limits.local_memory_bytes >= 48 * 1024);
    CHECK(device.limits.max_grid[1] == 65535);
  }
}
