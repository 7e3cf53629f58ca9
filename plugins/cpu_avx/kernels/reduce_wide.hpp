// Reductions, written once over a `Simd` type that names an instruction set's vectors. Included by one
// translation unit per instruction set, all in an unnamed namespace.
//
// What it shows   Eight vector accumulators: enough additions under way to hide their latency, so that
// loads decide. Access pattern  Elements in order, eight vectors at a time, then one. Expected limit  Two
// loads per cycle in cache; memory bandwidth beyond, with enough threads.
//
// The vectors' minimum and maximum give their second operand when one is no number. Whether one was is
// found out beside them, by one comparison for two vectors, and overrides the result.
//
// A Simd type has: Scalar, Vector, Mask; lanes; static zero(), all(scalar), load(p), add(a, b), multiply(a,
// b), fma(a, b, c), min(a, b), max(a, b), join_lanes<Op>(v), the lanes joined in a tree; no_mask(),
// mark(mask, a, b) (mask, or lanes where a or b is no number), any(mask). One of float64 also loads float32
// numbers.
#pragma once

#include "kernels/reduce_kernels.hpp"

namespace benchctl::cpu_avx {
namespace {

constexpr size_t reduce_accumulators = 8;

struct Sum {
  template <class T>
  static T scalar(T a, T b) {
    return a + b;
  }
  template <class Simd>
  static typename Simd::Vector vector(typename Simd::Vector a, typename Simd::Vector b) {
    return Simd::add(a, b);
  }
};

struct Minimum {
  template <class T>
  static T scalar(T a, T b) {
    return a < b || a != a ? a : b;
  }
  template <class Simd>
  static typename Simd::Vector vector(typename Simd::Vector a, typename Simd::Vector b) {
    return Simd::min(a, b);
  }
};

struct Maximum {
  template <class T>
  static T scalar(T a, T b) {
    return a > b || a != a ? a : b;
  }
  template <class Simd>
  static typename Simd::Vector vector(typename Simd::Vector a, typename Simd::Vector b) {
    return Simd::max(a, b);
  }
};

/// All lanes of all accumulators, in a tree.
template <class Simd, class Op>
typename Simd::Scalar join(typename Simd::Vector (&running)[reduce_accumulators]) {
  for (size_t half = reduce_accumulators / 2; half > 0; half /= 2) {
    for (size_t v = 0; v < half; ++v) running[v] = Op::template vector<Simd>(running[v], running[v + half]);
  }
  return Simd::template join_lanes<Op>(running[0]);
}

/// `v` joined with itself, its lanes moved as each of `moves` says.
template <class Simd, class Op, class... Moves>
typename Simd::Vector join_moved(typename Simd::Vector v, Moves... moves) {
  ((v = Op::template vector<Simd>(v, moves(v))), ...);
  return v;
}

template <class Simd>
typename Simd::Scalar wide_sum(const typename Simd::Scalar* x, size_t count) {
  constexpr size_t lanes = Simd::lanes;
  constexpr size_t step = reduce_accumulators * lanes;
  typename Simd::Vector running[reduce_accumulators];
  for (auto& one : running) one = Simd::zero();
  size_t i = 0;
  for (; i + step <= count; i += step) {
#pragma GCC unroll 8
    for (size_t v = 0; v < reduce_accumulators; ++v) {
      running[v] = Simd::add(running[v], Simd::load(x + i + v * lanes));
    }
  }
  for (; i + lanes <= count; i += lanes) running[0] = Simd::add(running[0], Simd::load(x + i));
  typename Simd::Scalar rest = 0;
  for (; i < count; ++i) rest += x[i];
  return join<Simd, Sum>(running) + rest;
}

template <class Simd>
typename Simd::Scalar wide_dot(const typename Simd::Scalar* x, const typename Simd::Scalar* y,
                               size_t count) {
  constexpr size_t lanes = Simd::lanes;
  constexpr size_t step = reduce_accumulators * lanes;
  typename Simd::Vector running[reduce_accumulators];
  for (auto& one : running) one = Simd::zero();
  size_t i = 0;
  for (; i + step <= count; i += step) {
#pragma GCC unroll 8
    for (size_t v = 0; v < reduce_accumulators; ++v) {
      running[v] = Simd::fma(Simd::load(x + i + v * lanes), Simd::load(y + i + v * lanes), running[v]);
    }
  }
  for (; i + lanes <= count; i += lanes) {
    running[0] = Simd::fma(Simd::load(x + i), Simd::load(y + i), running[0]);
  }
  typename Simd::Scalar rest = 0;
  for (; i < count; ++i) rest += x[i] * y[i];
  return join<Simd, Sum>(running) + rest;
}

/// Simd is that of float64; T float or double.
template <class Simd, class T>
double wide_squares(const T* x, size_t count, double scale) {
  constexpr size_t lanes = Simd::lanes;
  constexpr size_t step = reduce_accumulators * lanes;
  const typename Simd::Vector scales = Simd::all(scale);
  typename Simd::Vector running[reduce_accumulators];
  for (auto& one : running) one = Simd::zero();
  size_t i = 0;
  for (; i + step <= count; i += step) {
#pragma GCC unroll 8
    for (size_t v = 0; v < reduce_accumulators; ++v) {
      const typename Simd::Vector scaled = Simd::multiply(Simd::load(x + i + v * lanes), scales);
      running[v] = Simd::fma(scaled, scaled, running[v]);
    }
  }
  for (; i + lanes <= count; i += lanes) {
    const typename Simd::Vector scaled = Simd::multiply(Simd::load(x + i), scales);
    running[0] = Simd::fma(scaled, scaled, running[0]);
  }
  double rest = 0;
  for (; i < count; ++i) rest += (static_cast<double>(x[i]) * scale) * (static_cast<double>(x[i]) * scale);
  return join<Simd, Sum>(running) + rest;
}

template <class Simd, class Op>
typename Simd::Scalar wide_extreme(const typename Simd::Scalar* x, size_t count,
                                   typename Simd::Scalar identity) {
  constexpr size_t lanes = Simd::lanes;
  constexpr size_t step = reduce_accumulators * lanes;
  typename Simd::Vector running[reduce_accumulators];
  for (auto& one : running) one = Simd::all(identity);
  typename Simd::Mask marked = Simd::no_mask();
  size_t i = 0;
  for (; i + step <= count; i += step) {
#pragma GCC unroll 4
    for (size_t v = 0; v < reduce_accumulators; v += 2) {
      const typename Simd::Vector a = Simd::load(x + i + v * lanes);
      const typename Simd::Vector b = Simd::load(x + i + (v + 1) * lanes);
      running[v] = Op::template vector<Simd>(running[v], a);
      running[v + 1] = Op::template vector<Simd>(running[v + 1], b);
      marked = Simd::mark(marked, a, b);
    }
  }
  for (; i + lanes <= count; i += lanes) {
    const typename Simd::Vector a = Simd::load(x + i);
    running[0] = Op::template vector<Simd>(running[0], a);
    marked = Simd::mark(marked, a, a);
  }
  typename Simd::Scalar rest = identity;
  for (; i < count; ++i) rest = Op::scalar(rest, x[i]);
  if (Simd::any(marked)) return static_cast<typename Simd::Scalar>(__builtin_nan(""));
  return Op::scalar(join<Simd, Op>(running), rest);
}

template <class Simd, class Wide>
double wide_reduce(ReduceOp op, const ReducePart<typename Simd::Scalar>& part) {
  using T = typename Simd::Scalar;
  const T infinity = static_cast<T>(__builtin_inf());
  switch (op) {
    case ReduceOp::sum:
      return static_cast<double>(wide_sum<Simd>(part.x, part.count));
    case ReduceOp::minimum:
      return static_cast<double>(wide_extreme<Simd, Minimum>(part.x, part.count, infinity));
    case ReduceOp::maximum:
      return static_cast<double>(wide_extreme<Simd, Maximum>(part.x, part.count, -infinity));
    case ReduceOp::squares:
      return wide_squares<Wide>(part.x, part.count, part.scale);
    case ReduceOp::dot:
      return static_cast<double>(wide_dot<Simd>(part.x, part.y, part.count));
  }
  return 0;
}

}  // namespace
}  // namespace benchctl::cpu_avx
