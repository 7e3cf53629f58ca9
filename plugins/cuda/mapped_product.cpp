#include "mapped_product.hpp"

#include <benchctl/rounding.hpp>

#include "gpu/native_work.hpp"

#include <algorithm>
#include <string>

namespace benchctl::cuda {

namespace {

/// What the kernel was compiled for; `otherwise` where its source has no such macro.
std::uint32_t defined(const PlannedLaunch& launch, const char* macro, std::uint32_t otherwise) {
  const auto found = launch.defines.find(macro);
  return found == launch.defines.end() ? otherwise : static_cast<std::uint32_t>(std::stoul(found->second));
}

bool is_set(const PlannedLaunch& launch, const char* extra) {
  const auto found = launch.extras.find(extra);
  return found != launch.extras.end() && found->second != "0";
}

/// Which argument is which matrix, rows of which length it has, and what the kernel copies of it at a time.
std::vector<TensorView> views_of(const KernelPlan& plan, const gpu::Product& shape) {
  const PlannedLaunch& product = plan.launches.back();
  if (!is_set(product, "tensor_maps")) return {};
  const auto bytes = static_cast<std::uint32_t>(size_of(shape.type));
  // Rows of copies begin at multiples of more elements.
  const PlannedLaunch& first = plan.launches.front();
  const std::uint64_t a_row = round_up<std::uint64_t>(shape.k, defined(first, "A_UNIT", 1));
  const std::uint64_t b_row =
      round_up<std::uint64_t>(shape.n, defined(first, "HAS_B", 0) == 1 ? 128 / bytes : 1);
  // Blocks of a cluster that need the same rectangle fetch a part of it each, of A in multiples of 8 rows
  // or in turn. A block alone fetches no rows that A does not have: the copy engine is slow at them.
  const std::uint32_t tile = defined(product, "TILE_M", 0);
  const std::uint32_t across = defined(product, "ACROSS", 1);
  const bool low = product.defines.contains("SHARE") && across == 1 && !product.defines.contains("APART");
  const std::uint32_t a_box = low                      ? std::min(tile, static_cast<std::uint32_t>(shape.m))
                              : tile / across % 8 == 0 ? tile / across
                                                       : tile;
  const std::uint32_t b_box = defined(product, "DEPTH", 0) / defined(product, "SHARE", 1);
  const auto rows = static_cast<std::uint64_t>(shape.m);
  const auto depth = static_cast<std::uint64_t>(shape.k);
  if (product.defines.contains("APART")) {
    const CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    return {{0, type, bytes, rows, a_row, a_box},
            {1, type, bytes, rows, a_row, a_box},
            {2, type, bytes, depth, b_row, b_box}};
  }
  // Floats are rounded to tf32 on their way into shared memory.
  const CUtensorMapDataType type = shape.type == DType::bf16  ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
                                   : shape.type == DType::f64 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT64
                                                              : CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
  return {{0, type, bytes, rows, a_row, a_box}, {1, type, bytes, depth, b_row, b_box}};
}

/// Blocks that come while the launch before still runs go where there is room. Two of them on one
/// multiprocessor would leave others idle: 18.8 us instead of 14.9 at 1001 in bf16.
bool overlaps(const PlannedLaunch& launch, std::uint64_t most_shared_bytes) {
  return is_set(launch, "early") && launch.shared_bytes >= most_shared_bytes / 2 + 1024;
}

}  // namespace

MappedProduct mapped_product(const KernelPlan& plan, const ProblemSpec& spec, const DeviceInfo& device) {
  const PlannedLaunch& product = plan.launches.back();
  if (product.extras.empty()) return {};
  return {views_of(plan, gpu::Product(spec, "the kernel '" + product.entry + "'")),
          overlaps(product, device.limits.local_memory_bytes)};
}

}  // namespace benchctl::cuda
