// Variants that are not kernel files: the driver's copies.
#include "device.hpp"
#include "gpu/native_work.hpp"

namespace benchctl::vulkan {

namespace {

using Table = gpu::Table<TimedDevice>;

std::unique_ptr<gpu::Work> make_copy(TimedDevice& device, const Buffers& buffers) {
  return gpu::copy_of(device, buffers, "in", "out", "vkCmdCopyBuffer");
}

std::unique_ptr<gpu::Work> make_transfer(TimedDevice& device, const Buffers& buffers) {
  const bool upload = buffers.spec().buffer_index("host_source").has_value();
  return gpu::copy_of(device, buffers, upload ? "host_source" : "device_source",
                      upload ? "device_target" : "host_target", "vkCmdCopyBuffer");
}

const Table::Registration native_registration([] {
  return std::vector<Table::Entry>{
      {gpu::native_variant("copy", "vendor", "The driver's own copy of a buffer. The yardstick."),
       &make_copy},
      // One queue does one copy after the other, and no device reaches pageable memory.
      {gpu::transfer_variant(
           "The driver's copies, from and to memory that device and host both reach; limited by the bus.",
           {"direction != 'both'", "memory == 'pinned'"}),
       &make_transfer}};
});

}  // namespace

}  // namespace benchctl::vulkan
