// A thread's part of a reduction in 16-byte loads, several of them in flight.
//
// UNROLL is the number of packs that a thread loads before it uses the first, GRID the number of blocks. NEAR says where
// these packs lie: a block's in one piece, which memory likes better, or each round all over x, which leaves no block
// without where there are few. Kernels that
// use it ask for one block per multiprocessor at least (`__launch_bounds__(BLOCK, 1)`): unasked, the compiler saves
// registers for more of them at the price of spills.
#pragma once

#include "reduce.cuh"

constexpr int pack_elements = 16 / sizeof(REAL);

struct alignas(16) Pack {
  REAL element[pack_elements];
};

/// A norm adds up three sums, and elements that need the other two are rare.
constexpr bool three_sums = sizeof(Op::Running) != sizeof(REAL);
/// One accumulator per load in flight, so that no addition waits for the one before it; of a norm one per element of a pack.
constexpr int accumulators = three_sums ? pack_elements : UNROLL;

/// Adds pack number `u` of those in flight.
template <class Operation = Op>
__device__ void add_pack(typename Operation::Running (&running)[accumulators], const Pack& a, const Pack& b, int u) {
  if constexpr (three_sums) {
    bool ordinary = true;
#pragma unroll
    for (int j = 0; j < pack_elements; ++j) ordinary = ordinary && Operation::is_ordinary(a.element[j]);
#pragma unroll
    for (int j = 0; j < pack_elements; ++j) {
      if (ordinary) {
        running[j].ordinary += a.element[j] * a.element[j];
      } else {
        running[j].add(a.element[j]);
      }
    }
  } else {
#pragma unroll
    for (int j = 0; j < pack_elements; ++j) {
      running[u % accumulators].add(Op::two_inputs ? a.element[j] * b.element[j] : a.element[j]);
    }
  }
}

/// Packs are dealt out as grid_stride's elements are, UNROLL rounds at a time, or NEAR in pieces of as many; what does not
/// fill a pack goes to the first threads.
inline __device__ Op::Running reduce_packs(const REAL* __restrict__ x, const REAL* __restrict__ y, size_t n) {
  const Pack* x_packs = reinterpret_cast<const Pack*>(x);
  const Pack* y_packs = reinterpret_cast<const Pack*>(y);
  const size_t packs = n / pack_elements;
  const size_t thread = size_t{blockIdx.x} * BLOCK + threadIdx.x;
  constexpr size_t threads = size_t{GRID} * BLOCK;
  Op::Running running[accumulators];

  constexpr size_t apart = NEAR ? BLOCK : threads;  // the packs of a round
  size_t i = NEAR ? size_t{blockIdx.x} * (BLOCK * UNROLL) + threadIdx.x : thread;
  // Not unrolled any further: UNROLL says how many loads are in flight, and registers are planned for that.
#pragma unroll 1
  for (; i + (UNROLL - 1) * apart < packs; i += UNROLL * threads) {
    Pack a[UNROLL];
    Pack b[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      a[u] = x_packs[i + u * apart];
      b[u] = Op::two_inputs ? y_packs[i + u * apart] : a[u];
    }
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) add_pack(running, a[u], b[u], u);
  }
  // The last round, not full: its loads are in flight together, too.
  if (i < packs) {
    Pack a[UNROLL];
    Pack b[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL - 1; ++u) {
      if (i + u * apart < packs) {
        a[u] = x_packs[i + u * apart];
        b[u] = Op::two_inputs ? y_packs[i + u * apart] : a[u];
      }
    }
#pragma unroll
    for (int u = 0; u < UNROLL - 1; ++u) {
      if (i + u * apart < packs) add_pack(running, a[u], b[u], u);
    }
  }
  const size_t rest = packs * pack_elements + thread;
  if (rest < n) running[0].add(element(x, y, rest));

#pragma unroll
  for (int r = 1; r < accumulators; ++r) running[0].join(running[r]);
  return running[0];
}
