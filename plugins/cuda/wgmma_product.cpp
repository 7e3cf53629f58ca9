#include "wgmma_product.hpp"

#include "product_shape.hpp"
#include "product_ways.hpp"
#include "wgmma_plan.hpp"

#include <string>

namespace benchctl::cuda {

namespace {

/// A number that the kernel was compiled for.
std::uint32_t defined_number(const PlannedLaunch& launch, const char* macro) {
  return static_cast<std::uint32_t>(std::stoul(launch.defines.at(macro)));
}

ProductSize product_size(const ProductShape& shape) {
  return {static_cast<std::uint64_t>(shape.m), static_cast<std::uint64_t>(shape.n),
          static_cast<std::uint64_t>(shape.k)};
}

/// Maps of A and B for the last launch of `plan`. Their rows, from the beginning of one to the next, have k
/// and n elements of `whole`.
std::vector<TensorView> views_of(const PlannedLaunch& launch, const ProductShape& shape, bool three,
                                 const ProductSize& whole) {
  const auto rows_of_b = static_cast<std::uint64_t>(shape.k);
  const std::uint32_t tile = defined_number(launch, "TILE_M");
  const std::uint32_t slab = defined_number(launch, "DEPTH");
  if (three) {
    const CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    return {{0, type, 4, whole.m, whole.k, tile},
            {1, type, 4, whole.m, whole.k, tile},
            {2, type, 4, rows_of_b, whole.n, slab}};
  }
  // Blocks that need the same rectangle fetch a part of it each, of A in multiples of 8 rows or in turn.
  const std::uint32_t across = defined_number(launch, "ACROSS");
  const std::uint32_t a_rows = tile / across % 8 == 0 ? tile / across : tile;
  const std::uint32_t b_rows = slab / defined_number(launch, "SHARE");
  // Floats are rounded to tf32 on their way into shared memory.
  const bool bf16 = shape.type == DType::bf16;
  const CUtensorMapDataType type =
      bf16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
  const std::uint32_t bytes = bf16 ? 2 : 4;
  return {{0, type, bytes, whole.m, whole.k, a_rows}, {1, type, bytes, rows_of_b, whole.n, b_rows}};
}

std::vector<gpu::Ranked<WgmmaProduct>> ranked_wgmma(const DeviceProblem& problem, Narrow kind,
                                                    std::size_t most) {
  const ProductShape shape = product_shape(problem.spec(), "a product by wgmma");
  return rank_wgmma(problem.spec(), kind, product_size(shape), problem.context().info().compute_units,
                    plugin_directory() / "kernels/cuda", most);
}

std::unique_ptr<Prepared> prepare_wgmma(DeviceProblem& problem, Narrow kind, const WgmmaProduct& product) {
  const ProductShape shape = product_shape(problem.spec(), "a product by wgmma");
  const bool three = kind == Narrow::three_tf32;
  auto prepared = std::make_unique<PreparedKernel>(
      problem, product.plan, views_of(product.plan.launches.back(), shape, three, product.whole),
      product.repacked.any());
  prepared->add_note("tiling", to_text(product.tiling));
  if (product.repacked.any()) prepared->add_note("repacked", to_text(product.repacked));
  return prepared;
}

std::unique_ptr<Prepared> make_wgmma_best(DeviceProblem& problem, Narrow kind) {
  return prepare_wgmma(problem, kind, ranked_wgmma(problem, kind, 1).front().form);
}

}  // namespace

std::unique_ptr<Prepared> make_wgmma_bf16_best(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return make_wgmma_best(problem, Narrow::bf16);
}

std::unique_ptr<Prepared> make_wgmma_tf32_best(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return make_wgmma_best(problem, Narrow::tf32);
}

std::unique_ptr<Prepared> make_wgmma_3xtf32_best(DeviceProblem& problem,
                                                 const PrepareRequest& /*request*/) {
  return make_wgmma_best(problem, Narrow::three_tf32);
}

std::vector<gpu::Way> wgmma_ways(DeviceProblem& problem, Narrow kind, std::size_t most) {
  const auto name = [](const WgmmaProduct& product) { return "wgmma " + to_text(product.tiling); };
  const auto make = [kind](DeviceProblem& of, const WgmmaProduct& product) {
    return prepare_wgmma(of, kind, product);
  };
  return product_ways(problem, ranked_wgmma(problem, kind, most), name, make);
}

}  // namespace benchctl::cuda
