// Squared length of 3-component vectors padded to 16 bytes, read in the two accesses that a struct aligned to 8 bytes
// allows: x and y together, z alone.
//
// What it shows   What the alignment that a type promises is worth: the bytes lie as for the one 16-byte access.
// Access pattern  Work-item i reads 8 bytes at 16·i and 4 bytes at 16·i + 8, and writes element i.
// Expected limit  Memory bandwidth, of which four fifths are of use.
__kernel void vec3_norm2_pair(__global const float* restrict in, __global float* restrict out, const int n) {
  const size_t i = get_global_id(0);
  if (i >= n) return;
  const float2 xy = ((__global const float2*)in)[2 * i];
  const float z = in[4 * i + 2];
  out[i] = xy.x * xy.x + xy.y * xy.y + z * z;
}
