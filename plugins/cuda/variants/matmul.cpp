#include "table.hpp"
#include "vendor/prepared_matmul.hpp"

namespace benchctl::cuda {

namespace {

VariantInfo matmul_vendor() {
  VariantInfo variant =
      gpu_variant("matmul", "vendor", "cuBLAS, f32 in pedantic mode, without tf32. The yardstick.");
  variant.dtypes = {DType::f32, DType::f64};
  variant.vendor = true;
  return variant;
}

std::unique_ptr<Prepared> make_matmul_vendor(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return std::make_unique<PreparedMatmul>(problem);
}

const Table::Registration matmul_registration([] {
  std::vector<Table::Entry> entries = Table::source_files(gpu::matmul_variants(language()));
  entries.push_back({matmul_vendor(), &make_matmul_vendor});
  return entries;
});

}  // namespace

}  // namespace benchctl::cuda
