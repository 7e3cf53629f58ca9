// One or both operands of a product, row-major, copied such that rows begin at multiples of 128 bytes, for kernels whose
// copies of 16 bytes and more want that: A (m×k) and B (k×n) of 16- or 32-bit elements.
//
// What it shows   How rows that begin anywhere are moved in whole 16 bytes: a thread reads the two aligned packs of 16 bytes
//                 that its own are in and shifts them, by words and then by half a word.
// Access pattern  16 bytes per thread, neighbours next to one another. Neighbours read every pack twice, from the
//                 first-level cache the second time.
// Arithmetic      None; a dozen shifts per 16 bytes.
// Expected limit  Memory bandwidth, each element read once and written once; small matrices the launch.
//
// SIZE is the bytes of an element. A_PARTS and HAS_B say which of the operands are copied; 2 for A as the sum of two tf32
// matrices (SIZE 4), the nearest tf32 number and what is missing, as split_tf32.cu makes them. Its rows then are A_UNIT
// elements or a multiple of that long, 1 for rows that are multiples of 16 bytes as they are. What follows the last element
// of a row, up to a multiple of 16 bytes, becomes zero; what follows that is not written.
#include "launch_order.cuh"
#include "mma_types.cuh"
#include "shifted_pack.cuh"

constexpr int size = SIZE;
constexpr unsigned width = 16 / size;  // elements of a pack
constexpr int threads = 256;

/// The last one may end within a pack.
__device__ inline uint4 pack_of(const uint4* in, size_t number, size_t bytes) {
  if ((number + 1) * 16 <= bytes) return __ldg(in + number);
  unsigned word[4] = {};
  const unsigned short* halves = reinterpret_cast<const unsigned short*>(in + number);
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (number * 16 + i * 2 < bytes) word[i / 2] |= unsigned(halves[i]) << i % 2 * 16;
  }
  return {word[0], word[1], word[2], word[3]};
}

/// `columns` elements end to end, rows of so many packs there and here.
struct Rows {
  const uint4* in;
  unsigned columns;
  unsigned packs;  // of a row, the last one perhaps in part
  unsigned pitch;  // packs from row to row of the copy
  size_t bytes;    // of all

  __device__ Rows(const uint4* from, int rows, int columns_, int unit)
      : in(from),
        columns(columns_),
        packs((columns + width - 1) / width),
        pitch(unit == 1 ? packs : (columns + unit - 1) / unit * unit / width),
        bytes(size_t(unsigned(rows)) * columns * size) {}

  __device__ uint4 pack(unsigned row, unsigned number) const {
    const size_t first = size_t{row} * columns * size + number * 16;
    const unsigned shift = unsigned(first % 16);
    const uint4 low = pack_of(in, first / 16, bytes);
    const bool goes_on = shift > 0 && (first / 16 + 1) * 16 < bytes;
    const uint4 high = goes_on ? pack_of(in, first / 16 + 1, bytes) : low;
    return cut_off<size>(shifted_pack<size>(low, high, shift), columns - number * width);
  }
};

extern "C" __global__ void __launch_bounds__(threads)
    repack_rows(const uint4* __restrict__ A, const uint4* __restrict__ B, uint4* __restrict__ a_out,
                uint4* __restrict__ a_low, uint4* __restrict__ b_out, int m, int n, int k) {
  let_next_launch_begin();
  const Rows a(A, m, k, A_UNIT);
  const Rows b(B, k, n, 128 / size);
  const unsigned of_a = A_PARTS > 0 ? unsigned(m) * a.packs : 0;
  const unsigned total = of_a + (HAS_B ? unsigned(k) * b.packs : 0);
  for (unsigned i = blockIdx.x * threads + threadIdx.x; i < total; i += gridDim.x * threads) {
    if (A_PARTS > 0 && i < of_a) {
      const unsigned row = i / a.packs;
      const unsigned number = i % a.packs;
      const size_t to = size_t{row} * a.pitch + number;
      const uint4 x = a.pack(row, number);
      if (A_PARTS == 2) {
        a_out[to] = {high_tf32(x.x), high_tf32(x.y), high_tf32(x.z), high_tf32(x.w)};
        a_low[to] = {low_tf32(x.x), low_tf32(x.y), low_tf32(x.z), low_tf32(x.w)};
      } else {
        a_out[to] = x;
      }
    } else if (HAS_B) {
      const unsigned row = (i - of_a) / b.packs;
      const unsigned number = (i - of_a) % b.packs;
      b_out[size_t{row} * b.pitch + number] = b.pack(row, number);
    }
  }
}
