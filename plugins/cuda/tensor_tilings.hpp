// Which tiling of matmul/tensor_tf32 and tensor_bf16 for which product.
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

/// The tunables of matmul/tensor_tf32 and tensor_bf16.
struct TensorTiling {
  std::uint32_t tile_m;
  std::uint32_t tile_n;
  std::uint32_t stages;
  std::uint32_t depth;
  std::uint32_t workers = 0;
};

/// For a product in tf32 or bf16, of matrices as they are, the quickest first, `most` at most; the times
/// are those of an H100. There is one at least.
[[nodiscard]] std::vector<gpu::Ranked<TensorTiling>> rank_tensor_tilings(Narrow kind,
                                                                         const ProductDevice& device,
                                                                         const ProductSize& size,
                                                                         std::size_t most);
/// The first of them alone.
[[nodiscard]] TensorTiling choose_tensor_tiling(Narrow kind, const ProductDevice& device,
                                                const ProductSize& size);

/// What the description of matmul/tensor_tf32 or tensor_bf16 says of this tiling. `problem` has A, B, C,
/// m, n, k in the workload's order.
[[nodiscard]] KernelPlan plan_tensor(const ProblemSpec& problem, Narrow kind, const ProductSize& size,
                                     const TensorTiling& tiling, std::uint64_t compute_units,
                                     const std::filesystem::path& kernels);

/// "128x256x64, 4 stages", with ", 1 workers" behind it where tiles are shared out evenly.
[[nodiscard]] std::string to_text(const TensorTiling& tiling);

}  // namespace benchctl::cuda
