#include "wgmma_tilings.hpp"

#include "gpu/ceil_div.hpp"
#include "gpu/planned_arguments.hpp"
#include "repacked_rows.hpp"
#include "wgmma_costs.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace benchctl::cuda {

namespace {

/// From so many operations on a launch that takes A apart costs less than what it saves the product.
constexpr double worth_a_launch = 2.2e10;

/// Rows of a tile of 192 columns, which three warpgroups multiply, from which on the compiler spills where
/// rows of C are written in pieces.
constexpr std::uint32_t least_spilling_rows = 192;

std::span<const WgmmaShape> shapes_of(Narrow kind) {
  switch (kind) {
    case Narrow::bf16:
      return bf16_shapes;
    case Narrow::tf32:
      return tf32_shapes;
    case Narrow::three_tf32:
      break;
  }
  return three_tf32_shapes;
}

const WgmmaCosts& costs_of(Narrow kind) {
  switch (kind) {
    case Narrow::bf16:
      return bf16_costs;
    case Narrow::tf32:
      return tf32_costs;
    case Narrow::three_tf32:
      break;
  }
  return three_tf32_costs;
}

/// Clusters that are multiplied at a time: those of one and two blocks find room everywhere; of larger ones
/// parts of the device hold one less than there are multiprocessors for (30 of 33 on the H200).
std::uint64_t clusters_at_once(std::uint64_t compute_units, std::uint64_t blocks) {
  const std::uint64_t usable = blocks <= 2 ? compute_units : compute_units - compute_units / 11;
  return std::max<std::uint64_t>(usable / blocks, 1);
}

/// Groups of `share` tiles below and `across` tiles beside each other.
std::uint64_t tile_groups(const ProductSize& size, const WgmmaShape& shape) {
  return ceil_div(size.m, std::uint64_t{shape.tile_m} * shape.share) *
         ceil_div(size.n, std::uint64_t{shape.tile_n} * shape.across);
}

/// Until the multiprocessor that gets most tiles is done, ns.
double expected_ns(const ProductSize& size, Narrow kind, const WgmmaShape& shape,
                   std::uint64_t compute_units) {
  const WgmmaCosts& costs = costs_of(kind);
  const std::uint64_t blocks = shape.blocks();
  const std::uint64_t groups = tile_groups(size, shape);
  const std::uint64_t rounds = ceil_div(groups, clusters_at_once(compute_units, blocks));
  const std::uint64_t units = ceil_div(size.k, std::uint64_t{costs.depth} * costs.slabs);
  const auto slabs = static_cast<double>(ceil_div(units, shape.splits) * costs.slabs);
  const double area = double{1} * shape.tile_m * shape.tile_n;
  const bool is_odd_a = size.k * element_bytes(kind) % 128 != 0;
  const bool is_odd_b = size.n * element_bytes(kind) % 128 != 0;
  const auto rows = static_cast<double>(std::min<std::uint64_t>(shape.tile_m, size.m));
  const double asked = rows / shape.across * (is_odd_a ? 1 + costs.odd_a : 1) +
                       double{1} * shape.tile_n / shape.share * (is_odd_b ? 1 + costs.odd_b : 1);
  // Each warpgroup reads its 64 columns of B and all rows of A.
  const std::uint32_t warpgroups = shape.tile_n / 64;
  const double passed = 128.0 * (shape.tile_m + shape.tile_n) + 128.0 * warpgroups * (shape.tile_m + 64);
  double slab =
      std::max({costs.multiply * area * (shape.tile_n == 64 ? 1 + costs.single : 1), costs.ask * asked,
                costs.fill * (shape.tile_m + shape.tile_n), costs.pass * passed});
  if (40 * groups * blocks > 39 * compute_units) slab *= 1 + costs.crowded;
  double ns = costs.kernel + static_cast<double>(rounds) * slabs * slab;
  // In tf32 it is worth it as soon as blocks have several tiles, as measured.
  const bool is_free = kind == Narrow::tf32 && rounds > 1;
  if (shape.share * shape.across > 1 && !is_free) ns += costs.sharing;
  // Between tiles, too, but for what leaves late.
  const double soon = area - double{1} * shape.late * shape.tile_n;
  const double stored = area + static_cast<double>(rounds - 1) * soon;
  ns += costs.store * stored / shape.splits * (is_odd_b ? 1 + costs.odd_store : 1);
  if (shape.splits > 1) ns += costs.joining + costs.joined * area * (shape.splits - 1) / shape.splits;
  return ns;
}

/// The part of C's tiles, by the groups that they come in, that C fills.
double filled(const ProductSize& size, const WgmmaShape& shape) {
  const auto covered = static_cast<double>(tile_groups(size, shape) * shape.share * shape.across) *
                       shape.tile_m * shape.tile_n;
  return static_cast<double>(size.m) * static_cast<double>(size.n) / covered;
}

/// What the costs do not tell.
bool is_worth_trying(const ProductSize& size, Narrow kind, const WgmmaShape& shape,
                     std::uint64_t compute_units, bool apart) {
  // A block that has a part of k has one tile: starting over for the next would cost more than it saves.
  if (shape.splits > 1 && tile_groups(size, shape) > clusters_at_once(compute_units, shape.blocks())) {
    return false;
  }
  // Blocks of a large cluster that have no part of C fetch all the same: 104×128 by 4 and 2 takes 8.65 µs
  // at 1096, 56×192 by 4, whose tiles C fills, 8.13; 144×128 by 2 and 4 10.1 at 1264, 128×128 by 2 8.9.
  const double least_filled = shape.tile_m > 128 ? 0.74 : 0.79;
  if (shape.share * shape.across == 8 && shape.tile_n >= 128 && size.m >= 256 &&
      filled(size, shape) < least_filled) {
    return false;
  }
  // The last of three warpgroups, at the edge of C, has something to do.
  if (shape.tile_n == 192 && size.n % 192 != 0 && size.n % 192 <= 64) return false;
  // Beside a launch that takes A apart, which is for large products, tiles are large.
  return kind != Narrow::three_tf32 || !apart || shape.tile_m >= 112;
}

constexpr std::uint64_t most_shared_bytes = 227 << 10U;  ///< that a block may have on sm_90
constexpr std::uint32_t most_stages = 8;

std::uint64_t stage_bytes(Narrow kind, const WgmmaTiling& tiling) {
  return std::uint64_t{(kind == Narrow::three_tf32 ? 2U : 1U) * tiling.tile_m + tiling.tile_n} * 128;
}

/// Pieces of 64 columns that a warpgroup has: two warpgroups multiply where tiles are wider than three
/// pieces.
std::uint32_t pieces_of_warpgroup(std::uint32_t tile_n) { return tile_n > 192 ? tile_n / 128 : 1; }

/// Beside the stages: the others' sums, rows of C on their way out, and room to begin at a multiple of
/// 1024.
std::uint64_t other_bytes(Narrow kind, const WgmmaTiling& tiling) {
  const std::uint64_t area = std::uint64_t{tiling.tile_m} * tiling.tile_n;
  const std::uint32_t pieces = pieces_of_warpgroup(tiling.tile_n);
  const std::uint64_t rows = std::min<std::uint64_t>(tiling.tile_m / tiling.splits, pieces > 1 ? 32 : 64);
  if (tiling.late > 0) return std::uint64_t{tiling.late} * tiling.tile_n * element_bytes(kind) + 1024;
  const std::uint64_t row_bytes = kind == Narrow::bf16 ? std::uint64_t{tiling.tile_n} / 64 / pieces * 144
                                                       : std::uint64_t{tiling.tile_n} * 4;
  return (tiling.splits - 1) * area * 4 / tiling.splits + rows * row_bytes + 1024;
}

/// Barriers, which are declared in the kernel; what follows begins at a multiple of 16.
std::uint64_t barrier_bytes(Narrow kind, std::uint32_t stages) {
  return ceil_div((kind == Narrow::three_tf32 ? 3U : 2U) * stages + 1, 2) * 16;
}

std::uint32_t stages_with_room(Narrow kind, const WgmmaTiling& tiling) {
  const std::uint64_t left =
      most_shared_bytes - other_bytes(kind, tiling) - barrier_bytes(kind, most_stages);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(left / stage_bytes(kind, tiling), most_stages));
}

