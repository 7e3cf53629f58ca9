// The winners of configs/limits/sgemm_tilings.toml: which tiling of `register_tiled` for which product.
#pragma once

#include "gpu/product_size.hpp"

#include <benchctl/kernel_spec.hpp>
#include <benchctl/problem.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace benchctl::cuda {

/// Orders of a thread's multiplications; the kernel's ALONG.
enum class Along : std::uint8_t { rows, columns, squares_2, squares_4 };

/// How B comes into shared memory; the kernel's WORDS.
enum class Copies : std::uint8_t {
  packs,  ///< 16 bytes at a time, from the place before where rows begin within a pack
  words   ///< element by element, as A does: more copies, but operands are loaded 16 bytes at a time
};

/// As the tunable `copies` has it.
[[nodiscard]] std::string_view to_string(Copies copies);

/// As the tunable `along` has it.
[[nodiscard]] std::string_view to_string(Along along);

/// The tunables of matmul/register_tiled.
struct ProductTiling {
  std::uint32_t tile_m;
  std::uint32_t tile_n;
  std::uint32_t depth;
  std::uint32_t thread_m;
  std::uint32_t thread_n;
  std::uint32_t stages;
  std::uint32_t portions;
  Along along = Along::columns;
  std::uint32_t splits = 1;
  std::uint32_t slices = 1;
  std::uint32_t workers = 0;
  Copies copies = Copies::packs;
};

struct ChosenTiling {
  ProductTiling tiling;
  std::string measured_on;  ///< the architecture whose row it is
  double expected_ns = 0;   ///< by the model, as far as that chose it
};

using gpu::ProductSize;

/// What a GPU has.
struct ProductDevice {
  std::string_view architecture;
  std::uint64_t compute_units;  ///< multiprocessors
  std::uint64_t shared_bytes;   ///< shared memory that one block may use
};

/// For a product of floats. An architecture that is not in the table takes the rows of sm_90a, all of
/// which, in one slice, fit the shared memory of every GPU from sm_80 on.
[[nodiscard]] ChosenTiling choose_tiling(const ProductDevice& device, const ProductSize& size);

/// What the description of matmul/register_tiled says of this tiling on a GPU of so many multiprocessors.
/// `problem` has A, B, C, m, n, k in the workload's order, of floats.
[[nodiscard]] KernelPlan plan_product(const ProblemSpec& problem, const ProductSize& size,
                                      const ProductTiling& tiling, std::uint64_t compute_units,
                                      const std::filesystem::path& kernels);

/// "128x256x16 in 16x8, 4 stages, 2 portions, along columns, 1 parts", with ", by words", ", 3 slices" or
/// ", 1 workers" behind it where that is so.
[[nodiscard]] std::string to_text(const ProductTiling& tiling);

}  // namespace benchctl::cuda
