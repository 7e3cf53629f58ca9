// Which tiling of matmul/tensor_f64_fed for which product: what was measured fastest.
#pragma once

#include "product_tilings.hpp"

#include <benchctl/kernel_spec.hpp>
#include <benchctl/problem.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace benchctl::cuda {

/// The tunables of matmul/tensor_f64_fed.
struct FedF64Tiling {
  std::uint32_t tile_m;
  std::uint32_t tile_n;
  std::uint32_t warp_m;
  std::uint32_t warp_n;
  std::uint32_t depth;
  std::uint32_t stages;
  std::uint32_t feeders;
  std::uint32_t slices = 1;
  std::uint32_t resident = 1;
  std::uint32_t later = 0;
  std::uint32_t workers = 0;
  std::uint32_t band = 8;
  std::uint32_t splits = 1;
};

/// Whether rows of A and of B begin at the multiples of 16 bytes that the copy engine wants.
[[nodiscard]] bool rows_suit_copy_engine(const ProductSize& size);

/// For a product of doubles, the quickest first, `most` at most, of tilings that differ in little but the
/// number of parts one. Empty where matmul/tensor_f64 has to do.
[[nodiscard]] std::vector<gpu::Ranked<FedF64Tiling>> rank_fed_f64_tilings(const ProductDevice& device,
                                                                          const ProductSize& size,
                                                                          std::size_t most);
/// The first of them. None where matmul/tensor_f64 is expected to be as quick, or has to do.
[[nodiscard]] std::optional<FedF64Tiling> choose_fed_f64_tiling(const ProductDevice& device,
                                                                const ProductSize& size);

/// What the description of matmul/tensor_f64_fed says of this tiling. `problem` has A, B, C, m, n, k in the
/// workload's order, of doubles.
[[nodiscard]] KernelPlan plan_fed_f64(const ProblemSpec& problem, const ProductSize& size,
                                      const FedF64Tiling& tiling, std::uint64_t compute_units,
                                      const std::filesystem::path& kernels);

/// What matmul/tensor_f64_best runs, and the tiling in words.
struct BestF64Product {
  KernelPlan plan;
  std::string tiling;
};
[[nodiscard]] BestF64Product plan_best_f64(const ProblemSpec& problem, const ProductSize& size,
                                           const ProductDevice& device,
                                           const std::filesystem::path& kernels);
/// The same and those that are expected to be nearly as quick, the quickest first, `most` at most.
[[nodiscard]] std::vector<gpu::Ranked<BestF64Product>> rank_f64(const ProblemSpec& problem,
                                                                const ProductSize& size,
                                                                const ProductDevice& device,
                                                                const std::filesystem::path& kernels,
                                                                std::size_t most);

/// "64x64x32 in 16x32, 5 stages, 8 feeders".
[[nodiscard]] std::string to_text(const FedF64Tiling& tiling);

}  // namespace benchctl::cuda
