// Slices: groups of a block's threads that share its tile of C, each with a part of k and a part of the shared memory. For
// kernels that define SLICES; a slice's number is threadIdx.y. So a multiprocessor that has one tile has as many warps
// at work as if it had several, and the parts' sums never leave it.
#pragma once

/// The same for all threads of a warp, which the compiler does not know of threadIdx.y.
__device__ inline int slice_of_warp() { return SLICES == 1 ? 0 : __shfl_sync(~0U, int(threadIdx.y), 0); }

/// A barrier of the slice's `threads` threads.
template <int threads>
__device__ inline void synchronize_slice(int slice) {
  if (SLICES == 1) {
    __syncthreads();
  } else {
    asm volatile("bar.sync %0, %1;" ::"r"(slice + 1), "n"(threads) : "memory");
  }
}

/// Leaves of the block's slabs of k those of this slice.
template <class Work>
__device__ inline void take_slice(Work& work, int slice) {
  const unsigned first = SPLITS == 1 ? 0 : work.begin;
  const unsigned slabs = work.end - first;
  work.begin = first + slabs * slice / SLICES;
  work.end = first + slabs * (slice + 1) / SLICES;
}

/// The slice that has number `part` of `parts` of a thread's sums once they are joined.
__device__ constexpr int slice_of_sum(int part, int parts) { return part * SLICES / parts; }
