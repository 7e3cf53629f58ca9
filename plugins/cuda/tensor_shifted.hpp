// Products by mma.sync whose rows begin anywhere and whose C is small beside the matrices: no copies of
// these are made first. Numbers of 16 bits are shifted on their way into shared memory, floats copied one
// by one, and parts of k go to several blocks.
#pragma once

#include "narrow.hpp"
#include "product_tilings.hpp"

#include <benchctl/kernel_spec.hpp>
#include <benchctl/problem.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace benchctl::cuda {

struct ShiftedTiling {
  std::uint32_t tile_m;
  std::uint32_t tile_n;
  std::uint32_t warp_m;
  std::uint32_t warp_n;
  std::uint32_t stages;
  std::uint32_t resident;  ///< blocks that a multiprocessor has registers for
  std::uint32_t splits = 1;
};

/// For a product in tf32 or bf16, of matrices as they are, the quickest first, `most` at most, of tilings
/// that differ in little but the number of parts one; the times are those of an H100. There is one at
/// least.
[[nodiscard]] std::vector<gpu::Ranked<ShiftedTiling>> rank_shifted_tilings(Narrow kind,
                                                                           const ProductDevice& device,
                                                                           const ProductSize& size,
                                                                           std::size_t most);

/// `problem` has A, B, C, m, n, k in the workload's order.
[[nodiscard]] KernelPlan plan_tensor_shifted(const ProblemSpec& problem, Narrow kind,
                                             const ProductSize& size, const ShiftedTiling& tiling,
                                             const std::filesystem::path& kernels);

/// "64x64x64, shifted, 4 parts".
[[nodiscard]] std::string to_text(Narrow kind, const ShiftedTiling& tiling);

}  // namespace benchctl::cuda
