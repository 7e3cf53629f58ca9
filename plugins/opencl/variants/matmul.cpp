#include "table.hpp"

#ifdef BENCHCTL_OPENCL_CLBLAST
#include "clblast_work.hpp"
#endif

namespace benchctl::opencl {

namespace {

LaunchSpec matmul_launch(const char* source, const char* entry) {
  LaunchSpec launch;
  launch.source = source;
  launch.entry = entry;
  launch.defines = {{"REAL", "ctype(dtype)"}, {"USE_FP64", "dtype == 'f64'"}};
  launch.arguments = {"A", "B", "C", "m", "n", "k"};
  return launch;
}

VariantInfo matmul_naive() {
  LaunchSpec launch = matmul_launch("matmul_naive.cl", "matmul_naive");
  launch.grid = {"ceil_div(n, block_x)", "ceil_div(m, block_y)", "1"};
  launch.block = {"block_x", "block_y", "1"};
  launch.defines["BLOCK_X"] = "block_x";
  launch.defines["BLOCK_Y"] = "block_y";

  VariantInfo variant;
  variant.workload = "matmul";
  variant.name = "naive";
  variant.doc = "One work-item per element of C, straight from global memory; bound by the load units.";
  variant.tunables = {
      {"block_x", std::int64_t{32}, "Work-items of a work-group along a row of C.", {"block_x >= 1"}},
      {"block_y", std::int64_t{8}, "Work-items of a work-group along a column of C.", {"block_y >= 1"}}};
  variant.dtypes = {DType::f32, DType::f64};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

VariantInfo matmul_tiled() {
  LaunchSpec launch = matmul_launch("matmul_tiled.cl", "matmul_tiled");
  launch.defines["TILE"] = "tile";
  launch.grid = {"ceil_div(n, tile)", "ceil_div(m, tile)", "1"};
  launch.block = {"tile", "tile", "1"};
  launch.local_bytes = "2 * tile * tile * sizeof(dtype)";

  VariantInfo variant;
  variant.workload = "matmul";
  variant.name = "tiled";
  variant.doc = "Tiles of A and B go through local memory; bound by its bandwidth once tiles are large.";
  variant.tunables = {{"tile",
                       std::int64_t{16},
                       "Edge of a tile in elements; a work-group has tile × tile work-items.",
                       {"tile >= 1"},
                       {std::int64_t{2}, std::int64_t{4}, std::int64_t{8}, std::int64_t{16}}}};
  variant.dtypes = {DType::f32, DType::f64};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

#ifdef BENCHCTL_OPENCL_CLBLAST
VariantInfo matmul_vendor() {
  VariantInfo vendor;
  vendor.workload = "matmul";
  vendor.name = "vendor";
  vendor.doc = "CLBlast's GEMM, with the tuning that it has for the device; the yardstick.";
  vendor.dtypes = {DType::f32, DType::f64};
  vendor.vendor = true;
  return vendor;
}

std::unique_ptr<Work> make_vendor(const OpenDevice& device, const Buffers& buffers,
                                  const PrepareRequest& /*request*/) {
  return make_clblast_matmul(device, buffers);
}
#endif

const Table::Registration registration([] {
  std::vector<Table::Entry> entries{{matmul_naive()}, {matmul_tiled()}};
#ifdef BENCHCTL_OPENCL_CLBLAST
  entries.push_back({matmul_vendor(), &make_vendor});
#endif
  return entries;
});

}  // namespace

}  // namespace benchctl::opencl
