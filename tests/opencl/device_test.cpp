// The device list. What all plugins for GPUs do alike: tests/gpu.
#include "support/failure_of.hpp"
#include "support/gpu_plugin.hpp"

#include <benchctl/cpu_packages.hpp>

#include <catch2/catch_test_macros.hpp>

#include <set>

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("devices are described", "[oclgrind]") {
  std::set<std::string> ids;
  for (const GpuLane& lane : gpu_lanes({"opencl"})) {
    const DeviceInfo& device = lane.device;
    INFO(device.id);
    CHECK(ids.insert(device.id).second);
    const std::size_t colon = device.id.find(':');
    REQUIRE(colon != std::string::npos);
    CHECK(device.id.substr(colon + 1).find_first_not_of("0123456789") == std::string::npos);
    CHECK_FALSE(device.name.empty());
    CHECK_FALSE(device.vendor.empty());
    CHECK(device.driver.starts_with("OpenCL "));
    CHECK(device.driver.find(", driver ") != std::string::npos);
    CHECK_FALSE(device.architecture.empty());
    CHECK(device.compute_units >= 1);
    CHECK(device.timer_step_ns >= 1);
    CHECK(device.max_batch >= 30);
    CHECK(device.limits.memory_bytes >= device.limits.max_allocation_bytes);
    CHECK(device.limits.max_allocation_bytes > 0);
    CHECK(device.limits.local_memory_bytes > 0);
    CHECK(device.limits.max_block_threads >= 1);
    for (const std::uint64_t most : device.limits.max_block) CHECK(most >= 1);
    CHECK(device.properties.contains("platform"));
    if (device.type == DeviceType::cpu || device.type == DeviceType::simulator) {
      CHECK(device.physical == cpu_physical(cpu_packages()));
    } else if (device.id.starts_with("nvidia")) {
      CHECK(device.physical.starts_with("pci:"));
    }
    CHECK_FALSE(device.physical.empty());
  }
}

TEST_CASE("ids name their platform") {
  for (const GpuLane& lane : gpu_lanes({"opencl"})) {
    if (lane.device.properties.at("platform") != "Portable Computing Language") continue;
    CHECK(lane.device.id.starts_with("pocl:"));
    CHECK(lane.device.type == DeviceType::cpu);
  }
}

TEST_CASE("opening a device that is not there says which are") {
  const GpuLane lane = gpu_lanes({"opencl"}).front();
  const Failure failure = failure_of([&] { static_cast<void>(lane.backend.open("nowhere:7", {})); });
  CHECK(failure.kind() == FailureKind::no_device);
  CHECK(std::string(failure.what()).find("nowhere:7") != std::string::npos);
  CHECK(std::string(failure.what()).find(lane.device.id) != std::string::npos);
}
