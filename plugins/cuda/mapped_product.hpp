// Products on tensor cores that need more than their plan: tensor maps in place of addresses, and launches
// that overlap.
#pragma once

#include <benchctl/device.hpp>
#include <benchctl/kernel_spec.hpp>
#include <benchctl/problem.hpp>

#include "driver/tensor_map.hpp"

#include <vector>

namespace benchctl::cuda {

struct MappedProduct {
  /// Arguments of the last launch that are passed as tensor maps: where it has the extra `tensor_maps`, A
  /// and B.
  std::vector<TensorView> views;
  /// Launches behind the first may begin before the one ahead of them has ended, for which their kernels
  /// wait themselves (kernels/launch_order.cuh): where the last launch has the extra `early`, and no two of
  /// its blocks share a multiprocessor.
  bool overlapping = false;
};

/// What the plan's extras ask for. Failure unsupported when the problem is not a matrix product.
[[nodiscard]] MappedProduct mapped_product(const KernelPlan& plan, const ProblemSpec& spec,
                                           const DeviceInfo& device);

}  // namespace benchctl::cuda
