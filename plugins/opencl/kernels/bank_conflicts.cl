// Blocks of 16 × 16 numbers doubled in local memory: out = 2·in.
//
// What it shows   What the order of two indices costs. A work-group loads its 256 numbers into local memory, doubles
//                 them there, and stores them; each work-item has a slot of its own, so that any order gives the same
//                 result.
// Access pattern  ORDER 0  column_major: slot x + 16·y for local and global memory. Neighbours use neighbouring words: no
//                          conflict, coalesced.
//                 ORDER 1  row_major_as_published: slot y + 16·x for both. The 16 work-items of a row use words 16
//                          apart: 32 of them meet in 4 of 32 banks, an 8-way conflict. And global accesses are 64 bytes
//                          apart.
//                 ORDER 2  row_major_shared_only: slot y + 16·x for local memory alone; global memory is coalesced.
// Expected limit  Launching, for a few hundred groups. Memory bandwidth for many, with ORDER 1 and 2 the four accesses
//                 to local memory. A CPU has no banks: orders differ there by how well neighbours' accesses make vectors.
//
// The barriers keep the three steps apart: without them a compiler may keep the number in a register.
__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void bank_conflicts(__global const float* restrict in, __global float* restrict out) {
  __local float block[256];
  const size_t x = get_local_id(0);
  const size_t y = get_local_id(1);
  const size_t along_x = x + 16 * y;
  const size_t along_y = y + 16 * x;
  const size_t slot = ORDER == 0 ? along_x : along_y;
  const size_t element = get_group_id(0) * 256 + (ORDER == 1 ? along_y : along_x);

  block[slot] = in[element];
  barrier(CLK_LOCAL_MEM_FENCE);
  block[slot] = 2.0f * block[slot];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[element] = block[slot];
}
