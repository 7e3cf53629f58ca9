// Scalar reductions: what it costs that every addition waits for the one before it.
//
// What it shows   With one accumulator an element takes the latency of an addition, four cycles or so,
// however
//                 fast the memory is; compilers may not reorder additions to help. Eight accumulators side
//                 by side have eight additions under way.
// Access pattern  Elements in order.
// Expected limit  `plain`: latency of one addition per element. `unrolled`: two loads per cycle in cache,
// memory
//                 bandwidth beyond with enough threads.
#include "kernels/reduce_kernels.hpp"

#define BENCHCTL_SCALAR [[gnu::optimize("no-tree-vectorize", "no-tree-slp-vectorize")]]

namespace benchctl::cpu_avx {

namespace {

struct Add {
  template <class T>
  static T combine(T a, T b) {
    return a + b;
  }
};

/// Comparisons with what is no number are false.
struct Minimum {
  template <class T>
  static T combine(T a, T b) {
    return a < b || a != a ? a : b;
  }
};

struct Maximum {
  template <class T>
  static T combine(T a, T b) {
    return a > b || a != a ? a : b;
  }
};

/// `term(i)` for all i below count, combined; accumulators start at `identity`.
template <class Op, size_t accumulators, class Real, class Term>
BENCHCTL_SCALAR double reduce(size_t count, Real identity, Term term) {
  Real running[accumulators];
  for (Real& one : running) one = identity;
  size_t i = 0;
  for (; i + accumulators <= count; i += accumulators) {
#pragma GCC unroll 8
    for (size_t a = 0; a < accumulators; ++a) running[a] = Op::combine(running[a], term(i + a));
  }
  for (; i < count; ++i) running[0] = Op::combine(running[0], term(i));
  for (size_t a = 1; a < accumulators; ++a) running[0] = Op::combine(running[0], running[a]);
  return static_cast<double>(running[0]);
}

template <size_t accumulators, class T>
double reduce(ReduceOp op, const ReducePart<T>& part) {
  const T* x = part.x;
  const T* y = part.y;
  const double scale = part.scale;
  const T infinity = static_cast<T>(__builtin_inf());
  const auto element = [x](size_t i) { return x[i]; };
  switch (op) {
    case ReduceOp::sum:
      return reduce<Add, accumulators>(part.count, T{0}, element);
    case ReduceOp::minimum:
      return reduce<Minimum, accumulators>(part.count, infinity, element);
    case ReduceOp::maximum:
      return reduce<Maximum, accumulators>(part.count, -infinity, element);
    case ReduceOp::squares:
      return reduce<Add, accumulators>(part.count, 0.0, [x, scale](size_t i) {
        const double scaled = static_cast<double>(x[i]) * scale;
        return scaled * scaled;
      });
    case ReduceOp::dot:
      return reduce<Add, accumulators>(part.count, T{0}, [x, y](size_t i) { return x[i] * y[i]; });
  }
  return 0;
}

}  // namespace

double reduce_plain(ReduceOp op, const ReducePart<float>& part) noexcept { return reduce<1>(op, part); }
double reduce_plain(ReduceOp op, const ReducePart<double>& part) noexcept { return reduce<1>(op, part); }
double reduce_unrolled(ReduceOp op, const ReducePart<float>& part) noexcept { return reduce<8>(op, part); }
double reduce_unrolled(ReduceOp op, const ReducePart<double>& part) noexcept { return reduce<8>(op, part); }

}  // namespace benchctl::cpu_avx
