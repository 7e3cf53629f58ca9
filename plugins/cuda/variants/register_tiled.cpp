// Variants of workload `matmul` on the ordinary arithmetic units, with several elements of C per thread.
#include "register_tiled_product.hpp"
#include "skinny_product.hpp"
#include "strips_product.hpp"
#include "table.hpp"

namespace benchctl::cuda {

namespace {

TunableInfo tunable(const char* name, std::int64_t default_value, const char* doc,
                    std::vector<std::string> require, std::vector<Value> values) {
  return {name, default_value, doc, std::move(require), std::move(values)};
}

/// `name` is one of the powers of two from `least` to `most`.
std::string power_of_two(const std::string& name, std::int64_t least, std::int64_t most) {
  std::string text;
  for (std::int64_t value = least; value <= most; value *= 2) {
    text += (text.empty() ? "" : " or ") + name + " == " + std::to_string(value);
  }
  return text;
}

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
      tunable("tile_m", 128, "Rows of C per block.", {power_of_two("tile_m", 16, 256)},
              numbers({32, 64, 128, 256})),
      tunable("tile_n", 128, "Columns of C per block.", {power_of_two("tile_n", 32, 256)},
              numbers({32, 64, 128, 256})),
      tunable("depth", 16, "Length of a slab along k.", {power_of_two("depth", 8, 32)},
              numbers({8, 16, 32})),
      tunable("thread_m", 8, "Rows of C per thread.", {power_of_two("thread_m", 4, 16)},
              numbers({4, 8, 16})),
      tunable("thread_n", 8, "Columns of C per thread.", {power_of_two("thread_n", 4, 16)},
              numbers({4, 8, 16})),
      tunable("stages", 3, "Slabs in shared memory, the one being multiplied included.",
              {"stages >= 2", "stages <= 8"}, numbers({2, 3, 4})),
      tunable("portions", 1, "Groups in which the copies of a slab are spread over its steps.",
              {power_of_two("portions", 1, 4)}, numbers({1, 2, 4})),
      tunable("splits", 1, "Blocks that share a tile, each for a part of k.",
              {"splits >= 1", "splits <= 64"}, numbers({1, 2, 8})),
      tunable("slices", 1,
              "Groups of a block's threads that share its tile, each for a part of k: as many warps at "
              "work on a "
              "multiprocessor as if it had several tiles.",
              {"slices >= 1", "slices <= 8"}, numbers({1, 2, 3, 4})),
      tunable("workers", 0,
              "Blocks per multiprocessor that share out the tiles evenly, some of them in parts of k, two "
              "with one "
              "block per multiprocessor; 0 for a block per tile.",
              {"workers >= 0", "workers <= 8"}, numbers({0, 1, 2, 3})),
      tunable("band", 8, "Height in tiles of the bands in which blocks go through C.", {"band >= 1"},
              numbers({4, 8, 16})),
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
      "tile_n % (8 * thread_n) == 0", threads + " * slices <= 1024",
      "workers == 0 or splits == 1 and slices == 1",
      // What a block keeps from tile to tile has no room beside more sums of doubles.
      "workers == 0 or sizeof(dtype) == 4 or thread_m * thread_n <= 32",
      // Registers: sums, operands twice, and what addresses take.
      threads +
          " * slices * (sizeof(dtype) / 4 * (thread_m * thread_n + 2 * (thread_m + thread_n)) + 32) <= "
          "65536",
      // Where slices add up their sums.
      "slices == 1 or stages * depth * (tile_m + 4 + tile_n) >= tile_m * tile_n",
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
      {"SPLITS", "splits"},
      {"SLICES", "slices"},
      {"EVEN",
       "if(workers == 0, 0, if(" + tiles + " >= workers * compute_units, 1, if(workers == 1, 2, 3)))"},
      {"BAND", "band"},
      {"PORTIONS", "portions"},
      {"ALONG", "if(along == 'rows', 0, if(along == 'columns', 1, if(along == 'squares_2', 2, 3)))"},
      {"BEFORE", "if(copies == 'packs', " + begin + ", 0)"},
      {"C_BEFORE", begin},
      {"B_WIDTH", width}};
  launch.block = {threads, "slices", "1"};
  const std::string blocks = "if(workers == 0, " + tiles + ", min(" + tiles +
                             " * if(workers == 1, 2, ceil_div(k, depth)), workers * compute_units))";
  launch.grid = {blocks, "splits", "1"};
  launch.shared_bytes =
      "slices * stages * depth * ((tile_m + 4 + tile_n) * sizeof(dtype) + if(copies != 'packs' or n * "
      "sizeof(dtype) % 16 == 0, 0, 16))";
  launch.local_bytes = launch.shared_bytes;
  launch.arguments = {"A", "B", "C", "partial", "finished", "m", "n", "k"};
  // Counted in float64 to have room for either type.
  const std::string parts = "if(workers > 0, " + blocks + " * if(workers == 1, 1, 2), if(splits == 1, 0, " +
                            tiles + " * splits))";
  variant.kernel =
      KernelSpec{{launch},
                 {{"partial", DType::f64, "max(2, " + parts + " * tile_m * tile_n * sizeof(dtype) / 8)"},
                  {"finished", DType::u32, "if(workers > 0, " + blocks + ", " + tiles + " * splits)"}}};
  return variant;
}

VariantInfo register_tiled_best() {
  VariantInfo variant = gpu_variant(
      "matmul", "register_tiled_best",
      "`register_tiled` in the tiling that a sweep found fastest for the size of the product on the "
      "GPU at hand, or on the nearest one measured; `skinny` or `strips` where C has few columns or rows, "
      "or is small.");
  variant.dtypes = {DType::f32};
  variant.features = {"mma_sync"};  // cp.async came with it, at compute capability 8.0
  return variant;
}

VariantInfo register_tiled_tuned() {
  VariantInfo variant = register_tiled_best();
  variant.name = "register_tiled_tuned";
  variant.doc =
      "What `register_tiled_best` chooses and the seven next tilings and forms that its rates favour, each "
      "compiled and tried on the GPU and the matrices at hand: the quickest of them. For GPUs whose rates "
      "nobody has measured, and for the last percents.";
  return variant;
}

VariantInfo skinny() {
  VariantInfo variant = gpu_variant("matmul", "skinny",
                                    "Products of up to 32 columns or 16 rows: the larger operand is read "
                                    "once, in order, by as many warps "
                                    "as are needed to have enough reads under way; limited by memory.");
  variant.dtypes = {DType::f32, DType::f64};
  variant.require = {"n <= 32 or m <= 16"};
  return variant;
}

VariantInfo strips() {
  VariantInfo variant = gpu_variant(
      "matmul", "strips",
      "Products of which C is small beside A or B: tiles that span its columns, up to 64, of which warps "
      "and blocks share the sums; limited by memory, or by the share of multiply-adds among instructions.");
  variant.dtypes = {DType::f32};
  variant.features = {"mma_sync"};  // cp.async came with it, at compute capability 8.0
  return variant;
}

const Table::Registration register_tiled_registration([] {
  return std::vector<Table::Entry>{{register_tiled()},
                                   {register_tiled_best(), &make_register_tiled_best},
                                   {register_tiled_tuned(), &make_register_tiled_tuned},
                                   {skinny(), &make_skinny},
                                   {strips(), &make_strips}};
});

}  // namespace

}  // namespace benchctl::cuda
