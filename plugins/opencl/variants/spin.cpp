// Variants of workload `spin`.
#include "gpu/variants.hpp"

#include "table.hpp"

namespace benchctl::opencl {

namespace {

VariantInfo clock() {
  VariantInfo info = gpu::spin_variant(
      "clock",
      "One work-item reads the GPU's nanosecond timer, and its cycle counter between the timer's "
      "steps, until the time is over.");
  info.device_types = {DeviceType::gpu};
  // Only a compiler that goes by way of PTX knows these clocks; this extension comes with it.
  info.features = {"cl_nv_compiler_options"};
  info.kernel->launches[0].source += ".cl";
  info.kernel->launches[0].arguments = {"token", "echo", "clock", "duration_ns"};
  return info;
}

const Table::Registration spin_registration([] {
  std::vector<Table::Entry> entries = source_files(gpu::spin_variants(".cl"));
  entries.insert(entries.begin(), {clock()});
  return entries;
});

}  // namespace

}  // namespace benchctl::opencl