WgmmaTiling tiling_of(const WgmmaShape& shape, Narrow kind, const ProductSize& size,
                      std::uint64_t compute_units, bool whole_rows, bool apart) {
  WgmmaTiling tiling{shape.tile_m, shape.tile_n, shape.splits, shape.share, shape.across, apart};
  const bool has_turns = tile_groups(size, shape) > clusters_at_once(compute_units, shape.blocks());
  // Where blocks that share what they fetch go on to other tiles, all that multiply at a time should be
  // about as many rows as columns of C; else what counts is how soon the first slabs come.
  if (kind != Narrow::three_tf32 && (!has_turns || shape.blocks() == 1)) tiling.band = 2;
  if (whole_rows && has_turns) tiling.late = shape.late;
  tiling.stages = stages_with_room(kind, tiling);
  return tiling;
}

/// Two that differ in what leaves late alone.
bool are_alike(const WgmmaShape& a, const WgmmaShape& b) {
  return a.tile_m == b.tile_m && a.tile_n == b.tile_n && a.splits == b.splits && a.share == b.share &&
         a.across == b.across;
}

}  // namespace

WgmmaTiling choose_wgmma_tiling(Narrow kind, std::uint64_t compute_units, const ProductSize& size,
                                bool whole_rows) {
  return rank_wgmma_tilings(kind, compute_units, size, whole_rows, 1).front().form;
}

