// Copy, one element per thread: out = in.
//
// What it shows   The simplest kernel that reads and writes each byte once.
// Access pattern  Thread i touches element i of in and out.
// Expected limit  Memory bandwidth; on a new GPU four bytes per thread do not keep all of it busy.
//
// REAL is the element type.
extern "C" __global__ void copy_plain(const REAL* __restrict__ in, REAL* __restrict__ out, int n) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
