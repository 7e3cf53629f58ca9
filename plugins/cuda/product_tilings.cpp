#include "product_tilings.hpp"

#include <algorithm>
#include <array>

namespace benchctl::cuda {

namespace {

/// Products of which little but one operand or C takes time have a tiling of their own.
enum class Shape : std::uint8_t {
  flat,      ///< short sums: C is what takes time
  few_rows,  ///< a strip of C: B is what takes time, and only parts of k occupy the device
  other
};

/// All measured 2026-11-21 and 22 on an H200 (132 multiprocessors, NVRTC 13.0), see
/// docs/results/2026-11-21-h200-speed. Tilings: tile_m, tile_n, depth, thread_m, thread_n, stages,
/// portions.
struct ShapeRow {
  std::string_view architecture;
  Shape shape;
  ProductTiling tiling;
};

constexpr std::array<ShapeRow, 2> shapes{{
    {"sm_90a", Shape::flat, {64, 128, 16, 8, 8, 4, 1}},      // chosen at 4096×4096×32
    {"sm_90a", Shape::few_rows, {32, 128, 16, 8, 4, 4, 1}},  // chosen at 32×4096×4096
}};

/// What a multiprocessor computes with a tiling while one, two and more of its blocks run on it, GFLOP/s:
/// tiles of 512 to 4096 without the start of the kernel. Only their ratios matter.
using Rates = std::array<double, 3>;

struct RateRow {
  std::string_view architecture;
  ProductTiling tiling;
  Rates whole;   ///< rows of B begin with a pack of 16 bytes
  Rates within;  ///< they begin anywhere: sizes of 333 to 4095
};

constexpr std::array<RateRow, 7> rates{{
    {"sm_90a", {128, 256, 16, 16, 8, 4, 2}, {398, 398, 400}, {352, 345, 346}},
    {"sm_90a", {128, 128, 16, 8, 8, 3, 4}, {368, 373, 373}, {303, 321, 342}},
    {"sm_90a", {64, 128, 16, 8, 8, 4, 2}, {314, 366, 373}, {266, 303, 345}},
    {"sm_90a", {64, 128, 16, 8, 4, 4, 2}, {334, 347, 349}, {246, 267, 318}},
    {"sm_90a", {64, 64, 16, 8, 4, 3, 4}, {294, 327, 335}, {197, 262, 300}},
    {"sm_90a", {64, 64, 16, 8, 4, 3, 2}, {285, 318, 341}, {193, 231, 290}},
    {"sm_90a", {32, 64, 16, 4, 4, 4, 1}, {233, 229, 229}, {160, 190, 225}},
}};

/// To add up the parts of a product on the H200: to wait for the last one, ns, and to write and read them,
/// bytes per ns.
constexpr double joining_ns = 2000;
constexpr double joining_bytes_per_ns = 5000;
/// Parts must promise to save so much; less where rows of B begin anywhere, for which they were found to
/// keep their promise.
constexpr double worth_splitting = 0.9;
constexpr double worth_splitting_within = 1;

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

std::uint64_t tiles(const ProductSize& size, std::uint64_t tile_m, std::uint64_t tile_n) {
  return ceil_div(size.m, tile_m) * ceil_div(size.n, tile_n);
}

std::uint64_t tiles(const ProductSize& size, const ProductTiling& tiling) {
  return tiles(size, tiling.tile_m, tiling.tile_n);
}

Shape shape_of(const ProductSize& size, std::uint64_t compute_units) {
  if (size.k <= 64 && tiles(size, 64, 128) >= compute_units) return Shape::flat;
  return size.m <= 32 ? Shape::few_rows : Shape::other;
}

/// A part has four slabs at least.
std::uint64_t most_splits(const ProductSize& size, const ProductTiling& tiling) {
  return std::clamp<std::uint64_t>(size.k / (4 * tiling.depth), 1, 16);
}

/// Until the multiprocessor that gets most blocks is done, ns.
double expected_ns(const ProductSize& size, const RateRow& row, std::uint64_t splits,
                   std::uint64_t compute_units) {
  const ProductTiling& tiling = row.tiling;
  const bool whole = size.n % 4 == 0;
  const Rates& reached = whole ? row.whole : row.within;
  const std::uint64_t blocks = ceil_div(tiles(size, tiling) * splits, compute_units);
  const double rate = reached.at(std::min<std::uint64_t>(blocks, reached.size()) - 1);
  const auto operations =
      2.0 * tiling.tile_m * tiling.tile_n * static_cast<double>(size.k) / static_cast<double>(splits);
  const double ns = static_cast<double>(blocks) * operations / rate;
  if (splits == 1) return ns;
  const double bytes = 8.0 * static_cast<double>(size.m) * static_cast<double>(size.n);
  return (ns + joining_ns + static_cast<double>(splits) * bytes / joining_bytes_per_ns) /
         (whole ? worth_splitting : worth_splitting_within);
}

/// The quickest of all rows of an architecture in any number of parts.
ProductTiling quickest(const ProductSize& size, std::string_view architecture,
                       std::uint64_t compute_units) {
  ProductTiling best{};
  double least = 0;
  for (const RateRow& row : rates) {
    if (row.architecture != architecture) continue;
    for (std::uint64_t splits = 1; splits <= most_splits(size, row.tiling); ++splits) {
      const double ns = expected_ns(size, row, splits, compute_units);
      if (least > 0 && ns >= least) continue;
      least = ns;
      best = row.tiling;
      best.splits = static_cast<std::uint32_t>(splits);
    }
  }
  return best;
}

/// Of a strip's blocks two are to run on every multiprocessor: they wait for memory.
std::uint32_t splits_of_strip(const ProductSize& size, const ProductTiling& tiling,
                              std::uint64_t compute_units) {
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(2 * compute_units / tiles(size, tiling), 1, most_splits(size, tiling)));
}

}  // namespace

