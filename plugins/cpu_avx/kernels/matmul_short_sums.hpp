// Products of a few steps of k, an outer product among them, with B in registers.
//
// A register tile of C has its kernel looked up, its sums cleared and a task passed on, which takes as long
// as two to ten steps of k. Where all of k is short, the vectors of B that a panel of C needs fit into the
// registers instead: they are loaded once, and rows of A and C go by, one after the other.
//
// Arithmetic      A row of a panel takes `depth` broadcasts, depth · vectors multiply-adds and as many
//                 stores as vectors. B takes 24 (12) of 32 (16) registers at most, a row's sums two.
// Expected limit  The multiply-add units: `depth` cycles for a row of two vectors; or the stores, of which
//                 AVX-512 has one per cycle, or one in two where C's rows begin within lines: depth 1 to 4.
//                 With one vector, loads and multiply-adds take as long. A sum is a chain of multiply-adds;
//                 the processor works on the rows that follow meanwhile.
#pragma once

#include <stddef.h>

#include "kernels/matmul_packed.hpp"

namespace benchctl::cpu_avx {
namespace {

/// What the vectors of a panel's last columns are: whole; in part beyond C; or whole and written past the
/// caches.
enum class PanelEdge { whole, masked, streamed };

template <class Simd>
struct ShortSums {
  using T = typename Simd::Scalar;
  using Vector = typename Simd::Vector;
  using Mask = typename Simd::Mask;
  static constexpr size_t lanes = Simd::lanes;
  static constexpr size_t most_vectors = 2;
  static constexpr size_t most_depth = Simd::short_depth;                        // of one vector
  static constexpr size_t most_depth_of_two = Simd::short_depth / most_vectors;  // of two
  // A C of so many bytes stays in the first-level cache, lines that two panels share among it; a larger one
  // is worked on some rows at a time.
  static constexpr size_t kept_bytes = size_t{16} << 10;
  static constexpr size_t least_rows = 8;  // fewer than a set of any such cache has lines

  /// `rows` rows of A, `depth` long and one after the other, times B, whose rows and C's are n apart.
  template <size_t depth, size_t vectors, PanelEdge edge>
  static void panel(const T* a, const T* b, T* c, size_t n, size_t rows, size_t last_columns) {
    const Mask mask = Simd::mask_of(last_columns);
    Vector of_b[depth][vectors];
#pragma GCC unroll 32
    for (size_t p = 0; p < depth; ++p) {
#pragma GCC unroll 2
      for (size_t v = 0; v < vectors; ++v) {
        const T* from = b + p * n + v * lanes;
        of_b[p][v] = at_edge<vectors, edge>(v) ? Simd::load_masked(from, mask) : Simd::load(from);
      }
    }
#pragma GCC unroll 2
    for (; rows > 0; --rows) {
      // Two chains of half the length where there is but one vector.
      constexpr size_t sums = most_vectors;
      Vector sum[sums];
#pragma GCC unroll 32
      for (size_t p = 0; p < depth; ++p) {
        const Vector of_a = Simd::broadcast(a + p);
#pragma GCC unroll 2
        for (size_t v = 0; v < vectors; ++v) {
          Vector& to = sum[(v + p * vectors) % sums];
          to = p < sums / vectors ? Simd::mul(of_a, of_b[p][v]) : Simd::fma(of_a, of_b[p][v], to);
        }
      }
      if constexpr (vectors == 1 && depth > 1) sum[0] = Simd::add(sum[0], sum[1]);
#pragma GCC unroll 2
      for (size_t v = 0; v < vectors; ++v) {
        if (at_edge<vectors, edge>(v)) {
          Simd::store_masked(c + v * lanes, mask, sum[v]);
        } else if (edge == PanelEdge::streamed) {
          Simd::stream(c + v * lanes, sum[v]);
        } else {
          Simd::store(c + v * lanes, sum[v]);
        }
      }
      a += depth;
      c += n;
    }
  }

  template <size_t vectors, PanelEdge edge>
  static constexpr bool at_edge(size_t v) {
    return edge == PanelEdge::masked && v + 1 == vectors;
  }

  using Panel = void (*)(const T* a, const T* b, T* c, size_t n, size_t rows, size_t last_columns);
  /// By depth less one, vectors less one, and edge.
  struct Table {
    Panel run[most_depth][most_vectors][3];
  };

  template <size_t depth, size_t vectors>
  static constexpr void add_panels(Table& table) {
    Panel(&of)[3] = table.run[depth - 1][vectors - 1];
    of[static_cast<size_t>(PanelEdge::whole)] = &panel<depth, vectors, PanelEdge::whole>;
    of[static_cast<size_t>(PanelEdge::masked)] = &panel<depth, vectors, PanelEdge::masked>;
    of[static_cast<size_t>(PanelEdge::streamed)] = &panel<depth, vectors, PanelEdge::streamed>;
    if constexpr (depth > 1) add_panels<depth - 1, vectors>(table);
  }
  static constexpr Table make_table() {
    Table table{};
    add_panels<most_depth, 1>(table);
    add_panels<most_depth_of_two, most_vectors>(table);
    return table;
  }
  static constexpr Table panels = make_table();

  /// A single panel: up to `lanes` columns of B and C, and `rows` rows of A, one after the other.
  static void narrow_panel(const T* a, const T* b, T* c, size_t n, size_t rows, size_t depth,
                           size_t columns) {
    const PanelEdge edge = columns < lanes ? PanelEdge::masked : PanelEdge::whole;
    panels.run[depth - 1][0][static_cast<size_t>(edge)](a, b, c, n, rows, columns);
  }

  /// All of `part`, of which k is 1 … most_depth. `stream`: C's lines are whole and written past the
  /// caches.
  static void multiply(const MatmulPart<T>& part, bool stream) {
    const size_t columns = part.column_end - part.column_begin;
    size_t at_once = part.row_end - part.row_begin;
    if (at_once > least_rows && at_once * columns * sizeof(T) > kept_bytes) {
      at_once = kept_bytes / (columns * sizeof(T));
      if (at_once < least_rows) at_once = least_rows;
    }
    const size_t most = part.k <= most_depth_of_two ? most_vectors : 1;
    const auto& of_depth = panels.run[part.k - 1];
    for (size_t row = part.row_begin; row < part.row_end; row += at_once) {
      const size_t rows = part.row_end - row < at_once ? part.row_end - row : at_once;
      const T* a = part.a + row * part.k;
      for (size_t column = part.column_begin; column < part.column_end; column += most * lanes) {
        const size_t left = part.column_end - column;
        const size_t vectors = left <= lanes ? 1 : most;
        const size_t last = left - (vectors - 1) * lanes;
        const PanelEdge edge = last < lanes ? PanelEdge::masked
                               : stream     ? PanelEdge::streamed
                                            : PanelEdge::whole;
        of_depth[vectors - 1][static_cast<size_t>(edge)](a, part.b + column, part.c + row * part.n + column,
                                                         part.n, rows, last < lanes ? last : lanes);
      }
    }
    if (stream) Simd::fence();
  }
};

}  // namespace
}  // namespace benchctl::cpu_avx
