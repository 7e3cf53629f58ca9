// A sum that is wrong: every thread does result += x[i], and nothing keeps them apart.
//
// What it shows   Why it fails. The addition is three steps: load, add, store. All threads of a warp load the same
//                 old value and store their own sum over it; one store survives. Other warps come in between. What
//                 remains is the sum of a few elements, another one each time.
// Access pattern  Thread i reads element i; all threads read and write one word.
// Expected limit  None worth having: it is wrong. The stores to one address queue up in the L2 cache.
//
// REAL is the element type.
extern "C" __global__ void reduce_racy_start(REAL* result) { *result = 0; }

extern "C" __global__ void reduce_racy(const REAL* __restrict__ x, REAL* result, int n) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) *result += x[i];
}
