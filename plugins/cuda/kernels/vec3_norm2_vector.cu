// Squared length of 3-component vectors padded to 16 bytes, one vector per thread, read in one access.
//
// What it shows   Padding buys one 16-byte access per vector, and pays with a third more bytes to read.
// Access pattern  Thread i reads bytes 16·i … 16·i + 15 and writes element i: no gaps in either.
// Expected limit  Memory bandwidth, of which four fifths are of use.
extern "C" __global__ void vec3_norm2_vector(const float* __restrict__ in, float* __restrict__ out, int n) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // Spelt out, since a compiler that sees the padding unused may take the access apart.
  float4 v;
  asm("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
      : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
      : "l"(__cvta_generic_to_global(in + 4 * i)));
  out[i] = v.x * v.x + v.y * v.y + v.z * v.z;
}
