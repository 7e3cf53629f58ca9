// Adds a constant to 3-component vectors, 16 bytes per thread as they lie, whatever they belong to.
//
// What it shows   A map that treats all components alike need not know where a vector begins: the array is one long
//                 row of numbers, in every layout. What `quad` loses on 12-byte structs, by writing 16 bytes in every
//                 48, is not lost here.
// Access pattern  Thread i touches the elements of bytes 16·i … 16·i + 15, padding of the layout included; a warp moves
//                 runs of 512 bytes. The last thread that has anything to do takes what is left one by one.
// Expected limit  Memory bandwidth.
//
// REAL is the element type; AOS12, AOS16 or SOA the layout.
constexpr int width = 16 / int(sizeof(REAL));

struct alignas(16) Pack {
  REAL element[width];
};

extern "C" __global__ void vec3_map_flat(const REAL* __restrict__ in, REAL* __restrict__ out, REAL addend, int n,
                                         int plane) {
  const size_t count = AOS12 ? 3 * size_t(n) : AOS16 ? 4 * size_t(n) : 3 * size_t(plane);
  const size_t first = (size_t{blockIdx.x} * blockDim.x + threadIdx.x) * width;
  if (first + width <= count) {
    Pack pack = *reinterpret_cast<const Pack*>(in + first);
#pragma unroll
    for (int j = 0; j < width; ++j) pack.element[j] += addend;
    *reinterpret_cast<Pack*>(out + first) = pack;
  } else {  // all under way before the first is added
    REAL left[width];
#pragma unroll
    for (int j = 0; j < width - 1; ++j) {
      if (first + j < count) left[j] = in[first + j];
    }
#pragma unroll
    for (int j = 0; j < width - 1; ++j) {
      if (first + j < count) out[first + j] = left[j] + addend;
    }
  }
}
