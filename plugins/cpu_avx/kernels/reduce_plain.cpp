// Scalar reductions: what it costs that every addition waits for the one before it.
//
// What it shows   With one accumulator an element takes the latency of an addition, four cycles or so,
//                 however fast the memory is; compilers may not reorder additions to help. Eight
//                 accumulators side by side have eight additions under way.
// Access pattern  Elements in order.
// Expected limit  `plain`: latency of one addition per element. `unrolled`: two loads per cycle in cache,
//                 memory bandwidth beyond with enough threads.
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

/// Comparisons with NaN are false.
struct Minimum {
  template <class T>
  static T identity() {
    return static_cast<T>(__builtin_inf());
  }
  template <class T>
  static T combine(T a, T b) {
    return a < b || a != a ? a : b;
  }
};

struct Maximum {
  template <class T>
  static T identity() {
    return -static_cast<T>(__builtin_inf());
  }
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
double sum(const T* x, const T* /*y*/, size_t count, double /*scale*/) noexcept {
  return reduce<Add, accumulators>(count, T{0}, [x](size_t i) { return x[i]; });
}

template <class Op, size_t accumulators, class T>
double extreme(const T* x, const T* /*y*/, size_t count, double /*scale*/) noexcept {
  return reduce<Op, accumulators>(count, Op::template identity<T>(), [x](size_t i) { return x[i]; });
}

template <size_t accumulators, class T>
double squares(const T* x, const T* /*y*/, size_t count, double scale) noexcept {
  return reduce<Add, accumulators>(count, 0.0, [x, scale](size_t i) {
    const double scaled = static_cast<double>(x[i]) * scale;
    return scaled * scaled;
  });
}

template <size_t accumulators, class T>
double dot(const T* x, const T* y, size_t count, double /*scale*/) noexcept {
  return reduce<Add, accumulators>(count, T{0}, [x, y](size_t i) { return x[i] * y[i]; });
}

template <size_t accumulators, class T>
ReduceKernel<T> reduce(ReduceOp op) {
  switch (op) {
    case ReduceOp::sum:
      return &sum<accumulators, T>;
    case ReduceOp::minimum:
      return &extreme<Minimum, accumulators, T>;
    case ReduceOp::maximum:
      return &extreme<Maximum, accumulators, T>;
    case ReduceOp::squares:
      return &squares<accumulators, T>;
    case ReduceOp::dot:
      return &dot<accumulators, T>;
  }
  return nullptr;
}

}  // namespace

void reduce_plain(ReduceOp op, ReduceFetch /*fetch*/, ReduceKernel<float>& kernel) noexcept {
  kernel = reduce<1, float>(op);
}
void reduce_plain(ReduceOp op, ReduceFetch /*fetch*/, ReduceKernel<double>& kernel) noexcept {
  kernel = reduce<1, double>(op);
}
void reduce_unrolled(ReduceOp op, ReduceFetch /*fetch*/, ReduceKernel<float>& kernel) noexcept {
  kernel = reduce<8, float>(op);
}
void reduce_unrolled(ReduceOp op, ReduceFetch /*fetch*/, ReduceKernel<double>& kernel) noexcept {
  kernel = reduce<8, double>(op);
}

}  // namespace benchctl::cpu_avx
