// Adds a constant to 3-component vectors padded to 16 bytes, in the two accesses that a struct aligned to 8 bytes
// allows: x and y together, z alone.
//
// What it shows   What the alignment that a type promises is worth: the bytes lie as for the one 16-byte access.
// Access pattern  Thread i touches 8 bytes at 16·i and 4 bytes at 16·i + 8: of the 512 bytes of a warp the first
//                 access uses half, the second a quarter. The padding is left alone.
// Expected limit  Memory bandwidth, of which three quarters are of use.
extern "C" __global__ void vec3_map_pair(const float* __restrict__ in, float* __restrict__ out, float addend,
                                         int n) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 xy = *reinterpret_cast<const float2*>(in + 4 * i);
  const float z = in[4 * i + 2];
  xy.x += addend;
  xy.y += addend;
  *reinterpret_cast<float2*>(out + 4 * i) = xy;
  out[4 * i + 2] = z + addend;
}
