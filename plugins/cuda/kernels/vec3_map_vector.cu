// Adds a constant to 3-component vectors padded to 16 bytes, one vector per thread in one access.
//
// What it shows   Padding buys one 16-byte access per vector, and pays with a third more bytes.
// Access pattern  Thread i loads and stores bytes 16·i … 16·i + 15, the padding among them: a warp moves 512 bytes
//                 without a gap.
// Expected limit  Memory bandwidth, of which three quarters are of use.
extern "C" __global__ void vec3_map_vector(const float* __restrict__ in, float* __restrict__ out, float addend,
                                           int n) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v = reinterpret_cast<const float4*>(in)[i];
  v.x += addend;
  v.y += addend;
  v.z += addend;
  reinterpret_cast<float4*>(out)[i] = v;
}
