// How much local memory a group may have where the driver says less than the hardware has.
#include "driver/local_memory.hpp"
#include "support/catch.hpp"
#include "support/gpu_plugin.hpp"

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("local memory beyond what drivers report is known of some of NVIDIA's GPUs alone") {
  CHECK(opencl::local_memory_of(90) == 227 * 1024 - 16);
  CHECK(opencl::local_memory_of(86) == 99 * 1024 - 16);
  CHECK(opencl::local_memory_of(75) == 0);
  CHECK(opencl::local_memory_of(0) == 0);
}

TEST_CASE("a device that has no more local memory than its driver reports has that") {
  for (const GpuLane& lane : gpu_lanes({"opencl"})) {
    if (lane.device.type == DeviceType::gpu) continue;
    CHECK(lane.device.properties.at("reported_local_memory_bytes") ==
          std::to_string(lane.device.limits.local_memory_bytes));
  }
}
