// Variants of workload `spin`.
#include "table.hpp"

namespace benchctl::vulkan {

namespace {

const Table::Registration spin_registration([] {
  VariantInfo clock =
      gpu::spin_clock("the device's nanosecond clock, and its cycle counter between the clock's steps");
  clock.features = {"nanosecond_clock", "shaderInt64"};
  std::vector<Table::Entry> entries = Table::source_files(gpu::translated({clock}, language()));
  for (VariantInfo& variant : gpu::spin_variants(language())) entries.push_back({std::move(variant)});
  return entries;
});

}  // namespace

}  // namespace benchctl::vulkan
