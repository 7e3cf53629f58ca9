// In which order squares of a transpose are written, by how far its rows lie apart.
#pragma once

#include <cstddef>

#include "kernels/transpose_kernels.hpp"

namespace benchctl::cpu_avx {

/// `rows` and `columns` of in, elements of `element` bytes; a thread's share of in and out is `bytes`,
/// which it has caches of `l1` and `l2` bytes for (0: not known).
struct TransposeShape {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t element = 0;
  std::size_t bytes = 0;
  std::size_t l1 = 0;
  std::size_t l2 = 0;
  /// There are two units for shuffles of 256 bits, and one for those of 512.
  bool half_vectors_shuffle_faster = false;
  /// Lines of out beyond the first cache are best asked for before they are written.
  bool stores_wait_for_lines = false;
};

[[nodiscard]] TransposeOrder transpose_order(const TransposeShape& shape);

}  // namespace benchctl::cpu_avx
