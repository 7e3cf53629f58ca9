// Tensor maps: what the copy engine of Hopper and later takes instead of an address, made by the host.
#pragma once

#include "driver/driver_api.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace benchctl::cuda {

/// A launch argument that is a row-major matrix of which the kernel copies rectangles whose rows are 128
/// bytes and lie swizzled in shared memory.
struct TensorView {
  std::size_t argument = 0;  ///< position among the launch's arguments
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  std::uint32_t element_bytes = 4;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;   ///< rows begin at multiples of 16 bytes
  std::uint32_t box_rows = 0;  ///< rows of the rectangle, at most 256
};

/// Encodes the matrix at `address`. Throws Failure(launch_error) when the driver refuses.
[[nodiscard]] CUtensorMap encode_tensor_map(const DriverApi& driver, CUdeviceptr address,
                                            const TensorView& view);

}  // namespace benchctl::cuda
