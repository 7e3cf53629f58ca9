// Adds a constant to 3-component vectors through local memory, without the two barriers that this needs: wrong on
// purpose.
//
// What it shows   A work-item works on elements 3t to 3t + 2, which others load: without a barrier it reads what they
//                 have not loaded yet. The second barrier is missing before the others' results are stored.
//
// BLOCK is the number of work-items of a work-group.
__kernel void staging_without_barriers(__global const float* in, __global float* out, const float addend,
                                       const int n) {
  __local float staged[3 * BLOCK];
  const int t = get_local_id(0);
  const long first = (long)get_group_id(0) * 3 * BLOCK;
  const long left = 3L * n - first;
  const int count = left < 3 * BLOCK ? (int)left : 3 * BLOCK;
  for (int i = t; i < count; i += BLOCK) staged[i] = in[first + i];
  // missing: barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 3 * t; i < 3 * t + 3 && i < count; ++i) staged[i] += addend;
  // missing: barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = t; i < count; i += BLOCK) out[first + i] = staged[i];
}
