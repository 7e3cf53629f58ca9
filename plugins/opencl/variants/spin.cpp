// Variants of workload `spin`.
#include "table.hpp"

namespace benchctl::opencl {

namespace {

const Table::Registration spin_registration([] {
  VariantInfo clock =
      gpu::spin_clock("the GPU's nanosecond timer, and its cycle counter between the timer's steps");
  // Only a compiler that goes by way of PTX knows these clocks; this extension comes with it.
  clock.features = {"cl_nv_compiler_options"};
  std::vector<Table::Entry> entries = Table::source_files(gpu::translated({clock}, language()));
  for (VariantInfo& variant : gpu::spin_variants(language())) entries.push_back({std::move(variant)});
  return entries;
});

}  // namespace

}  // namespace benchctl::opencl
