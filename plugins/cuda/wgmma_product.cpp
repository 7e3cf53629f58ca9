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
  const PlannedLaunch& launch = plan.launches.at(0);
  const ProductShape shape = product_shape(problem.spec(), "the kernel '" + launch.entry + "'");
  const auto m = static_cast<std::uint64_t>(shape.m);
  const auto n = static_cast<std::uint64_t>(shape.n);
  const auto k = static_cast<std::uint64_t>(shape.k);
  const bool bf16 = shape.type == DType::bf16;
  // Floats are rounded to tf32 on their way into shared memory.
  const CUtensorMapDataType type =
      bf16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
  const std::uint32_t bytes = bf16 ? 2 : 4;
  return std::make_unique<PreparedKernel>(
      problem, plan,
      std::vector<TensorView>{{0, type, bytes, m, k, defined_edge(launch, "TILE_M")},
                              {1, type, bytes, k, n, defined_edge(launch, "DEPTH")}});
}

}  // namespace benchctl::cuda
