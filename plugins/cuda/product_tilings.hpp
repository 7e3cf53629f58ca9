// Which tiling of `register_tiled` for which product, and its launch.
#pragma once

#include "gpu/product_tilings.hpp"

#include <benchctl/kernel_spec.hpp>
#include <benchctl/problem.hpp>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace benchctl::cuda {

using gpu::ChosenTiling;
using gpu::ProductDevice;
using gpu::ProductSize;
using gpu::ProductTiling;

/// gpu::choose_tiling with the rates of product_rates.hpp.
[[nodiscard]] ChosenTiling choose_tiling(const ProductDevice& device, const ProductSize& size);

/// gpu::rank_tilings with the same.
[[nodiscard]] std::vector<gpu::Ranked<ProductTiling>> rank_tilings(const ProductDevice& device,
                                                                   const ProductSize& size,
                                                                   std::size_t most);

/// What the description of matmul/register_tiled says of this tiling on a GPU of so many multiprocessors.
/// `problem` has A, B, C, m, n, k in the workload's order, of floats.
[[nodiscard]] KernelPlan plan_product(const ProblemSpec& problem, const ProductSize& size,
                                      const ProductTiling& tiling, std::uint64_t compute_units,
                                      const std::filesystem::path& kernels);

}  // namespace benchctl::cuda