ChosenTiling choose_tiling(std::string_view architecture, std::uint64_t compute_units,
                           const ProductSize& size) {
  const bool known = std::ranges::find(rates, architecture, &RateRow::architecture) != rates.end();
  const std::string_view measured = known ? architecture : rates.front().architecture;
  const Shape shape = shape_of(size, compute_units);
  const auto row = std::ranges::find_if(shapes, [&](const ShapeRow& candidate) {
    return candidate.architecture == measured && candidate.shape == shape;
  });
  ChosenTiling chosen{row != shapes.end() ? row->tiling : quickest(size, measured, compute_units),
                      std::string(measured)};
  if (shape == Shape::few_rows) {
    chosen.tiling.splits = splits_of_strip(size, chosen.tiling, compute_units);
  }
  return chosen;
}

KernelPlan plan_product(const ProblemSpec& problem, const ProductSize& size, const ProductTiling& tiling,
                        const std::filesystem::path& kernels) {
  constexpr std::uint64_t word = sizeof(float);
  const std::uint64_t tile_count = tiles(size, tiling);
  const auto source = [&](const char* name) { return (kernels / name).lexically_normal().string(); };
  const PlannedArgument partial{PlannedArgument::Kind::scratch, 0};
  const PlannedArgument finished{PlannedArgument::Kind::scratch, 1};
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
  PlannedLaunch launch;
  launch.source = source("matmul_register_tiled.cu");
  launch.entry = "matmul_register_tiled";
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
                    {"BEFORE", std::to_string(size.n % 4)}};
  launch.block = {tiling.tile_m * tiling.tile_n / (tiling.thread_m * tiling.thread_n), 1, 1};
  launch.grid = {tile_count, tiling.splits, 1};
  launch.shared_bytes = std::uint64_t{tiling.stages} * tiling.depth *
                        (tiling.tile_m + 4 + tiling.tile_n + (size.n % 4 == 0 ? 0 : 4)) * word;
  launch.local_bytes = launch.shared_bytes;
  launch.arguments = {buffer("A"), buffer("B"), buffer("C"), partial,
                      finished,    scalar("m"), scalar("n"), scalar("k")};
  plan.launches.push_back(std::move(launch));
  return plan;
}

std::string to_text(const ProductTiling& tiling) {
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  return number(tiling.tile_m) + "x" + number(tiling.tile_n) + "x" + number(tiling.depth) + " in " +
         number(tiling.thread_m) + "x" + number(tiling.thread_n) + ", " + number(tiling.stages) +
         " stages, " + number(tiling.portions) + " portions, " + number(tiling.splits) + " parts";
}

}  // namespace benchctl::cuda
