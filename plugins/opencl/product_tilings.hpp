// Which tiling of `register_tiled` and `register_tiled_async` for which product.
#pragma once

#include "gpu/product_size.hpp"

#include <benchctl/kernel_spec.hpp>
#include <benchctl/problem.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace benchctl::opencl {

/// Orders of a work-item's multiplications; the kernel's ALONG.
enum class Along : std::uint8_t { rows, columns, squares_2, squares_4 };

/// As the tunable `along` has it.
[[nodiscard]] std::string_view to_string(Along along);

/// The tunables of matmul/register_tiled_async, or of matmul/register_tiled: its slabs come through
/// registers, two are in local memory, and there are no portions.
struct ProductTiling {
  std::uint32_t tile_m;
  std::uint32_t tile_n;
  std::uint32_t depth;
  std::uint32_t thread_m;
  std::uint32_t thread_n;
  std::uint32_t stages;
  std::uint32_t portions;
  Along along = Along::rows;
  std::uint32_t splits = 1;
  std::uint32_t slices = 1;
  std::uint32_t workers = 0;
  bool async = true;
};

using gpu::ProductSize;

struct ProductDevice {
  bool cp_async = false;
  std::uint64_t compute_units = 1;
  std::uint64_t local_bytes = 49152;  ///< that a group may have
};

struct ChosenTiling {
  ProductTiling tiling;
  double expected_ns = 0;  ///< by the model, as far as that chose it
};

/// For a product of floats on a GPU.
[[nodiscard]] ChosenTiling choose_tiling(const ProductDevice& device, const ProductSize& size);

/// What the description of the variant says of this tiling on a device of so many compute units. `problem`
/// has A, B, C, m, n, k in the workload's order, of floats; `kernels` is the folder of the plugin's kernel
/// files.
[[nodiscard]] KernelPlan plan_product(const ProblemSpec& problem, const ProductSize& size,
                                      const ProductTiling& tiling, std::uint64_t compute_units,
                                      const std::filesystem::path& kernels);

/// "64x128x16 in 8x8, 3 stages, 2 portions, along rows, 1 parts", with ", 3 slices" behind it where there
/// are several, or ", 1 workers".
[[nodiscard]] std::string to_text(const ProductTiling& tiling);

}  // namespace benchctl::opencl
