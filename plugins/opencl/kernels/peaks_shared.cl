// Reads local memory: every work-item adds up `rounds` pieces of 16 bytes of a tile of 1024 pieces.
//
// What it shows   The bandwidth of local memory, to be compared with that of the caches and of memory.
// Access pattern  Neighbouring work-items read neighbouring pieces, whichever the round: no bank conflicts. From
//                 round to round a work-item moves on by 33 pieces.
// Expected limit  The banks of local memory.
//
// BLOCK is the number of work-items of a group. Its tile of 16 KiB is loaded once and read `rounds` times.
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void peaks_shared(__global const uint4* restrict in,
                                                                              __global uint* restrict out,
                                                                              const int n, const int rounds) {
  __local uint4 tile[1024];
  for (uint p = get_local_id(0); p < 1024; p += BLOCK) tile[p] = in[p];
  barrier(CLK_LOCAL_MEM_FENCE);

  const size_t i = get_global_id(0);
  if (i >= n) return;
  uint place = i % 1024;
  uint sum = 0;
#pragma unroll 8
  for (int round = 0; round < rounds; ++round) {
    const uint4 piece = tile[place];
    sum += piece.x + piece.y + piece.z + piece.w;
    place = (place + 33) % 1024;
  }
  out[i] = sum;
}
