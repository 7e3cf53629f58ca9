// Variants of workload `transpose`.
#include "table.hpp"

#ifdef BENCHCTL_OPENCL_CLBLAST
#include "vendor/clblast_work.hpp"
#endif

namespace benchctl::opencl {

namespace {

#ifdef BENCHCTL_OPENCL_CLBLAST
VariantInfo transpose_vendor() {
  VariantInfo variant = gpu::variant_of("transpose", "vendor", "CLBlast's omatcopy. The yardstick.",
                                        {DType::f32, DType::f64});
  variant.vendor = true;
  return variant;
}

std::unique_ptr<Work> make_transpose_vendor(const OpenDevice& device, const Buffers& buffers,
                                            const PrepareRequest& /*request*/) {
  return make_clblast_transpose(device, buffers);
}
#endif

const Table::Registration transpose_registration([] {
  std::vector<Table::Entry> entries = Table::source_files(gpu::transpose_variants(language()));
  entries.push_back({gpu::transpose_swizzled(language())});
#ifdef BENCHCTL_OPENCL_CLBLAST
  entries.push_back({transpose_vendor(), &make_transpose_vendor});
#endif
  return entries;
});

}  // namespace

}  // namespace benchctl::opencl
