// Which tiling of matmul/register_tiled for which product, by the rates that a backend has measured. The
// kernel is the same in CUDA and OpenCL.
#pragma once

#include "gpu/product_size.hpp"
#include "gpu/ranked.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl::gpu {

/// Orders of a thread's multiplications; the kernel's ALONG.
enum class Along : std::uint8_t { rows, columns, squares_2, squares_4 };

/// How B comes into shared memory; CUDA's B_WIDTH, OpenCL's WORDS.
enum class Copies : std::uint8_t {
  packs,  ///< 16 bytes at a time, from the place before where rows begin within a pack
  words,  ///< element by element, as A does: more copies, but operands are loaded 16 bytes at a time
  pairs   ///< the same by two elements, where n is even
};

/// As the tunable `copies` has it.
[[nodiscard]] std::string_view to_string(Copies copies);

/// As the tunable `along` has it.
[[nodiscard]] std::string_view to_string(Along along);

/// The tunables of matmul/register_tiled, in OpenCL of register_tiled_async.
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

struct ProductRates;  // product_rates.hpp

/// What a GPU has.
struct ProductDevice {
  std::string_view architecture;
  std::uint64_t compute_units;  ///< multiprocessors
  std::uint64_t shared_bytes;   ///< shared memory that one block may use
};

/// Pieces of C, of tile_m × tile_n elements.
[[nodiscard]] std::uint64_t tiles(const ProductSize& size, const ProductTiling& tiling);

/// Whether rows of B are copied from the place before their first element.
[[nodiscard]] bool copies_before(const ProductSize& size, const ProductTiling& tiling);

/// Shared memory of a block in CUDA; in OpenCL it has no more.
[[nodiscard]] std::uint64_t shared_bytes(const ProductSize& size, const ProductTiling& tiling);

/// Blocks of a launch where Sharing::chains is a way: one per tile, or as many as run at once, with one per
/// multiprocessor up to two per tile.
[[nodiscard]] std::uint64_t blocks_of(const ProductSize& size, const ProductTiling& tiling,
                                      std::uint64_t compute_units);

/// How blocks that are fewer or more than tiles share these out: the kernel's EVEN.
enum class Sharing : std::uint8_t { none, turns, chains, parts };

[[nodiscard]] Sharing sharing_of(const ProductSize& size, const ProductTiling& tiling,
                                 std::uint64_t compute_units);

/// For a product of floats, of the tilings that shared memory has room for. An architecture that is not
/// among the rates takes the rows of the first that is; those of sm_90a, in one slice, fit the shared
/// memory of every GPU from sm_80 on.
[[nodiscard]] ChosenTiling choose_tiling(const ProductRates& measured, const ProductDevice& device,
                                         const ProductSize& size);

/// The same tiling and those that are expected to be nearly as quick, the quickest first; of tilings that
/// differ in little but the number of parts one. 0 ns is expected of one that the shape of the product
/// decides on. There is one at least.
[[nodiscard]] std::vector<Ranked<ProductTiling>> rank_tilings(const ProductRates& measured,
                                                              const ProductDevice& device,
                                                              const ProductSize& size, std::size_t most);

/// "128x256x16 in 16x8, 4 stages, 2 portions, along columns, 1 parts", with ", by words", ", by pairs", ",
/// 3 slices" or ", 1 workers" behind it where that is so.
[[nodiscard]] std::string to_text(const ProductTiling& tiling);

}  // namespace benchctl::gpu
