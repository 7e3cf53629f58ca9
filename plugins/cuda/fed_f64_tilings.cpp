#include "fed_f64_tilings.hpp"

#include "f64_times.hpp"
#include "gpu/ceil_div.hpp"
#include "gpu/planned_arguments.hpp"
#include "tensor_f64_tilings.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace benchctl::cuda {

namespace {

/// Rates by whether the copy engine can be used.
struct Row {
  FedF64Tiling tiling;
  F64Rates even;
  F64Rates odd;
  bool in_parts = false;  ///< for parts of k, too, that all run at once
};

/// Measured on an H100, see f64_times.hpp. Where k and n are even, some rates were set by hand: those of
/// tiles of 96 rows between those of the fit, to choose at 6000 what was measured there before, and that of
/// two blocks of 32×32 below that of one, since the fit had no shape at which it mattered and 2515 × 66 ×
/// 4326 took 1.42 times as long so. Tilings: tile_m, tile_n, warp_m, warp_n, depth, stages, feeders,
/// slices, resident, later.
constexpr std::array<Row, 13> rows{{
    {{32, 32, 16, 16, 32, 6, 1, 2}, {321, 300}, {}},
    {{32, 32, 16, 16, 32, 6, 4, 2}, {332, 323}, {240, 261}, true},
    {{32, 64, 16, 32, 32, 6, 4, 2}, {}, {339}, true},
    {{48, 64, 24, 32, 16, 6, 1, 1, 2}, {393, 455}, {}},
    {{48, 64, 24, 32, 16, 6, 4, 1, 2}, {}, {340, 420}},
    {{48, 64, 24, 32, 16, 8, 4, 2}, {}, {334}},
    {{64, 64, 16, 32, 16, 6, 1, 1, 2}, {467, 460}, {}},
    {{64, 64, 16, 32, 32, 5, 8}, {}, {379}},
    {{96, 64, 48, 32, 16, 5, 4, 1, 2, 1}, {393, 474}, {}},
    {{64, 128, 16, 32, 16, 6, 1}, {470}, {}},
    {{64, 128, 32, 32, 16, 6, 4}, {}, {431}},
    {{96, 128, 48, 32, 16, 6, 4, 1, 1, 1}, {475}, {434}},
    {{128, 128, 64, 32, 16, 6, 4, 1, 1, 1}, {471}, {}},
}};
constexpr F64Overheads overheads{60.6, 59.6, 0.032, 0.194, 1097};
constexpr std::uint64_t least_steps_of_part = 64;
constexpr std::uint64_t most_parts = 24;
constexpr std::string_view measured = "sm_90a";

std::uint64_t tiles(const ProductSize& size, const FedF64Tiling& tiling) {
  return ceil_div(size.m, tiling.tile_m) * ceil_div(size.n, tiling.tile_n);
}

/// Slabs, and two barriers for each.
std::uint64_t shared_bytes(const FedF64Tiling& tiling) {
  return tiling.stages * (std::uint64_t{8} * tiling.depth * (tiling.tile_m + tiling.tile_n) + 16);
}

/// Blocks that may share a tile.
std::uint64_t parts_of(const ProductSize& size, const Row& row, const ProductDevice& device) {
  if (!row.in_parts) return 1;
  const std::uint64_t at_once = device.compute_units / tiles(size, row.tiling);
  return std::clamp<std::uint64_t>(std::min(size.k / least_steps_of_part, at_once), 1, most_parts);
}

}  // namespace

bool rows_suit_copy_engine(const ProductSize& size) { return size.k % 2 == 0 && size.n % 2 == 0; }

std::vector<gpu::Ranked<FedF64Tiling>> rank_fed_f64_tilings(const ProductDevice& device,
                                                            const ProductSize& size, std::size_t most) {
  if (device.architecture != measured) return {};
  std::vector<gpu::Ranked<FedF64Tiling>> found;
  for (const Row& row : rows) {
    const F64Rates& rates = rows_suit_copy_engine(size) ? row.even : row.odd;
    FedF64Tiling tiling = row.tiling;
    const std::uint64_t bytes = shared_bytes(tiling);
    if (rates.front() == 0 || bytes > device.shared_bytes) continue;
    // Fed by the copy engine, forms for parts were measured in parts alone.
    const std::uint64_t least_parts = row.in_parts && rows_suit_copy_engine(size) ? 2 : 1;
    for (std::uint64_t splits = least_parts; splits <= parts_of(size, row, device); ++splits) {
      tiling.splits = static_cast<std::uint32_t>(splits);
      const F64Form form{tiling.tile_m, tiling.tile_n, tiling.depth, tiling.splits, bytes, false};
      if (!within_measured(size, form, device)) continue;
      found.push_back({tiling, expected_f64_ns(size, form, rates, overheads, device)});
    }
  }
  return gpu::rank(std::move(found), most, [](const FedF64Tiling& a, const FedF64Tiling& b) {
    return a.tile_m == b.tile_m && a.tile_n == b.tile_n && a.depth == b.depth && a.feeders == b.feeders &&
           a.slices == b.slices && gpu::are_about_as_many(a.splits, b.splits);
  });
}

