// Pushes everything else out of the caches by reading a buffer that is larger than the last of them.
//
// Why reading     Lines that were only read are dropped for free when the timed kernel needs their place.
//                 Writing would leave dirty lines, and the timed kernel would pay for writing them back.
// Access pattern  Neighbouring work-items read neighbouring 16-byte words; each walks on by the whole grid.
//
// The sums are stored where they cannot be left out by the compiler: one word per work-item.
__kernel void evict(__global const uint4* restrict words, ulong count, __global uint* restrict sums) {
  uint4 sum = (uint4)(0);
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0)) sum += words[i];
  sums[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;
}
