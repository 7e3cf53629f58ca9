// How a packed product is cut up for the caches of a machine, and C among its threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "cpu_topology.hpp"
#include "kernels/matmul_packed.hpp"

namespace benchctl::cpu_avx {

/// C = A·B: A has m rows and k columns, B has k rows and n columns.
struct ProductShape {
  std::size_t m = 0;
  std::size_t n = 0;
  std::size_t k = 0;
};

/// What is asked for instead of the choice that fits the machine; 0 and `auto`: nothing.
struct BlockingWishes {
  std::size_t depth = 0;
  std::size_t tall = 0;
  std::size_t wide = 0;
  std::string pack = "auto";   ///< none, a, b, both
  std::string store = "auto";  ///< cached, streaming
};

/// The blocks for one thread of `threads`, for elements of `element` bytes in tiles of at most `tile`.
[[nodiscard]] PackedBlocking packed_blocking(const ProductShape& shape, std::size_t element,
                                             unsigned threads, RegisterTile tile, const Topology& topology,
                                             const BlockingWishes& wishes);

/// For a reader: "depth 384, A 252 × k packed, …".
[[nodiscard]] std::string describe(const PackedBlocking& blocking);

/// C divided into rows × columns rectangles of about the same size.
struct Grid {
  unsigned rows = 1;
  unsigned columns = 1;
};

/// One rectangle for each thread: the division that leaves the largest rectangle the least to do, copies of
/// its rows of A and columns of B counted in.
[[nodiscard]] Grid thread_grid(const ProductShape& shape, unsigned threads, RegisterTile tile);

/// The allowed threads, or as many of them as the product keeps busy for longer than it takes to call
/// them.
[[nodiscard]] unsigned useful_threads(const ProductShape& shape, unsigned allowed);

}  // namespace benchctl::cpu_avx
