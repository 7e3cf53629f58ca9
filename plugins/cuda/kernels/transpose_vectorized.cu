// Transpose through shared memory with 16-byte accesses on both global sides: out = inᵀ, in rows × columns, row-major.
//
// What it shows   The padded tile with more bytes under way: a quarter of the load and store instructions for float.
// Access pattern  A block moves a tile of TILE × TILE elements. A thread reads packs of WIDTH neighbouring elements of a
//                 row and puts them into shared memory one by one; it collects packs for out down the tile's columns.
//                 With the padding column the threads of a warp meet in pairs at most, which the time that memory
//                 takes leaves room for.
// Expected limit  Memory bandwidth.
//
// REAL is the element type; WIDTH · sizeof(REAL) is 16 bytes. TILE is a multiple of WIDTH and of BLOCK_ROWS, rows and
// columns are multiples of WIDTH, so that each row starts at a pack.
struct alignas(16) Pack {
  REAL element[WIDTH];
};

extern "C" __global__ void transpose_vectorized(const REAL* __restrict__ in, REAL* __restrict__ out, int rows,
                                                int columns) {
  __shared__ REAL tile[TILE][TILE + 1];
  const size_t first_column = size_t{blockIdx.x} * TILE;
  const size_t first_row = size_t{blockIdx.y} * TILE;
  const int x = threadIdx.x * WIDTH;

#pragma unroll
  for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS) {
    if (first_row + y < rows && first_column + x < columns) {
      const Pack pack = *reinterpret_cast<const Pack*>(in + (first_row + y) * columns + first_column + x);
#pragma unroll
      for (int j = 0; j < WIDTH; ++j) tile[y][x + j] = pack.element[j];
    }
  }
  __syncthreads();

#pragma unroll
  for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS) {
    if (first_column + y < columns && first_row + x < rows) {
      Pack pack;
#pragma unroll
      for (int j = 0; j < WIDTH; ++j) pack.element[j] = tile[x + j][y];
      *reinterpret_cast<Pack*>(out + (first_column + y) * rows + first_row + x) = pack;
    }
  }
}
