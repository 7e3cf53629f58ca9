#include "product_tilings.hpp"

#include <algorithm>
#include <array>

namespace benchctl::cuda {

namespace {

/// From the first on, the first that fits is taken.
enum class SizeClass : std::uint8_t {
  flat,      ///< short sums: C is what takes time
  few_rows,  ///< a strip of C: B is what takes time, and only parts of k occupy the device
  large,     ///< a tile of 128×256 for nearly every multiprocessor
  medium,    ///< one and a half tiles of 64×64 for every multiprocessor
  small,
};

struct Row {
  std::string_view architecture;
  SizeClass size;
  ProductTiling tiling;
};

/// tile_m, tile_n, depth, thread_m, thread_n, stages, portions. All measured 2026-11-21 on an H200 (132
/// multiprocessors, NVRTC 13.0), see docs/results/2026-11-21-h200-speed; behind each row the sizes it was
/// chosen at.
constexpr std::array<Row, 5> table{{
    {"sm_90a", SizeClass::flat, {64, 128, 16, 8, 8, 4, 1}},      // 4096×4096×32
    {"sm_90a", SizeClass::few_rows, {32, 128, 16, 8, 4, 4, 1}},  // 32×4096×4096
    {"sm_90a", SizeClass::large, {128, 256, 16, 16, 8, 4, 2}},   // 2048, 4000, 4096
    {"sm_90a", SizeClass::medium, {64, 64, 16, 8, 4, 3, 4}},     // 1000, 1024
    {"sm_90a", SizeClass::small, {32, 64, 16, 4, 4, 4, 1}},      // 512
}};

/// Products of so many multiply-adds take longer than one launch more.
constexpr std::uint64_t aligning_pays_from = std::uint64_t{512} * 512 * 512;

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

std::uint64_t tiles(const ProductSize& size, std::uint64_t tile_m, std::uint64_t tile_n) {
  return ceil_div(size.m, tile_m) * ceil_div(size.n, tile_n);
}

SizeClass class_of(const ProductSize& size, std::uint64_t compute_units) {
  if (size.k <= 64 && tiles(size, 64, 128) >= compute_units) return SizeClass::flat;
  if (size.m <= 32) return SizeClass::few_rows;
  if (tiles(size, 128, 256) * 10 >= compute_units * 9) return SizeClass::large;
  if (tiles(size, 64, 64) * 2 >= compute_units * 3) return SizeClass::medium;
  return SizeClass::small;
}

/// Blocks that every multiprocessor is to have where tiles alone are too few.
std::uint64_t blocks_wanted(SizeClass size) { return size == SizeClass::few_rows ? 2 : 1; }

std::uint32_t splits_of(const ProductSize& size, SizeClass size_class, const ProductTiling& tiling,
                        std::uint64_t compute_units) {
  if (size_class != SizeClass::few_rows && size_class != SizeClass::small) return 1;
  const std::uint64_t wanted =
      blocks_wanted(size_class) * compute_units / tiles(size, tiling.tile_m, tiling.tile_n);
  // A part has four slabs at least.
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(std::min<std::uint64_t>(wanted, size.k / (4 * tiling.depth)), 1, 16));
}

/// Whether copying B first pays: rows of B begin at odd places, and each is read several times.
bool worth_aligning(const ProductSize& size, SizeClass size_class) {
  if (size_class == SizeClass::flat || size_class == SizeClass::few_rows) return false;
  return size.n % 4 != 0 && size.m * size.n * size.k >= aligning_pays_from;
}

}  // namespace

ChosenTiling choose_tiling(std::string_view architecture, std::uint64_t compute_units,
                           const ProductSize& size) {
  const bool known =
      std::ranges::any_of(table, [&](const Row& row) { return row.architecture == architecture; });
  const std::string_view wanted = known ? architecture : table.front().architecture;
  const SizeClass size_class = class_of(size, compute_units);
  const auto row = std::ranges::find_if(table, [&](const Row& candidate) {
    return candidate.architecture == wanted && candidate.size == size_class;
  });
  ChosenTiling chosen{row->tiling, std::string(row->architecture)};
  chosen.tiling.aligned = worth_aligning(size, size_class);
  chosen.tiling.splits = splits_of(size, size_class, chosen.tiling, compute_units);
  return chosen;
}

