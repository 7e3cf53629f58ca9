#include "tensor_f64_product.hpp"

#include "fed_f64_tilings.hpp"
#include "product_shape.hpp"
#include "product_ways.hpp"

namespace benchctl::cuda {

namespace {

ProductSize size_of_problem(const ProblemSpec& problem, const char* what) {
  const ProductShape shape = product_shape(problem, what);
  return {static_cast<std::uint64_t>(shape.m), static_cast<std::uint64_t>(shape.n),
          static_cast<std::uint64_t>(shape.k)};
}

/// Maps of A and B, if the copy engine brings their rectangles.
std::vector<TensorView> f64_views(const PlannedLaunch& launch, const ProductSize& size) {
  const auto engine = launch.defines.find("COPY_ENGINE");
  if (engine == launch.defines.end() || engine->second == "0") return {};
  const auto rows_of = [&](const char* macro) {
    return static_cast<std::uint32_t>(std::stoul(launch.defines.at(macro)));
  };
  const CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
  return {{0, type, 8, size.m, size.k, rows_of("TILE_M")}, {1, type, 8, size.k, size.n, rows_of("DEPTH")}};
}

constexpr std::size_t most_f64 = 8;

std::vector<gpu::Ranked<BestF64Product>> ranked_f64(const DeviceProblem& problem, std::size_t most) {
  const ProductSize size = size_of_problem(problem.spec(), "a product of doubles on tensor cores");
  const DeviceInfo& device = problem.context().info();
  return rank_f64(problem.spec(), size,
                  {device.architecture, device.compute_units, device.limits.local_memory_bytes},
                  plugin_directory() / "kernels/cuda", most);
}

std::unique_ptr<Prepared> prepare_f64(DeviceProblem& problem, const BestF64Product& product) {
  const ProductSize size = size_of_problem(problem.spec(), "a product of doubles on tensor cores");
  auto prepared = std::make_unique<PreparedKernel>(problem, product.plan,
                                                   f64_views(product.plan.launches.front(), size));
  prepared->add_note("tiling", product.tiling);
  return prepared;
}

}  // namespace

std::unique_ptr<Prepared> make_tensor_f64_best(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return prepare_f64(problem, ranked_f64(problem, 1).front().form);
}

std::unique_ptr<Prepared> make_tensor_f64_tuned(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  const auto name = [](const BestF64Product& product) { return product.tiling; };
  return gpu::quickest(product_ways(problem, ranked_f64(problem, most_f64), name, prepare_f64));
}

}  // namespace benchctl::cuda
