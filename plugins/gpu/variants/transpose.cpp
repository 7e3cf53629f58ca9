// Variants of workload `transpose`.
#include "patterns/transpose.hpp"

#include "gpu/variants.hpp"

namespace benchctl::gpu {

namespace {

VariantInfo kernel_variant(const char* name, const char* doc, LaunchSpec launch) {
  VariantInfo variant = variant_of("transpose", name, doc, {DType::f32, DType::f64});
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

VariantInfo transpose_swizzled(const Language& language) {
  const std::string items = "threads_per_block";
  VariantInfo variant = variant_of(
      "transpose", "swizzled",
      "16-byte accesses to local memory, too, squares turned in registers, tiles taken in bands; where "
      "rows "
      "begin anywhere, in tiles that begin where the sectors of out do; few rows or columns and small "
      "matrices by kernels of their own. Limited by memory bandwidth, small ones by latency.",
      {DType::f32, DType::f64});
  variant.tunables = {
      {"tile",
       std::int64_t{0},
       "Edge of the square of elements that a work-group moves. 0: by the shape and size of the matrix.",
       {"tile == 0 or tile == 32 or tile == 64"},
       {std::int64_t{0}, std::int64_t{32}, std::int64_t{64}}},
      {items,
       std::int64_t{0},
       "Work-items per work-group that moves such a square, where rows begin anywhere a multiple of 128. "
       "0: "
       "by type and tile.",
       {items + " >= 0", items + " <= 1024"},
       {std::int64_t{0}, std::int64_t{128}, std::int64_t{256}, std::int64_t{512}}},
      {"raster",
       std::int64_t{0},
       "Raster order: height in tiles of the bands in which work-groups go through the matrix. 0: all of "
       "it, less where "
       "that would touch too much memory before the next columns.",
       {"raster >= 0"},
       {std::int64_t{0}, std::int64_t{2}, std::int64_t{64}}}};
  if (language.block_step > 1) variant.tunables[1].require.push_back(items + " % 128 == 0");
  variant.require = {"packed or " + items + " % 128 == 0"};
  LaunchSpec launch;
  launch.source = "transpose_swizzled";
  launch.entry = "transpose_swizzled";
  launch.defines = {{"REAL", "ctype(dtype)"},
                    {"USE_FP64", "dtype == 'f64'"},
                    {"WIDTH", "width"},
                    {"RUN", "run"},
                    {"ACROSS", "across"},
                    {"BEFORE", "before"},
                    {"PACKED", "packed or direct"},
                    {"BAND", "height"},
                    {"THREADS", "threads"},
                    {"SMALL", "small"},
                    {"FLAT", "flat"},
                    {"TALL", "tall"}};
  launch.block = {"threads", "1", "1"};
  launch.grid = {"if(flat or height > 0, down * beside, down)", "if(flat or height > 0, 1, beside)", "1"};
  launch.local_bytes = "ceil_div(tile_elements * sizeof(dtype), 16) * 16";
  launch.arguments = {"in", "out", "rows", "columns"};
  variant.kernel = KernelSpec{{launch}, {}};
  variant.kernel->derived = {
      {"packed", "rows * sizeof(dtype) % 16 == 0 and columns * sizeof(dtype) % 16 == 0"},
      {"sector", "32 / sizeof(dtype)"},
      // With the rows before a tile's own that whole sectors of out need.
      {"lines", "rows + sector - 1"},
      {"size", "rows * columns"},
      // What a compute unit can have on its way at once, so that latency decides; and so few elements that
      // a barrier costs more than what it orders.
      {"much", "tile > 0 or size > compute_units * if(packed, 8192, 12288)"},
      {"few", "not packed and size <= compute_units * 1000"},
      // Few rows, which a group writes as one run, and enough columns for groups of 128. Where rows begin
      // anywhere, the other tiles need more rows, so that strips pay up to more of them.
      {"strip", "if(packed, 136 / sizeof(dtype), if(dtype == 'f32', 61, 23))"},
      {"enough", "columns >= compute_units * if(packed or rows * sizeof(dtype) > 136, 128, 64)"},
      {"flat",
       "tile == 0 and if(much, rows <= strip, if(packed, rows <= 8 and enough, if(few, rows <= 8 and size "
       "> "
       "compute_units * 500, rows <= 8 or rows <= strip and enough)))"},
      // Few columns, which a group reads as one run.
      {"tall",
       "tile == 0 and not flat and if(much, columns <= if(packed, 136 / sizeof(dtype), 11), if(packed, "
       "columns <= 8 and rows >= compute_units * 128, if(few, columns <= 8 and size > compute_units * 500, "
       "columns * sizeof(dtype) <= 64)))"},
      // Groups of small matrices are in a grid of two dimensions, of at most 65535 columns.
      {"small",
       "not (much or flat or tall) and ceil_div(columns, if(few, 16, if(packed, 8 * sector, 32))) <= "
       "65535"},
      {"direct", "small and few"},
      {"narrow", "packed and tile == 0 and columns <= 16"},
      {"edge", "if(tile > 0, tile, if(packed, 8 * sector, 64))"},
      // Strips of tiles that begin anywhere have another form, so that few work-items are idle.
      {"fold", "if(packed, 1, if(4 * columns <= edge, 4, if(2 * columns <= edge, 2, 1)))"},
      {"wide", "not packed and fold == 1 and 2 * lines <= edge"},
      {"run",
       "if(flat, rows, if(tall, 128, if(direct, 16, if(small, if(packed, 4 * sector, if(size >= "
       "compute_units * 6144, 64, 32)), if(narrow, 64, if(wide or not packed and tile == 0 and fold == 1 "
       "and "
       "lines > edge, edge / 2, edge * fold))))))"},
      {"across",
       "if(flat, 128, if(tall, columns, if(direct, 16, if(small, if(packed, 8 * sector, 32), if(narrow, "
       "16, "
       "if(wide, 2 * edge, edge / fold))))))"},
      {"before", "if(packed or flat or tall or small or rows % sector == 0, 0, sector - 1)"},
      {"threads",
       "if(flat or tall or direct or small and packed, 128, if(small, 256, if(" + items + " > 0, " + items +
           ", if(narrow, 128, if(tile > 0 or not packed and (columns <= 32 or lines <= 64), 64 * "
           "sizeof(dtype), 256)))))"},
      {"width", "if(direct, 1, 16 / sizeof(dtype))"},
      {"down", "if(flat, 1, ceil_div(rows + before, run))"},
      {"beside", "ceil_div(columns, across)"},
      // Tiles of short rows of in, and of matrices much higher than wide, are taken soon after one another,
      // unless the matrix stays in the second-level cache.
      {"stays", "size * sizeof(dtype) <= compute_units * 163840"},
      {"height",
       "if(flat or tall or small, 0, if(raster > 0, raster, if(beside == 1, 0, if(not stays and down > 64 "
       "and "
       "columns * sizeof(dtype) <= 2048, 64, if(not stays and down > 64 and rows >= 10 * columns, 16, "
       "if(beside > 65535, 2147483647, 0))))))"},
      // Rows of a tile are an element apart where banks would collide, and a pack longer for their shift.
      {"tile_elements",
       "if(flat, across * (run + 1 - run % 2), if(tall, run * (across + 1 - across % 2), if(direct or "
       "small "
       "and packed, 0, if(small, run * (across + 1), if(packed, run * across, (run + before) * (across + "
       "width + 1))))))"}};
  variant.access = patterns::transposed_whole();
  return translated({variant}, language).front();
}

std::vector<VariantInfo> transpose_variants(const Language& language) {
  return translated(
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
      language);
}

}  // namespace benchctl::gpu
