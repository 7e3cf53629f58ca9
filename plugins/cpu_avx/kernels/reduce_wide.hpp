// Reductions, written once over a `Simd` type that names an instruction set's vectors. Included by one
// translation unit per instruction set, all in an unnamed namespace.
//
// What it shows   Eight vector accumulators: enough additions under way to hide their latency, so that
//                 loads decide.
// Access pattern  Elements in order, eight vectors at a time; then up to seven, each for an accumulator of
//                 its own, and a masked one. From memory several pieces side by side: prefetchers follow
//                 each by itself, and no further ahead than a page or so.
// Expected limit  Two loads per cycle in cache; memory bandwidth beyond, with enough threads.
//
// The vectors' minimum and maximum give their second operand when one is NaN. Whether one was is
// found out beside them, by one comparison for two vectors, and overrides the result.
//
// A Simd type has: Scalar, Vector, Mask; lanes; static zero(), all(scalar), load(p), load_first(count, p,
// others) (`count` elements, fewer than lanes, and nothing behind them; then lanes of others), add(a, b),
// multiply(a, b), fma(a, b, c), min(a, b), max(a, b), join_lanes<Op>(v), the lanes joined in a tree;
// no_mask(), mark(mask, a, b) (mask, or lanes where a or b is NaN), any(mask); Lines, vectors of half
// a line, which need zero, load, fma, add and join_lanes only. One of float64 also loads float32 numbers.
#pragma once

#include <immintrin.h>

#include "kernels/reduce_kernels.hpp"