std::vector<gpu::Ranked<WgmmaTiling>> rank_wgmma_tilings(Narrow kind, std::uint64_t compute_units,
                                                         const ProductSize& size, bool whole_rows,
                                                         std::size_t most) {
  const double operations =
      2 * static_cast<double>(size.m) * static_cast<double>(size.n) * static_cast<double>(size.k);
  const bool apart = kind == Narrow::three_tf32 && operations >= worth_a_launch;
  std::vector<gpu::Ranked<WgmmaShape>> shapes;
  for (const WgmmaShape& shape : shapes_of(kind)) {
    if (!is_worth_trying(size, kind, shape, compute_units, apart)) continue;
    // Rows that begin anywhere are written with more registers than so many sums leave.
    if (!whole_rows && shape.tile_n == 192 && shape.tile_m >= least_spilling_rows) continue;
    shapes.push_back({shape, expected_ns(size, kind, shape, compute_units)});
  }
  if (shapes.empty()) shapes.push_back({shapes_of(kind).front(), 0});
  std::vector<gpu::Ranked<WgmmaTiling>> tilings;
  for (const auto& [shape, ns] : gpu::rank(std::move(shapes), most, are_alike)) {
    tilings.push_back({tiling_of(shape, kind, size, compute_units, whole_rows, apart), ns});
  }
  return tilings;
}

KernelPlan plan_wgmma(const ProblemSpec& problem, Narrow kind, const ProductSize& size,
                      const WgmmaTiling& tiling, std::uint64_t compute_units,
                      const std::filesystem::path& kernels) {
  const bool three = kind == Narrow::three_tf32;
  const std::string name = three                  ? "matmul_wgmma_3xtf32"
                           : kind == Narrow::tf32 ? "matmul_wgmma_tf32"
                                                  : "matmul_wgmma_bf16";
  const auto source = [&](const std::string& file) { return (kernels / file).lexically_normal().string(); };
  const auto buffer = [&](const char* which) { return gpu::buffer_argument(problem, which); };
  const auto scalar = [&](const char* which) { return gpu::scalar_argument(problem, which); };
  const PlannedArgument high{PlannedArgument::Kind::scratch, 0};
  const PlannedArgument low{PlannedArgument::Kind::scratch, 1};
  KernelPlan plan;
  if (three) {
    const std::uint64_t count = tiling.apart ? size.m * size.k : 4;
    plan.scratch = {{"high", DType::f32, count, false}, {"low", DType::f32, count, false}};
    PlannedLaunch split;
    split.source = source("split_tf32.cu");
    split.entry = "split_tf32";
    split.block = {256, 1, 1};
    split.grid = {std::min(ceil_div(size.m * size.k, 1024), compute_units * 16), 1, 1};
    split.arguments = {buffer("A"), high, low, scalar("m"), scalar("k")};
    plan.launches.push_back(std::move(split));
  }
  PlannedLaunch launch;
  launch.source = source(name + ".cu");
  launch.entry = name;
  launch.defines = {
      {"TILE_M", std::to_string(tiling.tile_m)},     {"TILE_N", std::to_string(tiling.tile_n)},
      {"DEPTH", kind == Narrow::bf16 ? "64" : "32"}, {"STAGES", std::to_string(tiling.stages)},
      {"SPLITS", std::to_string(tiling.splits)},     {"SHARE", std::to_string(tiling.share)},
      {"ACROSS", std::to_string(tiling.across)},     {"BAND", std::to_string(tiling.band)}};
  if (three) {
    launch.defines["APART"] = tiling.apart ? "1" : "0";
    launch.defines["PROMOTE"] = "2";
  } else {
    launch.defines["LATE"] = std::to_string(tiling.late);
  }
  const WgmmaShape shape{tiling.tile_m, tiling.tile_n, tiling.splits, tiling.share, tiling.across};
  const std::uint64_t blocks = shape.blocks();
  const std::uint64_t groups = tile_groups(size, shape);
  // A warp that feeds the copy engine, or a warpgroup that gives its registers away.
  const std::uint32_t pieces = pieces_of_warpgroup(tiling.tile_n);
  const bool warp_feeds = kind == Narrow::bf16 && pieces == 1;
  launch.block = {(warp_feeds ? 32 : 128) + std::uint64_t{tiling.tile_n} / pieces * 2, 1, 1};
  launch.grid = {
      (tiling.splits > 1 ? groups : std::min(groups, clusters_at_once(compute_units, blocks))) * blocks, 1,
      1};
  launch.shared_bytes = tiling.stages * stage_bytes(kind, tiling) + other_bytes(kind, tiling);
  launch.local_bytes = launch.shared_bytes + barrier_bytes(kind, tiling.stages);
  if (three) {
    launch.arguments = {high, low, buffer("B"), buffer("C"), scalar("m"), scalar("n"), scalar("k")};
  } else {
    launch.arguments = {buffer("A"), buffer("B"), buffer("C"), scalar("m"), scalar("n"), scalar("k")};
  }
  plan.launches.push_back(std::move(launch));
  return plan;
}

std::string to_text(const WgmmaTiling& tiling) {
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  return number(tiling.tile_m) + "x" + number(tiling.tile_n) + ", " + number(tiling.stages) + " stages" +
         (tiling.splits > 1 ? ", " + number(tiling.splits) + " parts" : "") +
         (tiling.share > 1 ? ", B shared by " + number(tiling.share) : "") +
         (tiling.across > 1 ? ", A shared by " + number(tiling.across) : "") +
         (tiling.late > 0 ? ", " + number(tiling.late) + " rows late" : "") +
         (tiling.apart ? ", A taken apart before" : "");
}

}  // namespace benchctl::cuda
