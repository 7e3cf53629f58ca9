#include "tensor_shifted.hpp"

#include "gpu/ceil_div.hpp"
#include "gpu/planned_arguments.hpp"
#include "repacked_rows.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace benchctl::cuda {

namespace {

constexpr std::uint64_t most_splits = 16;
/// Slabs of a part that are worth a block.
constexpr std::uint64_t least_slabs = 4;
/// To begin and to end, and to join each part, ps.
constexpr std::uint64_t whole_launch = 4'000'000;
constexpr std::uint64_t join_part = 150'000;

/// What a slab takes, in ps, where a block has a multiprocessor of its own and for each of several.
struct Row {
  ShiftedTiling tiling;
  std::uint64_t alone;
  std::uint64_t among_others;
};

/// Measured 2026-11-23 on an H100 80GB HBM3 (132 multiprocessors) at 31 sizes with k of 2047, 4095 and
/// 5001, and 1 to 200 rows or columns. Floats are copied as they are, cp.async takes 4 bytes; of packs that
/// are shifted more instructions are needed, and more blocks.
constexpr std::array<Row, 5> bf16_rows{{
    {{16, 128, 16, 32, 3, 2}, 1'200'000, 820'000},
    {{32, 64, 16, 32, 3, 3}, 740'000, 490'000},
    {{64, 32, 16, 32, 3, 3}, 640'000, 460'000},
    {{64, 64, 16, 32, 3, 2}, 990'000, 680'000},
    {{128, 64, 32, 32, 3, 1}, 1'330'000, 1'330'000},
}};
constexpr std::array<Row, 6> tf32_rows{{
    {{16, 128, 16, 32, 5, 3}, 800'000, 900'000},
    {{32, 64, 16, 32, 5, 3}, 490'000, 460'000},
    {{64, 32, 16, 32, 5, 3}, 500'000, 500'000},
    {{64, 64, 16, 32, 5, 2}, 570'000, 600'000},
    {{64, 128, 32, 32, 5, 2}, 1'080'000, 1'300'000},
    {{128, 64, 32, 32, 5, 2}, 840'000, 920'000},
}};

std::span<const Row> rows_of(Narrow kind) {
  if (kind == Narrow::bf16) return bf16_rows;
  return tf32_rows;
}

/// Elements of a slab along k: 128 bytes of a row of A.
std::uint64_t depth(Narrow kind) { return 128 / element_bytes(kind); }

std::uint64_t tiles(const ProductSize& size, const ShiftedTiling& tiling) {
  return ceil_div(size.m, tiling.tile_m) * ceil_div(size.n, tiling.tile_n);
}

std::uint64_t threads(const ShiftedTiling& tiling) {
  return std::uint64_t{tiling.tile_m} / tiling.warp_m * (tiling.tile_n / tiling.warp_n) * 32;
}

std::uint64_t slab_bytes(const ShiftedTiling& tiling) {
  return (std::uint64_t{tiling.tile_m} + tiling.tile_n) * 128;
}

std::uint64_t shared_bytes(const ShiftedTiling& tiling) { return tiling.stages * slab_bytes(tiling); }

/// The largest power of two, up to 16, of bytes that rows of so many elements are a multiple of.
std::uint64_t alignment(Narrow kind, std::uint64_t row) {
  std::uint64_t bytes = 16;
  while (row * element_bytes(kind) % bytes != 0) bytes /= 2;
  return bytes;
}

/// Until the multiprocessor that gets most blocks is done, as many at a time as it has room for.
std::uint64_t expected_time(const Row& row, std::uint64_t tile_count, std::uint64_t slabs,
                            std::uint64_t splits, std::uint64_t compute_units) {
  const std::uint64_t most = ceil_div(tile_count * splits, compute_units);
  const std::uint64_t last = row.tiling.resident > 1 ? most % row.tiling.resident : 0;
  const std::uint64_t at_last = last == 1 ? row.alone : last * row.among_others;
  const std::uint64_t slab = most == 1 ? row.alone : (most - last) * row.among_others + at_last;
  return whole_launch + splits * join_part + ceil_div(slabs, splits) * slab;
}

/// Half of the tile would lie beyond C, and there are smaller ones.
bool is_too_large(const ShiftedTiling& tiling, const ProductSize& size) {
  return (tiling.tile_m > 16 && tiling.tile_m >= 2 * size.m) ||
         (tiling.tile_n > 32 && tiling.tile_n >= 2 * size.n);
}

}  // namespace

std::vector<gpu::Ranked<ShiftedTiling>> rank_shifted_tilings(Narrow kind, const ProductDevice& device,
                                                             const ProductSize& size, std::size_t most) {
  std::vector<gpu::Ranked<ShiftedTiling>> found;
  const std::uint64_t slabs = ceil_div(size.k, depth(kind));
  for (const Row& row : rows_of(kind)) {
    ShiftedTiling tiling = row.tiling;
    while (tiling.stages > 2 && shared_bytes(tiling) > device.shared_bytes) --tiling.stages;
    if (is_too_large(tiling, size) && &row != &rows_of(kind).front()) continue;
    const std::uint64_t most_parts = std::clamp<std::uint64_t>(slabs / least_slabs, 1, most_splits);
    for (std::uint64_t splits = 1; splits <= most_parts; ++splits) {
      tiling.splits = static_cast<std::uint32_t>(splits);
      const std::uint64_t ps = expected_time(row, tiles(size, tiling), slabs, splits, device.compute_units);
      found.push_back({tiling, static_cast<double>(ps) / 1000});
    }
  }
  return gpu::rank(std::move(found), most, [](const ShiftedTiling& a, const ShiftedTiling& b) {
    return a.tile_m == b.tile_m && a.tile_n == b.tile_n && gpu::are_about_as_many(a.splits, b.splits);
  });
}

KernelPlan plan_tensor_shifted(const ProblemSpec& problem, Narrow kind, const ProductSize& size,
                               const ShiftedTiling& tiling, const std::filesystem::path& kernels) {
  const std::uint64_t tile_count = tiles(size, tiling);
  const std::uint64_t parts = tiling.splits == 1 ? 0 : tile_count * tiling.splits;
  KernelPlan plan;
  plan.scratch = {
      {"partial", DType::f32, std::max<std::uint64_t>(4, parts * tiling.tile_m * tiling.tile_n), false},
      {"finished", DType::u32, tile_count, false}};
  PlannedLaunch launch;
  launch.source = (kernels / "matmul_tensor.cu").lexically_normal().string();
  launch.entry = "matmul_tensor";
  launch.defines = {{"TF32", kind == Narrow::bf16 ? "0" : "1"},
                    {"TERMS", "1"},
                    {"TILE_M", std::to_string(tiling.tile_m)},
                    {"TILE_N", std::to_string(tiling.tile_n)},
                    {"WARP_M", std::to_string(tiling.warp_m)},
                    {"WARP_N", std::to_string(tiling.warp_n)},
                    {"STAGES", std::to_string(tiling.stages)},
                    {"DEPTH", std::to_string(depth(kind))},
                    {"EVEN", "0"},
                    {"SPLITS", std::to_string(tiling.splits)},
                    {"BAND", "8"},
                    {"SHIFTED", kind == Narrow::bf16 ? "1" : "0"},
                    {"RESIDENT", std::to_string(tiling.resident)},
                    {"A_BYTES", std::to_string(alignment(kind, size.k))},
                    {"B_BYTES", std::to_string(alignment(kind, size.n))}};
  launch.block = {threads(tiling), 1, 1};
  launch.grid = {tile_count, tiling.splits, 1};
  launch.shared_bytes = shared_bytes(tiling);
  launch.local_bytes = launch.shared_bytes;
  launch.arguments = gpu::joined_product_arguments(problem);
  plan.launches.push_back(std::move(launch));
  return plan;
}

std::string to_text(Narrow kind, const ShiftedTiling& tiling) {
  return std::to_string(tiling.tile_m) + "x" + std::to_string(tiling.tile_n) + "x" +
         std::to_string(depth(kind)) + (kind == Narrow::bf16 ? ", shifted, " : ", ") +
         std::to_string(tiling.splits) + " parts";
}

}  // namespace benchctl::cuda