namespace benchctl::cpu_avx {
namespace {

inline constexpr size_t reduce_accumulators = 8;

struct Sum {
  template <class Simd>
  static typename Simd::Vector vector(typename Simd::Vector a, typename Simd::Vector b) {
    return Simd::add(a, b);
  }
};

struct Minimum {
  template <class T>
  static T identity() {
    return static_cast<T>(__builtin_inf());
  }
  template <class Simd>
  static typename Simd::Vector vector(typename Simd::Vector a, typename Simd::Vector b) {
    return Simd::min(a, b);
  }
};

struct Maximum {
  template <class T>
  static T identity() {
    return -static_cast<T>(__builtin_inf());
  }
  template <class Simd>
  static typename Simd::Vector vector(typename Simd::Vector a, typename Simd::Vector b) {
    return Simd::max(a, b);
  }
};

/// All lanes of all accumulators, in a tree. Spelt out, like all that is done to each of them: loops over
/// them, unrolled or not, left them in memory, which a sum of a thousand elements took a fifth longer for.
template <class Simd, class Op>
[[gnu::always_inline]] inline typename Simd::Scalar join(
    const typename Simd::Vector (&running)[reduce_accumulators]) {
  using Vector = typename Simd::Vector;
  const Vector v04 = Op::template vector<Simd>(running[0], running[4]);
  const Vector v15 = Op::template vector<Simd>(running[1], running[5]);
  const Vector v26 = Op::template vector<Simd>(running[2], running[6]);
  const Vector v37 = Op::template vector<Simd>(running[3], running[7]);
  const Vector even = Op::template vector<Simd>(v04, v26);
  const Vector odd = Op::template vector<Simd>(v15, v37);
  return Simd::template join_lanes<Op>(Op::template vector<Simd>(even, odd));
}

/// `v` joined with itself, its lanes moved as each of `moves` says.
template <class Simd, class Op, class... Moves>
typename Simd::Vector join_moved(typename Simd::Vector v, Moves... moves) {
  ((v = Op::template vector<Simd>(v, moves(v))), ...);
  return v;
}

/// Asks for nothing.
struct NothingAhead {
  void operator()(size_t /*i*/) const {}
};

/// Asks the first-level cache for the lines of eight vectors, which will be read some steps later. What
/// lies behind the end is an address like any other. Who calls it is to be inlined, too: GCC drops calls
/// that do nothing but this.
template <class Simd, class T>
[[gnu::always_inline]] inline void ask_ahead(const T* x) {
  constexpr size_t distance = 2048 / sizeof(T);
  constexpr size_t line = 64 / sizeof(T);
#pragma GCC unroll 8
  for (size_t i = 0; i < reduce_accumulators * Simd::lanes; i += line) {
    _mm_prefetch(reinterpret_cast<const char*>(x + distance + i), _MM_HINT_T0);
  }
}

/// Hands [0, count) to `step(v, i)`, a vector from element i on for accumulator v, and what is left, fewer
/// elements than lanes, to `rest(i, left)`, for the last accumulator. `ahead(i)` comes before eight
/// vectors.
template <class Simd, class Step, class Rest, class Ahead = NothingAhead>
[[gnu::always_inline]] inline void walk(size_t count, Step step, Rest rest, Ahead ahead = {}) {
  constexpr size_t lanes = Simd::lanes;
  size_t i = 0;
  for (; i + reduce_accumulators * lanes <= count; i += reduce_accumulators * lanes) {
    ahead(i);
    step(0, i);
    step(1, i + lanes);
    step(2, i + 2 * lanes);
    step(3, i + 3 * lanes);
    step(4, i + 4 * lanes);
    step(5, i + 5 * lanes);
    step(6, i + 6 * lanes);
    step(7, i + 7 * lanes);
  }
  // Up to seven vectors, each for an accumulator of its own: one for all would wait for itself.
  if (const size_t left = count - i; left >= 4 * lanes) {
    step(0, i);
    step(1, i + lanes);
    step(2, i + 2 * lanes);
    step(3, i + 3 * lanes);
    i += 4 * lanes;
  }
  if (const size_t left = count - i; left >= 2 * lanes) {
    step(4, i);
    step(5, i + lanes);
    i += 2 * lanes;
  }
  if (const size_t left = count - i; left >= lanes) {
    step(6, i);
    i += lanes;
  }
  if (i < count) rest(i, count - i);
}

/// The same where [0, count) comes from memory: `pieces` pieces of it are read side by side, by an eighth,
/// a quarter or half of the accumulators each, and what is left behind them in order. On a Zen 5 two cores
/// read 1 GiB at 51 GB/s in order and at 58 to 65 so, one at 28 and 33; what lies in caches up to a tenth
/// more slowly.
template <class Simd, size_t pieces, class Step, class Rest>
[[gnu::always_inline]] inline void walk_side_by_side(size_t count, Step step, Rest rest) {
  constexpr size_t lanes = Simd::lanes;
  constexpr size_t vectors = reduce_accumulators / pieces;  // of a piece at a time
  const size_t piece = count / (pieces * vectors * lanes) * (vectors * lanes);
  const auto place = [piece](size_t v, size_t i) { return v / vectors * piece + i + v % vectors * lanes; };
  for (size_t i = 0; i < piece; i += vectors * lanes) {
    step(0, place(0, i));
    step(1, place(1, i));
    step(2, place(2, i));
    step(3, place(3, i));
    step(4, place(4, i));
    step(5, place(5, i));
    step(6, place(6, i));
    step(7, place(7, i));
  }
  const size_t done = pieces * piece;
  walk<Simd>(
      count - done, [&](size_t v, size_t i) { step(v, done + i); },
      [&](size_t i, size_t left) { rest(done + i, left); });
}

/// As `fetch` says, of one operand or of two.
template <class Simd, ReduceFetch fetch, size_t pieces, class Step, class Rest, class... T>
[[gnu::always_inline]] inline void walk_as(size_t count, Step step, Rest rest,
                                           [[maybe_unused]] const T*... operands) {
  if constexpr (fetch == ReduceFetch::side_by_side) {
    walk_side_by_side<Simd, pieces>(count, step, rest);
  } else if constexpr (fetch == ReduceFetch::ahead) {
    walk<Simd>(
        count, step,
        rest, [&](size_t i) __attribute__((always_inline)) { (ask_ahead<Simd>(operands + i), ...); });
  } else {
    walk<Simd>(count, step, rest);
  }
}

/// Pieces of the only operand, and of each of two.
inline constexpr size_t pieces_of_one = 4;
inline constexpr size_t pieces_of_two = 2;

/// One for each accumulator.
#define BENCHCTL_ALL(vector) \
  { vector, vector, vector, vector, vector, vector, vector, vector }

template <class Simd, ReduceFetch fetch>
double wide_sum(const typename Simd::Scalar* x, const typename Simd::Scalar* /*y*/, size_t count,
                double /*scale*/) noexcept {
  using Vector = typename Simd::Vector;
  const Vector zero = Simd::zero();
  Vector running[reduce_accumulators] = BENCHCTL_ALL(zero);
  const auto take = [&](size_t v, Vector of_x) { running[v] = Simd::add(running[v], of_x); };
  const auto step = [&](size_t v, size_t i) { take(v, Simd::load(x + i)); };
  const auto rest = [&](size_t i, size_t left) { take(7, Simd::load_first(left, x + i, zero)); };
  walk_as<Simd, fetch, pieces_of_one>(count, step, rest, x);
  return static_cast<double>(join<Simd, Sum>(running));
}

/// Dot products of so many bytes, both vectors together, are read in the order of their lines: those from
/// the second-level cache. Larger ones, which prefetchers know by then, lose 1 to 3 % by it, with 512-bit
/// vectors up to 5 %. These are twice as quick in the first-level cache, and ahead while much is there yet.
template <class Simd>
constexpr size_t by_lines_above = size_t{sizeof(typename Simd::Vector) == 64 ? 52 : 48} << 10;
inline constexpr size_t by_lines_up_to = size_t{400} << 10;
/// While much of it comes from the first-level cache whole lines are quicker than halves.
inline constexpr size_t by_halves_above = size_t{64} << 10;

/// The dot product of whole steps of four vectors; `done`: how many elements that were. From the
/// second-level cache two lines of x and two of y in turns come up to a tenth quicker than in the order
/// that the compiler's scheduler makes of it, which the empty statements keep out, and than four of each:
/// prefetchers follow each load by itself, which is to find its next line nearby. Halves of lines are a
/// tenth quicker than whole ones there (12000 floats on a Zen 5: 485 ns, whole ones 550), but at times, for
/// minutes, both are quicker and whole ones ahead (445 and 410). Four accumulators do; in the first-level
/// cache a processor with three loads per cycle needs more.
template <class Simd>
[[gnu::noinline]] double dot_by_lines(const typename Simd::Scalar* x, const typename Simd::Scalar* y,
                                      size_t count, size_t& done) noexcept {
  using Vector = typename Simd::Vector;
  constexpr size_t lanes = Simd::lanes;
  const Vector zero = Simd::zero();
  Vector sum0 = zero;
  Vector sum1 = zero;
  Vector sum2 = zero;
  Vector sum3 = zero;
  size_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    Vector x0 = Simd::load(x + i);
    Vector x1 = Simd::load(x + i + lanes);
    Vector x2 = Simd::load(x + i + 2 * lanes);
    Vector x3 = Simd::load(x + i + 3 * lanes);
    asm volatile("" : "+v"(x0), "+v"(x1), "+v"(x2), "+v"(x3));
    sum0 = Simd::fma(x0, Simd::load(y + i), sum0);
    sum1 = Simd::fma(x1, Simd::load(y + i + lanes), sum1);
    sum2 = Simd::fma(x2, Simd::load(y + i + 2 * lanes), sum2);
    sum3 = Simd::fma(x3, Simd::load(y + i + 3 * lanes), sum3);
    asm volatile("" : "+v"(sum0), "+v"(sum1), "+v"(sum2), "+v"(sum3));
  }
  done = i;
  const Vector sums[reduce_accumulators] = {sum0, sum1, sum2, sum3, zero, zero, zero, zero};
  return static_cast<double>(join<Simd, Sum>(sums));
}

template <class Simd, ReduceFetch fetch = ReduceFetch::in_order>
[[gnu::noinline]] double dot_of_vectors(const typename Simd::Scalar* x, const typename Simd::Scalar* y,
                                        size_t count) noexcept {
  using Vector = typename Simd::Vector;
  const Vector zero = Simd::zero();
  Vector running[reduce_accumulators] = BENCHCTL_ALL(zero);
  const auto take = [&](size_t v, Vector of_x, Vector of_y) {
    running[v] = Simd::fma(of_x, of_y, running[v]);
  };
  const auto step = [&](size_t v, size_t i) { take(v, Simd::load(x + i), Simd::load(y + i)); };
  const auto rest = [&](size_t i, size_t left) {
    take(7, Simd::load_first(left, x + i, zero), Simd::load_first(left, y + i, zero));
  };
  walk_as<Simd, fetch, pieces_of_two>(count, step, rest, x, y);
  return static_cast<double>(join<Simd, Sum>(running));
}

template <class Simd>
double wide_dot(const typename Simd::Scalar* x, const typename Simd::Scalar* y, size_t count,
                double /*scale*/) noexcept {
  const size_t bytes = 2 * count * sizeof(typename Simd::Scalar);
  if (bytes <= by_lines_above<Simd> || bytes > by_lines_up_to) {
    return dot_of_vectors<Simd>(x, y, count);
  }
  size_t done = 0;
  const double steps = bytes <= by_halves_above ? dot_by_lines<Simd>(x, y, count, done)
                                                : dot_by_lines<typename Simd::Lines>(x, y, count, done);
  return done == count ? steps : steps + dot_of_vectors<Simd>(x + done, y + done, count - done);
}

/// Dot product of vectors beyond the second-level cache.
template <class Simd, ReduceFetch fetch>
double dot_of_large(const typename Simd::Scalar* x, const typename Simd::Scalar* y, size_t count,
                    double /*scale*/) noexcept {
  return dot_of_vectors<Simd, fetch>(x, y, count);
}

/// Simd is that of float64; T float or double.
template <class Simd, ReduceFetch fetch, class T>
double wide_squares(const T* x, const T* /*y*/, size_t count, double scale) noexcept {
  using Vector = typename Simd::Vector;
  const Vector zero = Simd::zero();
  const Vector scales = Simd::all(scale);
  Vector running[reduce_accumulators] = BENCHCTL_ALL(zero);
  const auto take = [&](size_t v, Vector of_x) {
    const Vector scaled = Simd::multiply(of_x, scales);
    running[v] = Simd::fma(scaled, scaled, running[v]);
  };
  walk_as<Simd, fetch, pieces_of_one>(
      count, [&](size_t v, size_t i) { take(v, Simd::load(x + i)); },
      [&](size_t i, size_t left) { take(7, Simd::load_first(left, x + i, zero)); }, x);
  return join<Simd, Sum>(running);
}

template <class Simd, class Op, ReduceFetch fetch>
double wide_extreme(const typename Simd::Scalar* x, const typename Simd::Scalar* /*y*/, size_t count,
                    double /*scale*/) noexcept {
  using Vector = typename Simd::Vector;
  const Vector none = Simd::all(Op::template identity<typename Simd::Scalar>());
  Vector running[reduce_accumulators] = BENCHCTL_ALL(none);
  typename Simd::Mask marked = Simd::no_mask();
  Vector even = none;  // compared together with the odd one that follows, or at the end
  const auto take = [&](size_t v, Vector of_x) {
    // Loaded once: compilers make two memory operands of it, and a line that is on its way from the last
    // cache is asked for twice.
    asm("" : "+v"(of_x));
    running[v] = Op::template vector<Simd>(running[v], of_x);
    if (v % 2 == 0) {
      even = of_x;
    } else {
      marked = Simd::mark(marked, even, of_x);
    }
  };
  walk_as<Simd, fetch, pieces_of_one>(
      count, [&](size_t v, size_t i) { take(v, Simd::load(x + i)); },
      [&](size_t i, size_t left) { take(7, Simd::load_first(left, x + i, none)); }, x);
  marked = Simd::mark(marked, even, even);
  if (Simd::any(marked)) return __builtin_nan("");
  return static_cast<double>(join<Simd, Op>(running));
}

#undef BENCHCTL_ALL

template <class Simd, class Wide, ReduceFetch fetch>
ReduceKernel<typename Simd::Scalar> wide_reduce_as(ReduceOp op) {
  switch (op) {
    case ReduceOp::sum:
      return &wide_sum<Simd, fetch>;
    case ReduceOp::minimum:
      return &wide_extreme<Simd, Minimum, fetch>;
    case ReduceOp::maximum:
      return &wide_extreme<Simd, Maximum, fetch>;
    case ReduceOp::squares:
      return &wide_squares<Wide, fetch, typename Simd::Scalar>;
    case ReduceOp::dot:
      if constexpr (fetch == ReduceFetch::in_order) return &wide_dot<Simd>;
      return &dot_of_large<Simd, fetch>;
  }
  return nullptr;
}

template <class Simd, class Wide>
ReduceKernel<typename Simd::Scalar> wide_reduce(ReduceOp op, ReduceFetch fetch) {
  switch (fetch) {
    case ReduceFetch::in_order:
      return wide_reduce_as<Simd, Wide, ReduceFetch::in_order>(op);
    case ReduceFetch::ahead:
      return wide_reduce_as<Simd, Wide, ReduceFetch::ahead>(op);
    case ReduceFetch::side_by_side:
      return wide_reduce_as<Simd, Wide, ReduceFetch::side_by_side>(op);
  }
  return nullptr;
}

}  // namespace
}  // namespace benchctl::cpu_avx
