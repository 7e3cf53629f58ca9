// Counting blocks that have ended, where the last one goes on with what all have written.
#pragma once

/// The number before: what this thread wrote and saw written is visible to every thread of the device that draws a later one.
/// Together with a barrier before and after it, that holds for whole blocks. One instruction, since a fence of its own in
/// every thread costs more than what it orders; what others wrote is read past the L1 cache (__ldcg).
__device__ inline unsigned count_up(unsigned* counter) {
  unsigned before;
  asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], 1;" : "=r"(before) : "l"(counter) : "memory");
  return before;
}
