// Products of floats in the ways that are expected to be quickest, of several kernels: what
// matmul/register_tiled_best and register_tiled_tuned choose among.
#pragma once

#include "gpu/ranked.hpp"

#include <benchctl/kernel_spec.hpp>

#include <string>
#include <vector>

namespace benchctl::gpu {

/// One way, and what notes say of it.
struct PlannedProduct {
  std::string kind;         ///< "tiling" of register_tiled, or "form" of skinny or strips
  std::string text;         ///< which
  std::string measured_on;  ///< the architecture whose rates say how quick it is; may be empty
  KernelPlan plan;
};

/// Puts them in order.
class ProductRanking {
 public:
  void add(double expected_ns, PlannedProduct product) {
    ways_.push_back({std::move(product), expected_ns});
  }

  /// The one that is called `first`, which must be among them, and behind it the others by the time that is
  /// expected of them, `most` at most.
  [[nodiscard]] std::vector<Ranked<PlannedProduct>> ranked(const std::string& first, std::size_t most) &&;

 private:
  std::vector<Ranked<PlannedProduct>> ways_;
};

}  // namespace benchctl::gpu