KernelPlan plan_product(const ProblemSpec& problem, const ProductSize& size, std::uint64_t compute_units,
                        const ProductTiling& tiling, const std::filesystem::path& kernels) {
  constexpr std::uint64_t word = sizeof(float);
  const std::uint64_t tile_count = tiles(size, tiling.tile_m, tiling.tile_n);
  const auto source = [&](const char* name) { return (kernels / name).lexically_normal().string(); };
  const PlannedArgument partial{PlannedArgument::Kind::scratch, 0};
  const PlannedArgument finished{PlannedArgument::Kind::scratch, 1};
  const PlannedArgument aligned{PlannedArgument::Kind::scratch, 2};
  const auto buffer = [&](const char* name) {
    return PlannedArgument{PlannedArgument::Kind::buffer, problem.buffer_index(name).value()};
  };
  const auto scalar = [&](const char* name) {
    return PlannedArgument{PlannedArgument::Kind::scalar, problem.scalar_index(name).value()};
  };
  KernelPlan plan;
  plan.scratch = {
      {"partial", DType::f64,
       tiling.splits == 1 ? 2 : tile_count * tiling.splits * tiling.tile_m * tiling.tile_n * word / 8,
       false},
      {"finished", DType::u32, tile_count, false}};
  if (tiling.aligned) {
    const std::uint64_t packs = size.k * ceil_div(size.n * word, 16);
    plan.scratch.push_back({"aligned", DType::f64, 2 * packs, false});
    PlannedLaunch copy;
    copy.source = source("align_rows.cu");
    copy.entry = "align_rows";
    copy.defines = {{"REAL", "float"}};
    copy.block = {256, 1, 1};
    copy.grid = {std::min(ceil_div(packs, 256), compute_units * 8), 1, 1};
    copy.arguments = {buffer("B"), aligned, scalar("n"), scalar("k")};
    plan.launches.push_back(std::move(copy));
  }
  PlannedLaunch launch;
  launch.source = source("matmul_register_tiled.cu");
  launch.entry = "matmul_register_tiled";
  const std::uint64_t row = size.n * word;
  launch.defines = {{"REAL", "float"},
                    {"TILE_M", std::to_string(tiling.tile_m)},
                    {"TILE_N", std::to_string(tiling.tile_n)},
                    {"DEPTH", std::to_string(tiling.depth)},
                    {"THREAD_M", std::to_string(tiling.thread_m)},
                    {"THREAD_N", std::to_string(tiling.thread_n)},
                    {"STAGES", std::to_string(tiling.stages)},
                    {"PORTIONS", std::to_string(tiling.portions)},
                    {"SPLITS", std::to_string(tiling.splits)},
                    {"BAND", "8"},
                    {"B_BYTES", tiling.aligned || row % 16 == 0 ? "16"
                                : row % 8 == 0                  ? "8"
                                                                : "4"},
                    {"B_PADDED", tiling.aligned ? "1" : "0"}};
  launch.block = {tiling.tile_m * tiling.tile_n / (tiling.thread_m * tiling.thread_n), 1, 1};
  launch.grid = {tile_count, tiling.splits, 1};
  launch.shared_bytes =
      std::uint64_t{tiling.stages} * tiling.depth * (tiling.tile_m + 4 + tiling.tile_n) * word;
  launch.local_bytes = launch.shared_bytes;
  launch.arguments = {buffer("A"), tiling.aligned ? aligned : buffer("B"),
                      buffer("C"), partial,
                      finished,    scalar("m"),
                      scalar("n"), scalar("k")};
  plan.launches.push_back(std::move(launch));
  return plan;
}

std::string to_text(const ProductTiling& tiling) {
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  return number(tiling.tile_m) + "x" + number(tiling.tile_n) + "x" + number(tiling.depth) + " in " +
         number(tiling.thread_m) + "x" + number(tiling.thread_n) + ", " + number(tiling.stages) +
         " stages, " + number(tiling.portions) + " portions, " + number(tiling.splits) + " parts" +
         (tiling.aligned ? ", B copied to aligned rows" : "");
}

}  // namespace benchctl::cuda
