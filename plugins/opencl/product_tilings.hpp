// Which tiling of `register_tiled` and `register_tiled_async` for which product.
#pragma once

#include "gpu/product_tilings.hpp"

#include <benchctl/kernel_spec.hpp>
#include <benchctl/problem.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl::opencl {

using gpu::ProductSize;

/// The tunables of matmul/register_tiled_async, or of matmul/register_tiled: its slabs come through
/// registers, two are in local memory, and there are no portions.
struct ProductTiling : gpu::ProductTiling {
  bool async = true;
};

struct ProductDevice {
  bool cp_async = false;
  std::uint64_t compute_units = 1;
  std::uint64_t local_bytes = 49152;   ///< that a group may have
  std::string_view architecture = {};  ///< as DeviceInfo has it
};

struct ChosenTiling {
  ProductTiling tiling;
  double expected_ns = 0;  ///< by the model, as far as that chose it
};

/// For a product of floats on a GPU.
[[nodiscard]] ChosenTiling choose_tiling(const ProductDevice& device, const ProductSize& size);

/// The same tiling and those that are expected to be nearly as quick, see gpu::rank_tilings. On devices
/// without cp.async nothing is expected of those, 0 ns.
[[nodiscard]] std::vector<gpu::Ranked<ProductTiling>> rank_tilings(const ProductDevice& device,
                                                                   const ProductSize& size,
                                                                   std::size_t most);

/// What the description of the variant says of this tiling on a device of so many compute units. `problem`
/// has A, B, C, m, n, k in the workload's order, of floats; `kernels` is the folder of the plugin's kernel
/// files.
[[nodiscard]] KernelPlan plan_product(const ProblemSpec& problem, const ProductSize& size,
                                      const ProductTiling& tiling, std::uint64_t compute_units,
                                      const std::filesystem::path& kernels);

/// As gpu::to_text has it, or "64x128x8 in 8x8, through registers, along rows".
[[nodiscard]] std::string to_text(const ProductTiling& tiling);

}  // namespace benchctl::opencl
