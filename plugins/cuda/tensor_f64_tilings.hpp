// Which tiling of matmul/tensor_f64 for which product: what was measured fastest.
#pragma once

#include "product_tilings.hpp"

#include <benchctl/kernel_spec.hpp>
#include <benchctl/problem.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace benchctl::cuda {

/// The tunables of matmul/tensor_f64.
struct TensorF64Tiling {
  std::uint32_t tile_m;
  std::uint32_t tile_n;
  std::uint32_t warp_m;
  std::uint32_t warp_n;
  std::uint32_t depth;
  std::uint32_t stages;
  std::uint32_t spread = 0;
  std::uint32_t splits = 1;
  std::uint32_t slices = 1;
  std::uint32_t workers = 0;
  std::uint32_t band = 8;
  std::uint32_t lines = 1;
};

/// For a product of doubles, by the times of an H100 whatever the device, the quickest first, `most` at
/// most, of tilings that differ in little but the number of parts one. There is one at least.
[[nodiscard]] std::vector<gpu::Ranked<TensorF64Tiling>> rank_tensor_f64_tilings(const ProductDevice& device,
                                                                                const ProductSize& size,
                                                                                std::size_t most);
/// The first of them.
[[nodiscard]] TensorF64Tiling choose_tensor_f64_tiling(const ProductDevice& device,
                                                       const ProductSize& size);

/// What the description of matmul/tensor_f64 says of this tiling. `problem` has A, B, C, m, n, k in the
/// workload's order, of doubles.
[[nodiscard]] KernelPlan plan_tensor_f64(const ProblemSpec& problem, const ProductSize& size,
                                         const TensorF64Tiling& tiling, std::uint64_t compute_units,
                                         const std::filesystem::path& kernels);

/// "48x64x24 in 16x32, 3 stages, copies spread, 1 parts, 2 slices".
[[nodiscard]] std::string to_text(const TensorF64Tiling& tiling);

}  // namespace benchctl::cuda
