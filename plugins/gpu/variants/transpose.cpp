// Variants of workload `transpose`.
#include <benchctl/patterns/transpose.hpp>

#include "gpu/variants.hpp"

namespace benchctl::gpu {

namespace {

VariantInfo transpose_variant(const char* name, const char* doc) {
  VariantInfo variant;
  variant.workload = "transpose";
  variant.name = name;
  variant.doc = doc;
  variant.dtypes = {DType::f32, DType::f64};
  return variant;
}

VariantInfo kernel_variant(const char* name, const char* doc, LaunchSpec launch) {
  VariantInfo variant = transpose_variant(name, doc);
  variant.tunables = {{"tile",
                       std::int64_t{32},
                       "Edge of the square of elements that a work-group moves.",
                       {"tile >= 1", "tile <= 64"},
                       {std::int64_t{16}, std::int64_t{32}, std::int64_t{64}}},
                      {"block_rows",
                       std::int64_t{8},
                       "Rows of work-items in a work-group: each moves tile / block_rows elements.",
                       {"block_rows >= 1", "tile % block_rows == 0"},
                       {std::int64_t{4}, std::int64_t{8}, std::int64_t{16}}}};
  launch.defines["REAL"] = "ctype(dtype)";
  launch.defines["USE_FP64"] = "dtype == 'f64'";
  launch.defines["TILE"] = "tile";
  launch.defines["BLOCK_ROWS"] = "block_rows";
  launch.block = {"tile", "block_rows", "1"};
  launch.grid = {"ceil_div(columns, tile)", "ceil_div(rows, tile)", "1"};
  launch.arguments = {"in", "out", "rows", "columns"};
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

VariantInfo naive() {
  LaunchSpec launch;
  launch.source = "transpose_naive";
  launch.entry = "transpose_naive";
  VariantInfo variant = kernel_variant(
      "naive", "Coalesced reads, writes a row of out apart; limited by what the caches join of them.",
      launch);
  variant.access = patterns::transposed_directly();
  return variant;
}

VariantInfo tiled(const char* name, const char* doc, const std::string& padding) {
  LaunchSpec launch;
  launch.source = "transpose_shared";
  launch.entry = "transpose_shared";
  launch.defines["PADDING"] = padding;
  launch.local_bytes = "tile * (tile + " + padding + ") * sizeof(dtype)";
  VariantInfo variant = kernel_variant(name, doc, launch);
  variant.access = patterns::transposed_in_shared_memory(padding);
  return variant;
}

VariantInfo transpose_vectorized() {
  LaunchSpec launch;
  launch.source = "transpose_vectorized";
  launch.entry = "transpose_vectorized";
  launch.defines["WIDTH"] = "16 / sizeof(dtype)";
  launch.local_bytes = "tile * (tile + 1) * sizeof(dtype)";
  VariantInfo variant = kernel_variant(
      "vectorized",
      "As `shared_padded`, with 16-byte accesses on both global sides, for rows that start at "
      "such; limited by memory bandwidth.",
      launch);
  variant.tunables[0].default_value = std::int64_t{64};
  variant.tunables[0].require.emplace_back("tile * sizeof(dtype) % 16 == 0");
  variant.tunables[1].default_value = std::int64_t{16};
  variant.require.emplace_back("rows * sizeof(dtype) % 16 == 0");
  variant.require.emplace_back("columns * sizeof(dtype) % 16 == 0");
  variant.kernel->launches[0].block[0] = "tile * sizeof(dtype) / 16";
  variant.access = patterns::transposed_in_packs();
  return variant;
}

}  // namespace

std::vector<VariantInfo> transpose_variants(const std::string& suffix) {
  return with_suffix(
      {naive(),
       tiled("shared",
             "Through a tile in local memory, both global sides coalesced; limited by bank conflicts when "
             "the tile is read down its columns.",
             "0"),
       tiled("shared_padded",
             "As `shared`, with a column of padding that takes the conflicts away; limited by memory "
             "bandwidth.",
             "1"),
       transpose_vectorized()},
      suffix);
}

}  // namespace benchctl::gpu
