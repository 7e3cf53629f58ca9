// Variants of workload `reduce` that need what only Vulkan calls by these names.
#include "table.hpp"

namespace benchctl::vulkan {

namespace {

VariantInfo subgroup() {
  VariantInfo info = gpu::reduce_resident(
      language(), "subgroup",
      "As grid_stride, joined by subgroup operations between registers; limited by memory bandwidth with "
      "enough work-items.",
      "1");
  info.features = {"subgroup_arithmetic", "subgroup_vote"};
  info.tunables[1].default_value = std::int64_t{8};
  for (LaunchSpec& launch : info.kernel->launches) launch.local_bytes = "block * sizeof(dtype)";
  return info;
}

const Table::Registration reduce_registration([] {
  return Table::source_files(gpu::translated({subgroup()}, language()));
});

}  // namespace

}  // namespace benchctl::vulkan
