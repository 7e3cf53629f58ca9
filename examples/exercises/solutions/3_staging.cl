// Exercise 3, solved: a barrier after loading, and one before storing.
__kernel void staging(__global const float* in, __global float* out, const float addend, const int n) {
  __local float staged[3 * 256];
  const int t = get_local_id(0);
  const long first = (long)get_group_id(0) * 3 * 256;
  const long left = 3L * n - first;
  const int count = left < 3 * 256 ? (int)left : 3 * 256;
  for (int i = t; i < count; i += 256) staged[i] = in[first + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 3 * t; i < 3 * t + 3 && i < count; ++i) staged[i] += addend;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = t; i < count; i += 256) out[first + i] = staged[i];
}
