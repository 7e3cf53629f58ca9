// Variants of workload `matmul` on the ordinary arithmetic units, with several elements of C per thread.
#include "gpu/first_launch.hpp"
#include "gpu/joined_products.hpp"

#include "table.hpp"

namespace benchctl::cuda {

namespace {

using gpu::chosen;
using gpu::power_of_two;
using gpu::splits_tunable;
using gpu::tunable;

VariantInfo register_tiled() {
  VariantInfo variant = gpu_variant(
      "matmul", "register_tiled",
      "Blocks of C in shared memory, up to 16×8 elements per thread in registers, slabs of k brought "
      "by asynchronous copies; limited by the share of multiply-adds among instructions.");
  variant.dtypes = {DType::f32, DType::f64};
  variant.features = {"mma_sync"};  // cp.async came with it, at compute capability 8.0
  variant.architectures = all_architectures();
  const std::string threads = "tile_m * tile_n / (thread_m * thread_n)";
  variant.tunables = {
      tunable("tile_m", 128, "Rows of C per block.", {power_of_two("tile_m", 16, 256)}, {32, 64, 128, 256}),
      tunable("tile_n", 128, "Columns of C per block.", {power_of_two("tile_n", 32, 256)},
              {32, 64, 128, 256}),
      tunable("depth", 16, "Length of a slab along k.", {power_of_two("depth", 8, 32)}, {8, 16, 32}),
      tunable("thread_m", 8, "Rows of C per thread.", {power_of_two("thread_m", 4, 16)}, {4, 8, 16}),
      tunable("thread_n", 8, "Columns of C per thread.", {power_of_two("thread_n", 4, 16)}, {4, 8, 16}),
      tunable("stages", 3, "Slabs in shared memory, the one being multiplied included.",
              {"stages >= 2", "stages <= 8"}, {2, 3, 4}),
      tunable("portions", 1, "Groups in which the copies of a slab are spread over its steps.",
              {power_of_two("portions", 1, 4)}, {1, 2, 4}),
      gpu::by_size(tunable("split_k", 1, "Blocks that share a tile, each for a part of k.",
                           {"split_k >= 1", "split_k <= 64"}, {1, 2, 8})),
      tunable("sliced_k", 1,
              "Groups of a block's threads that share its tile, each for a part of k: as many warps at "
              "work on a "
              "multiprocessor as if it had several tiles.",
              {"sliced_k >= 1", "sliced_k <= 8"}, {1, 2, 3, 4}),
      tunable("persistent", 0,
              "Persistent blocks per multiprocessor that share out the tiles evenly, some of them in parts "
              "of k, two "
              "with one "
              "block per multiprocessor; 0 for a block per tile.",
              {"persistent >= 0", "persistent <= 8"}, {0, 1, 2, 3}),
      tunable("raster", 8, "Raster order: height in tiles of the bands in which blocks go through C.",
              {"raster >= 1"}, {4, 8, 16}),
      {"along",
       std::string("columns"),
       "Order of a thread's multiplications: along rows or columns of its part of C, or by squares of 2 or "
       "4. "
       "The compiler's choice of registers depends on it, by which times of up to a tenth differ.",
       {"along == 'rows' or along == 'columns' or along == 'squares_2' or along == 'squares_4'"},
       {std::string("rows"), std::string("columns"), std::string("squares_2"), std::string("squares_4")}},
      {"copies",
       std::string("packs"),
       "How B comes into shared memory: 16 bytes at a time, or by words, or pairs of them, which takes "
       "more "
       "copies, but fewer loads from there where rows of B do not begin at multiples of 16 bytes.",
       {"copies == 'packs' or copies == 'words' or copies == 'pairs'"},
       {std::string("packs"), std::string("words"), std::string("pairs")}}};
  const std::string width =
      "if(copies == 'words', 1, if(copies == 'pairs', 2, floor_div(16, sizeof(dtype))))";
  variant.require = {
      "thread_m * thread_n * sizeof(dtype) <= 512", "tile_m % (4 * thread_m) == 0",
      "tile_n % (8 * thread_n) == 0", threads + " * sliced_k <= 1024",
      "persistent == 0 or split_k == 1 and sliced_k == 1",
      // What a block keeps from tile to tile has no room beside more sums of doubles.
      "persistent == 0 or sizeof(dtype) == 4 or thread_m * thread_n <= 32",
      // Registers: sums, operands twice, and what addresses take.
      threads +
          " * sliced_k * (sizeof(dtype) / 4 * (thread_m * thread_n + 2 * (thread_m + thread_n)) + 32) <= "
          "65536",
      // Where slices add up their sums.
      "sliced_k == 1 or stages * depth * (tile_m + 4 + tile_n) >= tile_m * tile_n",
      // Copies of A take whole tiles, those of B by words whole rows or parts of them.
      "tile_m * 32 % (" + threads + " * sizeof(dtype)) == 0",
      "copies == 'packs' or " + threads + " % tile_n == 0 or tile_n % (" + threads + ") == 0",
      "copies == 'packs' or portions == 1 or depth * tile_n % (" + threads + " * portions * " + width +
          ") == 0",
      // Rows of B begin at multiples of what is copied at once.
      "copies != 'pairs' or n % 2 == 0"};

  const std::string tiles = "ceil_div(m, tile_m) * ceil_div(n, tile_n)";
  const std::string begin = "n % floor_div(16, sizeof(dtype))";  // of rows within a pack
  LaunchSpec launch;
  launch.source = "matmul_register_tiled.cu";
  launch.entry = "matmul_register_tiled";
  launch.defines = {
      {"REAL", "ctype(dtype)"},
      {"TILE_M", "tile_m"},
      {"TILE_N", "tile_n"},
      {"DEPTH", "depth"},
      {"THREAD_M", "thread_m"},
      {"THREAD_N", "thread_n"},
      {"STAGES", "stages"},
      {"SPLITS", "split_k"},
      {"SLICES", "sliced_k"},
      {"EVEN", "if(persistent == 0, 0, if(" + tiles +
                   " >= persistent * compute_units, 1, if(persistent == 1, 2, 3)))"},
      {"BAND", "raster"},
      {"PORTIONS", "portions"},
      {"ALONG", "if(along == 'rows', 0, if(along == 'columns', 1, if(along == 'squares_2', 2, 3)))"},
      {"BEFORE", "if(copies == 'packs', " + begin + ", 0)"},
      {"C_BEFORE", begin},
      {"B_WIDTH", width}};
  launch.block = {threads, "sliced_k", "1"};
  const std::string blocks = "if(persistent == 0, " + tiles + ", min(" + tiles +
                             " * if(persistent == 1, 2, ceil_div(k, depth)), persistent * compute_units))";
  launch.grid = {blocks, "split_k", "1"};
  launch.shared_bytes =
      "sliced_k * stages * depth * ((tile_m + 4 + tile_n) * sizeof(dtype) + if(copies != 'packs' or n * "
      "sizeof(dtype) % 16 == 0, 0, 16))";
  launch.local_bytes = launch.shared_bytes;
  launch.arguments = {"A", "B", "C", "partial", "finished", "m", "n", "k"};
  // Counted in float64 to have room for either type.
  const std::string parts = "if(persistent > 0, " + blocks +
                            " * if(persistent == 1, 1, 2), if(split_k == 1, 0, " + tiles + " * split_k))";
  variant.kernel =
      KernelSpec{{launch},
                 {{"partial", DType::f64, "max(2, " + parts + " * tile_m * tile_n * sizeof(dtype) / 8)"},
                  {"finished", DType::u32, "if(persistent > 0, " + blocks + ", " + tiles + " * split_k)"}},
                 {{"tiles", tiles}}};
  variant.kernel->effort = gpu::effort_of_tiles("split_k");
  return variant;
}

VariantInfo register_tiled_tuned() {
  VariantInfo variant = gpu_variant(
      "matmul", "register_tiled_tuned",
      "The quickest of `register_tiled`, `strips`, `skinny_columns`, `skinny_rows` and `vectors` in "
      "the configurations that were quickest for products of about the same size.");
  variant.dtypes = {DType::f32};
  variant.tunables = choice_tunables();
  variant.among = {"register_tiled", "strips", "skinny_columns", "skinny_rows", "vectors"};
  return variant;
}

VariantInfo skinny_columns() {
  VariantInfo variant = gpu::joined_product("skinny_columns", "matmul_skinny",
                                            "Products of up to 32 columns: A is read once, in order, by as "
                                            "many warps as are needed to have enough "
                                            "reads under way; limited by memory.");
  variant.tunables = {
      tunable("rows", 0, "Rows of C per warp; 0: 4, and fewer where registers have no room for their sums.",
              {"rows >= 0", "rows <= 4", "rows * n * sizeof(dtype) <= 512"}, {0, 1, 2, 4}),
      tunable("warps", 0, "Warps of a block; 0: 8, and fewer for few rows.", {"warps >= 0", "warps <= 16"},
              {0, 2, 4, 8}),
      splits_tunable("Blocks that share a part of C, each for a part of k; 0: as many as make four blocks "
                     "per multiprocessor.",
                     256)};
  variant.require = {"n <= 32"};
  gpu::derive(variant,
              {{"per_warp", chosen("rows", "max(1, min(4, floor_div(512, n * sizeof(dtype))))")},
               {"block_warps", chosen("warps", "min(8, ceil_div(m, per_warp))")},
               {"tiles", "ceil_div(m, block_warps * per_warp)"},
               // No more than multiprocessors: one block adds up all of them. They are multiples of a run.
               {"most_parts", "max(1, min(compute_units, floor_div(k, 32 * width)))"},
               {"parts", chosen("split_k", "min(most_parts, ceil_div(4 * compute_units, tiles))")},
               {"counters", "tiles"},
               {"part_bytes", "ceil_div(block_warps * per_warp * n, width) * 16"},
               {"local_bytes", "n * 65 * 16 + 16"}});
  gpu::define(variant, {{"BY_COLUMNS", "1"},
                        {"PACKED", "k % width == 0"},
                        {"ROWS", "per_warp"},
                        {"COLUMNS", "n"},
                        {"WARPS", "block_warps"}});
  first_launch(variant).block[0] = "32 * block_warps";
  return variant;
}

/// As the table has it: shared entries know neither the suffix of files nor for what they compile.
VariantInfo in_cuda(VariantInfo variant) {
  variant.device_types = {DeviceType::gpu};
  variant.architectures = all_architectures();
  first_launch(variant).source += ".cu";
  first_launch(variant).defines.erase("USE_FP64");
  return variant;
}

VariantInfo strips() {
  VariantInfo variant = in_cuda(gpu::strips("strips", true));
  variant.features = {"mma_sync"};  // cp.async came with it, at compute capability 8.0
  first_launch(variant).shared_bytes = "local_bytes";
  return variant;
}

const Table::Registration register_tiled_registration([] {
  return std::vector<Table::Entry>{{register_tiled()},
                                   {register_tiled_tuned()},
                                   {in_cuda(skinny_columns())},
                                   {in_cuda(gpu::skinny_rows("if(m <= 9 and sizeof(dtype) == 4, 2, 1)"))},
                                   {strips()},
                                   {in_cuda(gpu::vectors("vectors", true))}};
});

}  // namespace

}  // namespace benchctl::cuda
