// Variants that are the same on every backend with work-groups.
#include "table.hpp"

namespace benchctl::opencl {

namespace {

const Table::Registration shared_registration([] {
  std::vector<Table::Entry> entries;
  for (const auto make :
       {gpu::access_variants, gpu::bank_conflicts_variants, gpu::constant_broadcast_variants,
        gpu::latency_variants, gpu::shared_stride_variants, gpu::vec3_variants}) {
    for (Table::Entry& entry : Table::source_files(make(language()))) entries.push_back(std::move(entry));
  }
  for (VariantInfo& variant : gpu::peaks_variants(language())) {
    if (variant.name == "fma_f64") variant.features = {"cl_khr_fp64"};
    entries.push_back({std::move(variant)});
  }
  return entries;
});

}  // namespace

}  // namespace benchctl::opencl
