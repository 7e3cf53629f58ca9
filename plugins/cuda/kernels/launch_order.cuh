// Launches of one plan that overlap (programmatic dependent launch, compute capability 9.0 and later): the next one's
// blocks come to their multiprocessors while the one before still runs, and wait there before they read what that writes.
// AWAITS is 1 in a kernel that is launched so.
#pragma once

#ifndef AWAITS
#define AWAITS 0
#endif

/// Until the launch before has ended and all that it wrote can be seen.
__device__ inline void await_launch_before() {
#if AWAITS && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// The next launch may begin as soon as all blocks of this one have got here.
__device__ inline void let_next_launch_begin() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}
