// Plain variants of workload `matmul`.
#include <benchctl/patterns/matmul.hpp>

#include "gpu/variants.hpp"

namespace benchctl::gpu {

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
  LaunchSpec launch = matmul_launch("matmul_naive", "matmul_naive");
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
  variant.access = patterns::product_from_global_memory();
  return variant;
}

VariantInfo matmul_tiled() {
  LaunchSpec launch = matmul_launch("matmul_tiled", "matmul_tiled");
  launch.defines["TILE"] = "tile";
  launch.defines["STORE_EVERY_STEP"] = "0";
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
  variant.access = patterns::product_of_tiles();
  return variant;
}

VariantInfo matmul_tiled_as_published() {
  VariantInfo variant = matmul_tiled();
  variant.name = "tiled_as_published";
  variant.doc = "As `tiled`, but C is stored in every step along k, as the French series prints it.";
  variant.kernel->launches[0].defines["STORE_EVERY_STEP"] = "1";
  variant.access = patterns::product_stored_in_every_step();
  return variant;
}

}  // namespace

std::vector<VariantInfo> matmul_variants(const std::string& suffix) {
  return with_suffix({matmul_naive(), matmul_tiled(), matmul_tiled_as_published()}, suffix);
}

}  // namespace benchctl::gpu
