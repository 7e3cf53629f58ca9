// Plans of products by mma.sync of any shape: in the tiling that is chosen for them. Where rows begin
// anywhere, a first launch copies them if that pays, or they are shifted on their way into shared memory.
#pragma once

#include "repacked_rows.hpp"

#include <string>
#include <vector>

namespace benchctl::cuda {

struct TensorProduct {
  std::string tiling;  ///< as text
  Repacked repacked;
  bool overlaps;  ///< the product's launch may begin before the first one has ended
  KernelPlan plan;
};

/// `problem` has A, B, C, m, n, k in the workload's order, `size` says which numbers.
[[nodiscard]] TensorProduct plan_best_tensor(const ProblemSpec& problem, Narrow kind,
                                             const ProductSize& size, const ProductDevice& device,
                                             const std::filesystem::path& kernels);

/// The same and those that are expected to be nearly as quick, the quickest first, `most` at most.
[[nodiscard]] std::vector<gpu::Ranked<TensorProduct>> rank_tensor(const ProblemSpec& problem, Narrow kind,
                                                                  const ProductSize& size,
                                                                  const ProductDevice& device,
                                                                  const std::filesystem::path& kernels,
                                                                  std::size_t most);

}  // namespace benchctl::cuda
