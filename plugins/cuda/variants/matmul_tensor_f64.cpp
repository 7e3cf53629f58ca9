// Variants of workload `matmul` in double precision on tensor cores.
#include "table.hpp"

#include <functional>

namespace benchctl::cuda {

namespace {

/// Expressions: names of tunables, or numbers.
struct Tiling {
  std::string tile_m;
  std::string tile_n;
  std::string warp_m;
  std::string warp_n;
  std::string depth;
  std::string stages;
  std::string splits = "1";
  std::string band = "8";
};

/// An expression of a tiling, and how it is written where the tiling depends on the product.
using OfTiling = std::function<std::string(const Tiling&)>;
using Choice = std::function<std::string(const OfTiling&)>;

std::string threads_of(const Tiling& tiling) {
  return tiling.tile_m + " / " + tiling.warp_m + " * (" + tiling.tile_n + " / " + tiling.warp_n + ") * 32";
}

std::string tiles_of(const Tiling& tiling) {
  return "ceil_div(m, " + tiling.tile_m + ") * ceil_div(n, " + tiling.tile_n + ")";
}

std::string shared_bytes_of(const Tiling& tiling) {
  return "8 * " + tiling.stages + " * (" + tiling.tile_m + " * (" + tiling.depth +
         " + 2 + (k + 2) % 4) + " + tiling.depth + " * (" + tiling.tile_n + " + 2 + (n + 2) % 4))";
}

std::string parts_of(const Tiling& tiling) {
  if (tiling.splits == "1") return "2";
  return "if(" + tiling.splits + " == 1, 2, " + tiles_of(tiling) + " * " + tiling.splits + " * " +
         tiling.tile_m + " * " + tiling.tile_n + ")";
}

KernelSpec kernel_of(const Choice& chosen) {
  LaunchSpec launch;
  launch.source = "matmul_tensor_f64.cu";
  launch.entry = "matmul_tensor_f64";
  launch.defines = {{"TILE_M", chosen(&Tiling::tile_m)},
                    {"TILE_N", chosen(&Tiling::tile_n)},
                    {"WARP_M", chosen(&Tiling::warp_m)},
                    {"WARP_N", chosen(&Tiling::warp_n)},
                    {"DEPTH", chosen(&Tiling::depth)},
                    {"STAGES", chosen(&Tiling::stages)},
                    {"SPLITS", chosen(&Tiling::splits)},
                    {"BAND", chosen(&Tiling::band)},
                    {"K_MODULO", "k % 4"},
                    {"N_MODULO", "n % 4"}};
  launch.block = {chosen(threads_of), "1", "1"};
  launch.grid = {chosen(tiles_of), chosen(&Tiling::splits), "1"};
  launch.shared_bytes = chosen(shared_bytes_of);
  launch.local_bytes = launch.shared_bytes;
  launch.arguments = {"A", "B", "C", "partial", "finished", "m", "n", "k"};
  return {{launch},
          {{"partial", DType::f64, chosen(parts_of)}, {"finished", DType::u32, chosen(tiles_of)}}};
}

VariantInfo tensor_variant(const char* name, const char* doc, const Choice& chosen) {
  VariantInfo variant = gpu_variant("matmul", name, doc);
  variant.dtypes = {DType::f64};
  variant.compute_path = "mma_f64";
  variant.features = {"mma_sync"};
  variant.architectures = all_architectures();
  variant.kernel = kernel_of(chosen);
  return variant;
}

TunableInfo tunable(const char* name, std::int64_t default_value, const char* doc,
                    std::vector<std::string> require, std::initializer_list<std::int64_t> values) {
  return {name, default_value, doc, std::move(require), {values.begin(), values.end()}};
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
  const Tiling tiling{"tile_m", "tile_n", "warp_m", "warp_n", "depth", "stages", "splits", "band"};
  VariantInfo variant = tensor_variant(
      "tensor_f64",
      "f64 matrices in f64 arithmetic, tensor cores by mma.sync, slabs of k staged by asynchronous copies; "
      "limited by the tensor cores, and for long by the power that they take.",
      [&](const OfTiling& text) { return text(tiling); });
  variant.tunables = {
      tunable("tile_m", 64, "Rows of C per block.", {one_of("tile_m", {32, 64, 128, 256})}, {32, 64, 128}),
      tunable("tile_n", 128, "Columns of C per block.", {one_of("tile_n", {32, 64, 128, 256})},
              {32, 64, 128}),
      tunable("warp_m", 32, "Rows of C per warp.", {one_of("warp_m", {16, 32, 64})}, {16, 32, 64}),
      tunable("warp_n", 32, "Columns of C per warp.", {one_of("warp_n", {16, 32})}, {16, 32}),
      tunable("depth", 16, "Length of a slab along k.", {one_of("depth", {8, 16, 32})}, {8, 16, 32}),
      tunable("stages", 3, "Slabs in shared memory, the one being multiplied included.",
              {"stages >= 2", "stages <= 8"}, {2, 3, 4}),
      tunable("splits", 1, "Blocks that share a tile, each for a part of k.",
              {"splits >= 1", "splits <= 64"}, {1, 2, 4}),
      tunable("band", 8, "Height in tiles of the bands in which blocks go through C.", {"band >= 1"},
              {4, 8, 16})};
  const std::string threads = threads_of(tiling);
  variant.require = {"tile_m % warp_m == 0", "tile_n % warp_n == 0", "warp_m * depth >= 256",
                     // One warp at least for each of a multiprocessor's four tensor cores.
                     threads + " >= 128",
                     // Registers: sums, operands twice, and what addresses take.
                     threads + " * (warp_m * warp_n / 16 + warp_n + 64) <= 65536"};
  return variant;
}

/// How many blocks with a tile of C each the busiest multiprocessor gets.
std::string most_blocks(const Tiling& tiling) {
  return "ceil_div(" + tiles_of(tiling) + ", compute_units)";
}

/// What was quickest on an H200 (132 multiprocessors, NVRTC 13.0) at sizes of 256 to 8192: the tile with
/// which the busiest multiprocessor is done first. Measured there, a block of 32×32 takes some 6/16 of the
/// time of one of 64×64, one of 32×64 takes 9/16, and one of 64×128 twice as much, which is the quickest
/// for large products. Where k or n is odd that one has no registers for two blocks at a time. Strips of up
/// to 32 rows wait for B: two blocks with a part of k each, of 256 steps at least, are to run on every
/// multiprocessor.
std::string by_size(const OfTiling& text) {
  const Tiling wide{"64", "128", "32", "32", "16", "3"};
  const Tiling square{"64", "64", "16", "32", "16", "3"};
  const Tiling half{"32", "64", "16", "32", "16", "4"};
  const Tiling quarter{"32", "32", "16", "16", "32", "3"};
  Tiling strip = half;
  strip.splits = "max(1, min(16, floor_div(k, 256), floor_div(2 * compute_units, ceil_div(n, 64))))";
  const std::string is_wide = "k % 2 == 0 and n % 2 == 0 and (" + most_blocks(wide) + " >= 12 or " +
                              most_blocks(wide) + " >= 4 and 2 * " + most_blocks(wide) +
                              " <= " + most_blocks(square) + ")";
  const std::string is_quarter = "6 * " + most_blocks(quarter) + " < min(9 * " + most_blocks(half) +
                                 ", 16 * " + most_blocks(square) + ")";
  const std::string is_half = "9 * " + most_blocks(half) + " < 16 * " + most_blocks(square);
  return "if(m <= 32, " + text(strip) + ", if(" + is_wide + ", " + text(wide) + ", if(" + is_quarter +
         ", " + text(quarter) + ", if(" + is_half + ", " + text(half) + ", " + text(square) + "))))";
}

VariantInfo tensor_f64_best() {
  return tensor_variant("tensor_f64_best",
                        "`tensor_f64` in the tiling that was measured fastest for products of such a size.",
                        by_size);
}

const Table::Registration registration([] {
  return std::vector<Table::Entry>{{tensor_f64()}, {tensor_f64_best()}};
});

}  // namespace

}  // namespace benchctl::cuda
