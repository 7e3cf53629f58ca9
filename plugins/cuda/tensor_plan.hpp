// Plans of products by mma.sync of any shape: in the tiling that is chosen for them. Where rows begin
// anywhere, a first launch copies them if that pays, or they are shifted on their way into shared memory.
#pragma once

#include "repacked_rows.hpp"

#include <string>

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

}  // namespace benchctl::cuda
