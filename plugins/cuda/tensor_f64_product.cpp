#include "tensor_f64_product.hpp"

#include "fed_f64_tilings.hpp"
#include "prepared_kernel.hpp"
#include "product_shape.hpp"

namespace benchctl::cuda {

namespace {

ProductSize size_of_problem(const ProblemSpec& problem, const char* what) {
  const ProductShape shape = product_shape(problem, what);
  return {static_cast<std::uint64_t>(shape.m), static_cast<std::uint64_t>(shape.n),
          static_cast<std::uint64_t>(shape.k)};
}

/// Maps of A and B, if the copy engine brings their rectangles.
std::vector<TensorView> views_of(const PlannedLaunch& launch, const ProductSize& size) {
  const auto engine = launch.defines.find("COPY_ENGINE");
  if (engine == launch.defines.end() || engine->second == "0") return {};
  const auto rows_of = [&](const char* macro) {
    return static_cast<std::uint32_t>(std::stoul(launch.defines.at(macro)));
  };
  const CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
  return {{0, type, 8, size.m, size.k, rows_of("TILE_M")}, {1, type, 8, size.k, size.n, rows_of("DEPTH")}};
}

}  // namespace

std::unique_ptr<Prepared> make_tensor_f64_fed(DeviceProblem& problem, const PrepareRequest& request) {
  const KernelPlan& plan = request.kernel.value();
  const ProductSize size = size_of_problem(problem.spec(), "the kernel 'matmul_tensor_f64_fed'");
  return std::make_unique<PreparedKernel>(problem, plan, views_of(plan.launches.front(), size));
}

std::unique_ptr<Prepared> make_tensor_f64_best(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  const ProductSize size = size_of_problem(problem.spec(), "a product of doubles on tensor cores");
  const DeviceInfo& device = problem.context().info();
  const BestF64Product best = plan_best_f64(
      problem.spec(), size, {device.architecture, device.compute_units, device.limits.local_memory_bytes},
      plugin_directory() / "kernels/cuda");
  auto prepared =
      std::make_unique<PreparedKernel>(problem, best.plan, views_of(best.plan.launches.front(), size));
  prepared->add_note("tiling", best.tiling);
  return prepared;
}

}  // namespace benchctl::cuda
