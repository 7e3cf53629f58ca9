// Variants that are not kernel files: the driver's copies.
#include "copy_work.hpp"
#include "table.hpp"

namespace benchctl::vulkan {

namespace {

VariantInfo vendor() {
  VariantInfo variant;
  variant.workload = "copy";
  variant.name = "vendor";
  variant.doc = "The driver's own copy of a buffer. The yardstick.";
  variant.dtypes = {DType::f32, DType::f64};
  variant.vendor = true;
  return variant;
}

std::unique_ptr<Work> make_vendor(const Buffers& buffers) {
  return std::make_unique<CopyWork>(buffers, "in", "out");
}

VariantInfo host_copy() {
  VariantInfo variant;
  variant.workload = "transfer";
  variant.name = "memcpy";
  variant.doc =
      "The driver's copies, from and to memory that device and host both reach; limited by the bus.";
  // One queue does one copy after the other, and no device reaches pageable memory.
  variant.require = {"direction != 'both'", "memory == 'pinned'"};
  return variant;
}

std::unique_ptr<Work> make_host_copy(const Buffers& buffers) {
  if (buffers.spec().buffer_index("host_source")) {
    return std::make_unique<CopyWork>(buffers, "host_source", "device_target");
  }
  return std::make_unique<CopyWork>(buffers, "device_source", "host_target");
}

const Table::Registration native_registration([] {
  return std::vector<Table::Entry>{{vendor(), &make_vendor}, {host_copy(), &make_host_copy}};
});

}  // namespace

}  // namespace benchctl::vulkan
