// Adds a constant to 3-component vectors padded to 16 bytes, one vector per work-item in one access.
//
// What it shows   Padding buys one 16-byte access per vector, and pays with a third more bytes.
// Access pattern  Work-item i loads and stores bytes 16·i … 16·i + 15, the padding among them: no gaps.
// Expected limit  Memory bandwidth, of which three quarters are of use.
__kernel void vec3_map_vector(__global const float* restrict in, __global float* restrict out, const float addend,
                              const int n) {
  const size_t i = get_global_id(0);
  if (i >= n) return;
  float4 v = ((__global const float4*)in)[i];
  v += (float4)(addend, addend, addend, 0);
  ((__global float4*)out)[i] = v;
}
