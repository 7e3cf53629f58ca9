// The device list, beyond what `plugin check` asks of every plugin. What all plugins for GPUs do alike:
// tests/gpu.
#include "support/catch.hpp"
#include "support/gpu_plugin.hpp"

#include <benchctl/cpu_packages.hpp>

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("devices are described", "[oclgrind]") {
  for (const GpuLane& lane : gpu_lanes({"opencl"})) {
    const DeviceInfo& device = lane.device;
    INFO(device.id);
    const std::size_t colon = device.id.find(':');
    REQUIRE(colon != std::string::npos);
    CHECK(device.id.substr(colon + 1).find_first_not_of("0123456789") == std::string::npos);
    CHECK_FALSE(device.vendor.empty());
    CHECK(device.driver.starts_with("OpenCL "));
    CHECK_THAT(device.driver, ContainsSubstring(", driver "));
    CHECK_FALSE(device.architecture.empty());
    CHECK(device.max_batch >= 30);
    CHECK(device.limits.memory_bytes >= device.limits.max_allocation_bytes);
    CHECK(device.limits.max_allocation_bytes > 0);
    CHECK(device.limits.local_memory_bytes > 0);
    CHECK(device.limits.max_block_threads >= 1);
    for (const std::uint64_t most : device.limits.max_block) CHECK(most >= 1);
    const bool is_pocl = device.properties.at("platform") == "Portable Computing Language";
    CHECK(is_pocl == device.id.starts_with("pocl:"));
    CHECK((!is_pocl || device.type == DeviceType::cpu));
    if (device.type == DeviceType::cpu || device.type == DeviceType::simulator) {
      CHECK(device.physical == cpu_physical(cpu_packages()));
    } else if (device.id.starts_with("nvidia")) {
      CHECK(device.physical.starts_with("pci:"));
    }
  }
}
