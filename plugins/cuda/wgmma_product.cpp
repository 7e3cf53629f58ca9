#include "wgmma_product.hpp"

#include "prepared_kernel.hpp"
#include "product_shape.hpp"

#include <string>

namespace benchctl::cuda {

namespace {

/// A tile edge that the kernel was compiled for.
std::uint32_t defined_edge(const PlannedLaunch& launch, const char* macro) {
  return static_cast<std::uint32_t>(std::stoul(launch.defines.at(macro)));
}

}  // namespace

std::unique_ptr<Prepared> make_wgmma_product(DeviceProblem& problem, const PrepareRequest& request) {
  const KernelPlan& plan = request.kernel.value();
  const std::size_t last = plan.launches.size() - 1;
  const PlannedLaunch& launch = plan.launches[last];
  const ProductShape shape = product_shape(problem.spec(), "the kernel '" + launch.entry + "'");
  const auto m = static_cast<std::uint64_t>(shape.m);
  const auto n = static_cast<std::uint64_t>(shape.n);
  const auto k = static_cast<std::uint64_t>(shape.k);
  const std::uint32_t tile = defined_edge(launch, "TILE_M");
  const std::uint32_t slab = defined_edge(launch, "DEPTH");
  std::vector<TensorView> views;
  if (last > 0) {
    // A has been taken apart by another launch, and B is by the kernel itself.
    const CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    views = {{0, type, 4, m, k, tile}, {1, type, 4, m, k, tile}, {2, type, 4, k, n, slab}};
  } else {
    // Floats are rounded to tf32 on their way into shared memory.
    const bool bf16 = shape.type == DType::bf16;
    const CUtensorMapDataType type =
        bf16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
    const std::uint32_t bytes = bf16 ? 2 : 4;
    views = {{0, type, bytes, m, k, tile}, {1, type, bytes, k, n, slab}};
  }
  return std::make_unique<PreparedKernel>(problem, plan, views);
}

}  // namespace benchctl::cuda
