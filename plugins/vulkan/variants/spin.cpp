// Variants of workload `spin`.
#include "gpu/variants.hpp"

#include "table.hpp"

namespace benchctl::vulkan {

namespace {

VariantInfo spin_by_clock() {
  VariantInfo info = gpu::spin_variant(
      "clock",
      "One work-item reads the device's nanosecond clock, and its cycle counter between the clock's steps, "
      "until the time is over.");
  info.device_types = {DeviceType::gpu};
  info.features = {"nanosecond_clock", "shaderInt64"};
  info.kernel->launches[0].arguments = {"token", "echo", "clock", "duration_ns"};
  return gpu::with_suffix({info}, ".comp").front();
}

const Table::Registration spin_registration([] {
  std::vector<VariantInfo> variants = gpu::spin_variants(".comp");
  variants.insert(variants.begin(), spin_by_clock());
  return source_files(std::move(variants));
});

}  // namespace

}  // namespace benchctl::vulkan
