// Squared length of 3-component vectors padded to 16 bytes, read in the two accesses that a struct aligned to 8 bytes
// allows: x and y together, z alone.
//
// What it shows   What the alignment that a type promises is worth: the bytes lie as for the one 16-byte access.
// Access pattern  Thread i reads 8 bytes at 16·i and 4 bytes at 16·i + 8: of the 512 bytes of a warp the first access
//                 uses half, the second a quarter.
// Expected limit  Memory bandwidth, of which four fifths are of use.
extern "C" __global__ void vec3_norm2_pair(const float* __restrict__ in, float* __restrict__ out, int n) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float2 xy = *reinterpret_cast<const float2*>(in + 4 * i);
  const float z = in[4 * i + 2];
  out[i] = xy.x * xy.x + xy.y * xy.y + z * z;
}
