// The two transposes without vector instructions.
//
// naive     Reads rows and writes columns. Each write opens a line of its own, and by the time its
//           neighbour is written the line is gone: beyond the caches a whole line is read and written
//           back per element.
// blocked   The same loop on squares small enough for all their lines to stay in cache, so that each line
//           is moved once.
#include "kernels/transpose_kernels.hpp"

namespace benchctl::cpu_avx {

namespace {

size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

template <class T>
[[gnu::optimize("no-tree-vectorize")]] void naive(const TransposePart<T>& part) {
  for (size_t r = part.row_begin; r < part.row_end; ++r) {
    for (size_t c = part.column_begin; c < part.column_end; ++c) {
      part.out[c * part.rows + r] = part.in[r * part.columns + c];
    }
  }
}

template <class T>
void blocked(const TransposePart<T>& part, size_t tile) {
  TransposePart<T> square = part;
  for (size_t r = part.row_begin; r < part.row_end; r += tile) {
    square.row_begin = r;
    square.row_end = smaller(r + tile, part.row_end);
    for (size_t c = part.column_begin; c < part.column_end; c += tile) {
      square.column_begin = c;
      square.column_end = smaller(c + tile, part.column_end);
      naive(square);
    }
  }
}

}  // namespace

void transpose_naive(const TransposePart<float>& part) noexcept { naive(part); }
void transpose_naive(const TransposePart<double>& part) noexcept { naive(part); }
void transpose_blocked(const TransposePart<float>& part, size_t tile) noexcept { blocked(part, tile); }
void transpose_blocked(const TransposePart<double>& part, size_t tile) noexcept { blocked(part, tile); }

}  // namespace benchctl::cpu_avx
