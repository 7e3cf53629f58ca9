// Products of floats in the ways that are expected to be quickest under CUDA.
#pragma once

#include "gpu/ranked_products.hpp"

#include "product_tilings.hpp"

namespace benchctl::cuda {

/// The first is what register_tiled_best runs; `most` at most, one at least. `problem` has A, B, C, m, n, k
/// in the workload's order, of floats.
[[nodiscard]] std::vector<gpu::Ranked<gpu::PlannedProduct>> rank_products(
    const ProblemSpec& problem, const ProductSize& size, const ProductDevice& device,
    const std::filesystem::path& kernels, std::size_t most);

}  // namespace benchctl::cuda
