// Plain variants of workload `matmul`.
#include "patterns/matmul.hpp"

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

  VariantInfo variant = variant_of(
      "matmul", "naive",
      "One work-item per element of C, operands straight from global memory: limited by load instructions.",
      {DType::f32, DType::f64});
  variant.tunables = {
      {"block_x", std::int64_t{32}, "Work-items of a work-group along the columns of C.", {"block_x >= 1"}},
      {"block_y", std::int64_t{8}, "Work-items of a work-group along the rows of C.", {"block_y >= 1"}}};
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

  VariantInfo variant = variant_of(
      "matmul", "tiled",
      "Square tiles of A and B staged through local memory, one work-item per element of C: each "
      "global load serves `tile` products; limited by loads from local memory.",
      {DType::f32, DType::f64});
  variant.tunables = {
      {"tile",
       std::int64_t{16},
       "Edge of a tile; a work-group has tile * tile work-items.",
       {"tile >= 1"},
       {std::int64_t{2}, std::int64_t{4}, std::int64_t{8}, std::int64_t{16}, std::int64_t{32}}}};
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

std::vector<VariantInfo> matmul_variants(const Language& language) {
  return translated({matmul_naive(), matmul_tiled(), matmul_tiled_as_published()}, language);
}

}  // namespace benchctl::gpu
