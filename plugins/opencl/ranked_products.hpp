// Products of floats in the ways that are expected to be quickest on a GPU under OpenCL.
#pragma once

#include "gpu/ranked_products.hpp"

#include "product_tilings.hpp"

namespace benchctl::opencl {

/// The first is what register_tiled_best runs; `most` at most, one at least. `problem` has A, B, C, m, n, k
/// in the workload's order, of floats. `has_shuffles`: for products of a matrix and vectors.
[[nodiscard]] std::vector<gpu::Ranked<gpu::PlannedProduct>> rank_products(
    const ProblemSpec& problem, const ProductSize& size, const ProductDevice& device, bool has_shuffles,
    const std::filesystem::path& kernels, std::size_t most);

}  // namespace benchctl::opencl
