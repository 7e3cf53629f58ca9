#include "driver/tensor_map.hpp"

#include <array>

namespace benchctl::cuda {

CUtensorMap encode_tensor_map(const DriverApi& driver, CUdeviceptr address, const TensorView& view) {
  constexpr std::uint32_t row_bytes = 128;
  const std::array<cuuint64_t, 2> extent{view.columns, view.rows};
  const std::array<cuuint64_t, 1> pitch{view.columns * view.element_bytes};
  const std::array<cuuint32_t, 2> box{row_bytes / view.element_bytes, view.box_rows};
  const std::array<cuuint32_t, 2> steps{1, 1};
  CUtensorMap map{};
  driver.check(driver.tensor_map_encode_tiled(
                   &map, view.type, 2, reinterpret_cast<void*>(address), extent.data(), pitch.data(),
                   box.data(), steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                   CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
               "making a tensor map");
  return map;
}

}  // namespace benchctl::cuda
