// Vector addition, WIDTH neighbouring elements per thread in one access: c = a + b.
//
// What it shows   More bytes per instruction keep more of the memory system busy, as SIMD does on a CPU.
// Access pattern  Thread i touches elements WIDTH·i … WIDTH·i + WIDTH - 1; a warp moves runs of 32·WIDTH elements. The
//                 last thread that has anything to do adds what is left one by one.
// Expected limit  Memory bandwidth.
//
// REAL is the element type; WIDTH · sizeof(REAL) is at most 16 bytes, what one load instruction can take.
struct alignas(WIDTH * sizeof(REAL)) Pack {
  REAL element[WIDTH];
};

extern "C" __global__ void vector_add_vectorized(const REAL* __restrict__ a, const REAL* __restrict__ b,
                                                 REAL* __restrict__ c, int n) {
  const size_t first = (size_t{blockIdx.x} * blockDim.x + threadIdx.x) * WIDTH;
  if (first + WIDTH <= n) {
    const Pack x = *reinterpret_cast<const Pack*>(a + first);
    const Pack y = *reinterpret_cast<const Pack*>(b + first);
    Pack z;
#pragma unroll
    for (int j = 0; j < WIDTH; ++j) z.element[j] = x.element[j] + y.element[j];
    *reinterpret_cast<Pack*>(c + first) = z;
  } else {  // all under way before the first is added
    REAL x[WIDTH];
    REAL y[WIDTH];
#pragma unroll
    for (int j = 0; j < WIDTH - 1; ++j) {
      if (first + j < n) {
        x[j] = a[first + j];
        y[j] = b[first + j];
      }
    }
#pragma unroll
    for (int j = 0; j < WIDTH - 1; ++j) {
      if (first + j < n) c[first + j] = x[j] + y[j];
    }
  }
}
