#include "wgmma_product.hpp"

#include "prepared_kernel.hpp"
#include "product_shape.hpp"
#include "wgmma_tilings.hpp"

#include <string>

namespace benchctl::cuda {

namespace {

/// A number that the kernel was compiled for.
std::uint32_t defined_number(const PlannedLaunch& launch, const char* macro) {
  return static_cast<std::uint32_t>(std::stoul(launch.defines.at(macro)));
}

/// A is taken apart by another launch, or by the kernel itself, which then has A in place of either part.
void leave_out_split(KernelPlan& plan) {
  const PlannedArgument a = plan.launches.front().arguments.front();
  plan.launches.erase(plan.launches.begin());
  std::vector<PlannedArgument>& arguments = plan.launches.front().arguments;
  arguments.at(0) = a;
  arguments.at(1) = a;
}

std::unique_ptr<PreparedKernel> prepare(DeviceProblem& problem, KernelPlan plan) {
  const bool three = plan.launches.size() > 1;
  if (three && defined_number(plan.launches.back(), "APART") == 0) leave_out_split(plan);
  const PlannedLaunch& launch = plan.launches.back();
  const ProductShape shape = product_shape(problem.spec(), "the kernel '" + launch.entry + "'");
  const auto m = static_cast<std::uint64_t>(shape.m);
  const auto n = static_cast<std::uint64_t>(shape.n);
  const auto k = static_cast<std::uint64_t>(shape.k);
  const std::uint32_t tile = defined_number(launch, "TILE_M");
  const std::uint32_t slab = defined_number(launch, "DEPTH");
  // Blocks that need the same rectangle fetch a part of it each, of A in multiples of 8 rows or in turn.
  const std::uint32_t across = defined_number(launch, "ACROSS");
  const std::uint32_t a_rows = tile / across % 8 == 0 ? tile / across : tile;
  const std::uint32_t b_rows = slab / defined_number(launch, "SHARE");
  std::vector<TensorView> views;
  if (three) {
    const CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    views = {{0, type, 4, m, k, tile}, {1, type, 4, m, k, tile}, {2, type, 4, k, n, slab}};
  } else {
    // Floats are rounded to tf32 on their way into shared memory.
    const bool bf16 = shape.type == DType::bf16;
    const CUtensorMapDataType type =
        bf16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
    const std::uint32_t bytes = bf16 ? 2 : 4;
    views = {{0, type, bytes, m, k, a_rows}, {1, type, bytes, k, n, b_rows}};
  }
  return std::make_unique<PreparedKernel>(problem, plan, views);
}

std::unique_ptr<Prepared> make_best(DeviceProblem& problem, Narrow kind) {
  const ProductShape shape = product_shape(problem.spec(), "a product by wgmma");
  const ProductSize size{static_cast<std::uint64_t>(shape.m), static_cast<std::uint64_t>(shape.n),
                         static_cast<std::uint64_t>(shape.k)};
  const DeviceInfo& info = problem.context().info();
  const std::uint64_t compute_units = info.compute_units;
  const WgmmaTiling tiling = choose_wgmma_tiling(kind, {compute_units, info.last_level_cache_bytes}, size);
  auto prepared = prepare(problem, plan_wgmma(problem.spec(), kind, size, tiling, compute_units,
                                              plugin_directory() / "kernels/cuda"));
  prepared->add_note("tiling", to_text(tiling));
  return prepared;
}

}  // namespace

std::unique_ptr<Prepared> make_wgmma_product(DeviceProblem& problem, const PrepareRequest& request) {
  return prepare(problem, request.kernel.value());
}

std::unique_ptr<Prepared> make_wgmma_bf16_best(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return make_best(problem, Narrow::bf16);
}

std::unique_ptr<Prepared> make_wgmma_tf32_best(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return make_best(problem, Narrow::tf32);
}

std::unique_ptr<Prepared> make_wgmma_3xtf32_best(DeviceProblem& problem,
                                                 const PrepareRequest& /*request*/) {
  return make_best(problem, Narrow::three_tf32);
}

}  // namespace benchctl::cuda