std::optional<FedF64Tiling> choose_fed_f64_tiling(const ProductDevice& device, const ProductSize& size) {
  const auto fed = rank_fed_f64_tilings(device, size, 1);
  if (fed.empty()) return std::nullopt;
  const double otherwise = rank_tensor_f64_tilings(device, size, 1).front().expected_ns;
  return fed.front().expected_ns < otherwise ? std::optional{fed.front().form} : std::nullopt;
}

KernelPlan plan_fed_f64(const ProblemSpec& problem, const ProductSize& size, const FedF64Tiling& tiling,
                        std::uint64_t compute_units, const std::filesystem::path& kernels) {
  const std::uint64_t tile_count = tiles(size, tiling);
  const std::uint64_t warps = tiling.tile_m / tiling.warp_m * (tiling.tile_n / tiling.warp_n);
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  PlannedLaunch launch;
  launch.source = (kernels / "matmul_tensor_f64_fed.cu").lexically_normal().string();
  launch.entry = "matmul_tensor_f64_fed";
  launch.defines = {
      {"TILE_M", number(tiling.tile_m)},     {"TILE_N", number(tiling.tile_n)},
      {"WARP_M", number(tiling.warp_m)},     {"WARP_N", number(tiling.warp_n)},
      {"DEPTH", number(tiling.depth)},       {"STAGES", number(tiling.stages)},
      {"FEEDERS", number(tiling.feeders)},   {"SLICES", number(tiling.slices)},
      {"RESIDENT", number(tiling.resident)}, {"LATER", number(tiling.later)},
      {"BAND", number(tiling.band)},         {"COPY_ENGINE", rows_suit_copy_engine(size) ? "1" : "0"},
      {"SPLITS", number(tiling.splits)}};
  launch.block = {(warps * tiling.slices + tiling.feeders) * 32, 1, 1};
  launch.grid = {tiling.workers == 0 ? tile_count : std::min(tile_count, tiling.workers * compute_units),
                 tiling.splits, 1};
  launch.shared_bytes = shared_bytes(tiling);
  launch.local_bytes = launch.shared_bytes;
  launch.arguments = gpu::joined_product_arguments(problem);
  const std::uint64_t parts = tiling.splits > 1 ? tile_count * tiling.splits : 0;
  KernelPlan plan;
  plan.scratch = {
      {"partial", DType::f64, std::max<std::uint64_t>(2, parts * tiling.tile_m * tiling.tile_n), false},
      {"finished", DType::u32, tile_count, false}};
  plan.launches.push_back(std::move(launch));
  return plan;
}

BestF64Product plan_best_f64(const ProblemSpec& problem, const ProductSize& size,
                             const ProductDevice& device, const std::filesystem::path& kernels) {
  return std::move(rank_f64(problem, size, device, kernels, 1).front().form);
}

std::vector<gpu::Ranked<BestF64Product>> rank_f64(const ProblemSpec& problem, const ProductSize& size,
                                                  const ProductDevice& device,
                                                  const std::filesystem::path& kernels, std::size_t most) {
  std::vector<gpu::Ranked<BestF64Product>> products;
  const std::uint64_t units = device.compute_units;
  for (const auto& [tiling, ns] : rank_tensor_f64_tilings(device, size, most)) {
    products.push_back({{plan_tensor_f64(problem, size, tiling, units, kernels), to_text(tiling)}, ns});
  }
  for (const auto& [tiling, ns] : rank_fed_f64_tilings(device, size, most)) {
    products.push_back({{plan_fed_f64(problem, size, tiling, units, kernels), to_text(tiling)}, ns});
  }
  return gpu::rank(std::move(products), most, gpu::never_alike);
}

std::string to_text(const FedF64Tiling& tiling) {
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  return number(tiling.tile_m) + "x" + number(tiling.tile_n) + "x" + number(tiling.depth) + " in " +
         number(tiling.warp_m) + "x" + number(tiling.warp_n) + ", " + number(tiling.stages) + " stages, " +
         number(tiling.feeders) + (tiling.feeders == 1 ? " feeder" : " feeders") +
         (tiling.slices > 1 ? ", " + number(tiling.slices) + " slices" : "") +
         (tiling.splits > 1 ? ", " + number(tiling.splits) + " parts" : "") +
         (tiling.later > 0 ? ", operands later" : "") +
         (tiling.workers > 0 ? ", " + number(tiling.workers) + " workers" : "");
}

}  // namespace benchctl::cuda
