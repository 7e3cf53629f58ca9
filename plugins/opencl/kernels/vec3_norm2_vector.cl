// Squared length of 3-component vectors padded to 16 bytes, one vector per work-item, read in one access.
//
// What it shows   Padding buys one 16-byte access per vector, and pays with a third more bytes to read.
// Access pattern  Work-item i reads bytes 16·i … 16·i + 15 and writes element i: no gaps in either.
// Expected limit  Memory bandwidth, of which four fifths are of use.
__kernel void vec3_norm2_vector(__global const float* restrict in, __global float* restrict out, const int n) {
  const size_t i = get_global_id(0);
  if (i >= n) return;
  const float4 v = ((__global const float4*)in)[i];
  out[i] = v.x * v.x + v.y * v.y + v.z * v.z;
}
