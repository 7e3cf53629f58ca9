// Variants of workload `matmul` in double precision on tensor cores.
#include "gpu/joined_products.hpp"

#include "mapped_product.hpp"
#include "variants/narrow_products.hpp"

namespace benchctl::cuda {

namespace {

using gpu::tunable;

/// In shared memory, of rows of `part` doubles out of `length`.
std::string pitch(const std::string& part, const std::string& length, const std::string& other) {
  const std::string least = "(" + part + " + " + length + " % 2)";
  const std::string apart =
      "if(" + length + " % 8 == 0 and " + other + " % 2 == 1, 4, " + length + " % 16)";
  return "if(lines == 0, " + part + " + 2 + (" + length + " + 2) % 4, " + least + " + (" + apart +
         " + 512 - " + least + ") % 16)";
}

KernelSpec kernel() {
  LaunchSpec launch;
  launch.source = "matmul_tensor_f64.cu";
  launch.entry = "matmul_tensor_f64";
  launch.defines = {{"TILE_M", "tile_m"},   {"TILE_N", "tile_n"},
                    {"WARP_M", "warp_m"},   {"WARP_N", "warp_n"},
                    {"DEPTH", "depth"},     {"STAGES", "stages"},
                    {"SPREAD", "spread"},   {"SPLITS", "split_k"},
                    {"SLICES", "sliced_k"}, {"EVEN", "if(persistent == 0, 0, 1)"},
                    {"BAND", "raster"},     {"LINES", "lines"},
                    {"K_MODULO", "k % 16"}, {"N_MODULO", "n % 16"}};
  launch.block = {"threads", "sliced_k", "1"};
  launch.grid = {"if(raster == 0, ceil_div(n, tile_n), blocks)",
                 "if(raster == 0, ceil_div(m, tile_m), split_k)", "1"};
  launch.shared_bytes = "shared";
  launch.local_bytes = "shared";
  launch.arguments = {"A", "B", "C", "partial", "finished", "m", "n", "k"};
  return {{launch},
          {{"partial", DType::f64, "max(2, parts * tile_m * tile_n)"}, {"finished", DType::u32, "tiles"}},
          {{"threads", "tile_m / warp_m * (tile_n / warp_n) * 32"},
           {"tiles", tiles},
           // A thread's registers: sums, operands twice, and what addresses take.
           {"registers", "warp_m * warp_n / 16 + warp_n + if(sliced_k > 1 and spread == 0, 32, 64)"},
           {"blocks", "if(persistent == 0, tiles, min(tiles, persistent * compute_units))"},
           {"parts", "if(persistent > 0, blocks, if(split_k == 1, 0, tiles * split_k))"},
           {"a_pitch", pitch("depth", "k", "n")},
           {"b_pitch", pitch("tile_n", "n", "k")},
           {"shared", "8 * sliced_k * stages * (tile_m * a_pitch + depth * b_pitch)"}}};
}

VariantInfo tensor_variant(const char* name, const char* doc) {
  VariantInfo variant = gpu_variant("matmul", name, doc);
  variant.dtypes = {DType::f64};
  variant.compute_path = "mma_f64";
  variant.features = {"mma_sync"};
  return variant;
}

/// `name` is one of these.
std::string one_of(const std::string& name, std::initializer_list<std::int64_t> values) {
  std::string text;
  for (const std::int64_t value : values) {
    text += (text.empty() ? "" : " or ") + name + " == " + std::to_string(value);
  }
  return text;
}

VariantInfo tensor_f64() {
  VariantInfo variant = tensor_variant(
      "tensor_f64",
      "f64 matrices in f64 arithmetic, tensor cores by mma.sync, slabs of k staged by asynchronous copies; "
      "limited by the tensor cores, and for long by the power that they take.");
  variant.architectures = all_architectures();
  variant.kernel = kernel();
  variant.kernel->effort = gpu::effort_of_tiles("split_k", true, "32");
  variant.tunables = {
      tunable("tile_m", 64, "Rows of C per block.", {one_of("tile_m", {32, 48, 64, 96, 128, 256})},
              {32, 48, 64, 96, 128}),
      tunable("tile_n", 128, "Columns of C per block.", {one_of("tile_n", {32, 64, 128, 256})},
              {32, 64, 128}),
      tunable("warp_m", 32, "Rows of C per warp.", {one_of("warp_m", {16, 32, 64})}, {16, 32, 64}),
      tunable("warp_n", 32, "Columns of C per warp.", {one_of("warp_n", {16, 32})}, {16, 32}),
      tunable("depth", 16, "Length of a slab along k.", {one_of("depth", {8, 16, 24, 32})},
              {8, 16, 24, 32}),
      tunable("stages", 3, "Slabs in shared memory, the one being multiplied included.",
              {"stages >= 2", "stages <= 8"}, {2, 3, 4}),
      tunable("spread", 0, "Copies of a slab come together (0) or behind its instructions, one by one (1).",
              {one_of("spread", {0, 1})}, {0, 1}),
      gpu::by_size(tunable("split_k", 1, "Blocks that share a tile, each for a part of k.",
                           {"split_k >= 1", "split_k <= 64"}, {1, 2, 4, 8})),
      tunable("sliced_k", 1, "Groups of a block's threads that share its tile, each for a part of k.",
              {"sliced_k >= 1", "sliced_k <= 8"}, {1, 2, 3}),
      tunable("persistent", 0,
              "Persistent blocks per multiprocessor that share out the tiles evenly, some of them in two "
              "parts of k; 0 "
              "for a block per tile.",
              {"persistent >= 0", "persistent <= 4"}, {0, 1, 2}),
      tunable("raster", 8,
              "Raster order: height in tiles of the bands in which blocks go through C; 0 for a grid of "
              "blocks as C of "
              "tiles.",
              {"raster >= 0"}, {0, 4, 8, 16}),
      tunable("lines", 0,
              "Pitches in shared memory congruent to rows' lengths modulo 4 (0), or modulo 16 (1): data of "
              "one line of global memory then lie in one line there.",
              {one_of("lines", {0, 1})}, {0, 1})};
  variant.require = {
      "tile_m % warp_m == 0", "tile_n % warp_n == 0", "warp_m * depth >= 256",
      "sliced_k == 1 or split_k == 1",
      // One warp at least for each of a multiprocessor's four tensor cores.
      "threads >= 128", "threads * sliced_k <= 1024", "threads * sliced_k * registers <= 65536",
      // Copies take whole rows of A and B, of A an even number at a time, and whole tiles.
      "threads % depth == 0", "2 * threads > tile_m * depth or tile_m * depth % (2 * threads) == 0",
      "2 * threads % tile_n == 0 or tile_n % (2 * threads) == 0",
      "persistent == 0 or split_k == 1 and sliced_k == 1",
      "raster > 0 or split_k == 1 and persistent == 0 and m <= 65535 * tile_m",
      // What a block keeps from tile to tile has no room beside more addresses.
      "persistent == 0 or threads <= 384 or k % 2 == 0 and n % 2 == 0",
      // Where slices add up their sums.
      "sliced_k == 1 or stages * depth * (tile_m + tile_n) >= tile_m * tile_n"};
  return variant;
}

VariantInfo tensor_f64_fed() {
  VariantInfo variant = tensor_variant(
      "tensor_f64_fed",
      "f64 matrices in f64 arithmetic, tensor cores by mma.sync, fed by warps of their own through the "
      "copy "
      "engine or double by double; limited by the tensor cores, and for long by the power that they take.");
  variant.architectures = {"sm_90a"};
  variant.tunables = {
      tunable("tile_m", 64, "Rows of C per block.", {"tile_m % 16 == 0", "tile_m >= 32", "tile_m <= 256"},
              {32, 48, 64, 96, 128}),
      tunable("tile_n", 64, "Columns of C per block.", {one_of("tile_n", {32, 64, 96, 128, 192, 256})},
              {32, 64, 128}),
      tunable("warp_m", 16, "Rows of C per warp.", {one_of("warp_m", {16, 24, 32, 48, 64})},
              {16, 24, 32, 48, 64}),
      tunable("warp_n", 32, "Columns of C per warp.", {one_of("warp_n", {16, 32, 48, 64})}, {16, 32}),
      tunable("depth", 16, "Length of a slab along k.", {one_of("depth", {16, 32, 64})}, {16, 32}),
      tunable("stages", 6, "Slabs in shared memory, the one being multiplied included.",
              {"stages >= 2", "stages <= 12"}, {4, 5, 6, 8}),
      tunable("producer_warps", 4,
              "Producer warps, which bring slabs; where n and k are even one thread does, and of 4 warps "
              "those that "
              "multiply get registers.",
              {one_of("producer_warps", {1, 4, 8})}, {1, 4, 8}),
      tunable("sliced_k", 1, "Warps that share a part of a tile, each for a part of every slab.",
              {one_of("sliced_k", {1, 2})}, {1, 2}),
      tunable("resident", 1, "Blocks that are to run on a multiprocessor.", {one_of("resident", {1, 2, 3})},
              {1, 2}),
      tunable("later", 0,
              "Operands are loaded right behind the instruction that used those before them (0), or one "
              "instruction later (1).",
              {one_of("later", {0, 1})}, {0, 1}),
      tunable("persistent", 0,
              "Persistent blocks per multiprocessor that take tiles in turns; 0 for a block per tile.",
              {"persistent >= 0", "persistent <= 3"}, {0, 1}),
      tunable("raster", 8, "Raster order: height in tiles of the bands in which blocks go through C.",
              {"raster >= 1"}, {4, 8, 16}),
      gpu::by_size(tunable("split_k", 1, "Blocks that share a tile, each for a part of the slabs.",
                           {"split_k >= 1", "split_k <= 64"}, {1, 2, 4, 8}))};
  variant.require = {
      "tile_m % warp_m == 0", "tile_n % warp_n == 0", "warps >= 4", "threads <= 1024",
      "threads * resident <= 2048", "resident * (shared + 1024) <= 233472", "registers * resident <= 65536",
      "warp_m * warp_n <= 2048",
      // Those that feed give registers away; no thread can take more than 232.
      "producer_warps != 4 or warp_m * warp_n <= 1024 or threads * resident >= 288",
      // Double by double whole rows are copied by whole warps.
      "engine == 1 or producer_warps > 1 and tile_n % 32 == 0 and copies % (32 * producer_warps) == 0",
      "sliced_k == 1 or persistent == 0 and stages * depth * (tile_m + tile_n) >= tile_m * tile_n",
      "later == 0 or warp_n > 16",
      // Every part has a slab.
      "split_k == 1 or persistent == 0 and split_k <= ceil_div(k, depth)"};
  LaunchSpec launch;
  launch.source = "matmul_tensor_f64_fed.cu";
  launch.entry = "matmul_tensor_f64_fed";
  launch.defines = {{"TILE_M", "tile_m"},
                    {"TILE_N", "tile_n"},
                    {"WARP_M", "warp_m"},
                    {"WARP_N", "warp_n"},
                    {"DEPTH", "depth"},
                    {"STAGES", "stages"},
                    {"FEEDERS", "producer_warps"},
                    {"SLICES", "sliced_k"},
                    {"RESIDENT", "resident"},
                    {"LATER", "later"},
                    {"BAND", "raster"},
                    {"COPY_ENGINE", "engine"},
                    {"SPLITS", "split_k"}};
  launch.block = {"threads", "1", "1"};
  launch.grid = {"if(persistent == 0, tiles, min(tiles, persistent * compute_units))", "split_k", "1"};
  launch.shared_bytes = "shared";
  launch.local_bytes = "shared";
  launch.arguments = {"A", "B", "C", "partial", "finished", "m", "n", "k"};
  variant.kernel =
      KernelSpec{{launch},
                 {{"partial", DType::f64, "max(2, if(split_k == 1, 0, tiles * split_k) * tile_m * tile_n)"},
                  {"finished", DType::u32, "tiles"}},
                 {{"tiles", tiles},
                  {"warps", "tile_m / warp_m * (tile_n / warp_n) * sliced_k"},
                  {"threads", "(warps + producer_warps) * 32"},
                  {"engine", "if(k % 2 == 0 and n % 2 == 0, 1, 0)"},
                  {"shared", "stages * (8 * depth * (tile_m + tile_n) + 16)"},
                  {"copies", "tile_m * if(depth == 16, 16, 32)"},
                  // A thread that multiplies has sums, operands and 32 registers more.
                  {"each", "warp_m * warp_n / 16 + warp_m / 2 + warp_n / 2 + 32"},
                  {"feeding", "producer_warps * 32 * if(engine == 1, 40, 72)"},
                  {"registers",
                   "if(producer_warps == 4 and warp_m * warp_n > 1024, warps * 32 * each + feeding, "
                   "threads * each)"}}};
  variant.kernel->effort = gpu::effort_of_tiles("split_k", false, "32");
  return variant;
}

VariantInfo tensor_f64_tuned() {
  VariantInfo variant = tensor_variant(
      "tensor_f64_tuned", "The quickest configuration of `tensor_f64` and `tensor_f64_fed` in a trial.");
  variant.tunables = choice_tunables();
  variant.among = {"tensor_f64", "tensor_f64_fed"};
  return variant;
}

const Table::Registration matmul_tensor_f64_registration([] {
  return std::vector<Table::Entry>{
      {tensor_f64()}, {tensor_f64_fed(), &make_mapped_product}, {tensor_f64_tuned()}};
});

}  // namespace

}  // namespace benchctl::cuda
