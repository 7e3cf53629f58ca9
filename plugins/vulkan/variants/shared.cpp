// Variants that are the same on every backend with workgroups, as far as Vulkan needs nothing else.
#include "table.hpp"

namespace benchctl::vulkan {

namespace {

/// Sets the features that this variant cannot do without.
void require_features(VariantInfo& variant) {
  if (variant.workload == "access") {
    variant.features = {"storageBuffer8BitAccess", "storageBuffer16BitAccess"};
  }
  if (variant.name == "fma_f32") variant.features = {"fused_multiply_add"};
  if (variant.name == "fma_f64") variant.features = {"fused_multiply_add", "shaderFloat64"};
  // Elsewhere processors have variants of their own; here only a simulated GPU is one.
  if (variant.name == "single_pass" || variant.name == "shared") variant.device_types.clear();
}

const Table::Registration shared_registration([] {
  std::vector<Table::Entry> entries;
  for (const auto make :
       {gpu::access_variants, gpu::bank_conflicts_variants, gpu::constant_broadcast_variants,
        gpu::latency_variants, gpu::matmul_variants, gpu::peaks_variants, gpu::reduce_variants,
        gpu::reduce_pack_variants, gpu::shared_stride_variants, gpu::transpose_variants, gpu::vec3_variants,
        gpu::vector_add_variants}) {
    std::vector<VariantInfo> variants = make(language());
    for (VariantInfo& variant : variants) require_features(variant);
    for (Table::Entry& entry : Table::source_files(std::move(variants)))
      entries.push_back(std::move(entry));
  }
  return entries;
});

}  // namespace

}  // namespace benchctl::vulkan
