#include "product_tilings.hpp"

#include "gpu/planned_arguments.hpp"

#include "product_rates.hpp"

#include <algorithm>
#include <array>

namespace benchctl::cuda {

namespace {

/// Elements of B that are copied at once.
int elements_at_once(gpu::Copies copies) {
  constexpr std::array<int, 3> counts{4, 1, 2};
  return counts.at(static_cast<std::size_t>(copies));
}

}  // namespace

ChosenTiling choose_tiling(const ProductDevice& device, const ProductSize& size) {
  return gpu::choose_tiling(product_rates, device, size);
}

std::vector<gpu::Ranked<ProductTiling>> rank_tilings(const ProductDevice& device, const ProductSize& size,
                                                     std::size_t most) {
  return gpu::rank_tilings(product_rates, device, size, most);
}

KernelPlan plan_product(const ProblemSpec& problem, const ProductSize& size, const ProductTiling& tiling,
                        std::uint64_t compute_units, const std::filesystem::path& kernels) {
  constexpr std::uint64_t word = sizeof(float);
  const std::uint64_t tile_count = tiles(size, tiling);
  const std::uint64_t blocks = blocks_of(size, tiling, compute_units);
  const std::uint64_t parts = tiling.workers > 0  ? blocks * (tiling.workers == 1 ? 1 : 2)
                              : tiling.splits > 1 ? tile_count * tiling.splits
                                                  : 0;
  const std::uint64_t counters = tiling.workers > 0 ? blocks : tile_count * tiling.splits;
  const auto even = static_cast<int>(sharing_of(size, tiling, compute_units));
  const auto source = [&](const char* name) { return (kernels / name).lexically_normal().string(); };
  KernelPlan plan;
  plan.scratch = {{"partial", DType::f64,
                   std::max<std::uint64_t>(2, parts * tiling.tile_m * tiling.tile_n * word / 8), false},
                  {"finished", DType::u32, counters, false}};
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
                    {"SLICES", std::to_string(tiling.slices)},
                    {"EVEN", std::to_string(even)},
                    {"BAND", "8"},
                    {"ALONG", std::to_string(static_cast<int>(tiling.along))},
                    {"BEFORE", std::to_string(copies_before(size, tiling) ? size.n % 4 : 0)},
                    {"C_BEFORE", std::to_string(size.n % 4)},
                    {"B_WIDTH", std::to_string(elements_at_once(tiling.copies))}};
  launch.block = {tiling.tile_m * tiling.tile_n / (tiling.thread_m * tiling.thread_n), tiling.slices, 1};
  launch.grid = {blocks, tiling.splits, 1};
  launch.shared_bytes = shared_bytes(size, tiling);
  launch.local_bytes = launch.shared_bytes;
  launch.arguments = gpu::joined_product_arguments(problem);
  plan.launches.push_back(std::move(launch));
  return plan;
}

}  // namespace benchctl::cuda
