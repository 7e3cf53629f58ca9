// Transpose with 16-byte accesses everywhere, to shared memory too: out = inᵀ, in rows × columns, row-major.
//
// What it shows   A thread takes a square of WIDTH × WIDTH elements, WIDTH packs under way at once, and turns it in
//                 registers. So shared memory is written and read in packs as well, a quarter of the instructions of
//                 `vectorized` for float. No padding: packs of a row are exchanged (number XOR the row of squares),
//                 so that eight threads always meet all 32 banks.
// Access pattern  A block moves a tile of TILE × TILE elements, runs of TILE elements on both sides. Blocks go through
//                 the matrix in bands of BAND tiles' height, down the rows first: those that run together read and
//                 write pieces of BAND tiles that lie side by side.
// Expected limit  Memory bandwidth.
//
// REAL is the element type, WIDTH · sizeof(REAL) 16 bytes. TILE is a multiple of 8 · WIDTH, THREADS of TILE. PACKED
// says that rows and columns are multiples of WIDTH, so that each row starts at a pack; where it is 0, elements go one
// by one through a tile with a column of padding.
#if PACKED
struct alignas(16) Pack {
  REAL element[WIDTH];
};
constexpr int packs = TILE / WIDTH;  // of a row of the tile

/// Where pack number `pack` of row `row` of the turned tile lies.
__device__ inline int place(int row, int pack) { return row * packs + (pack ^ (row / WIDTH % 8)); }
#endif

extern "C" __global__ void __launch_bounds__(THREADS)
    transpose_swizzled(const REAL* __restrict__ in, REAL* __restrict__ out, int rows, int columns) {
  const unsigned tiles_down = (unsigned(rows) + TILE - 1) / TILE;
  const unsigned tiles_across = (unsigned(columns) + TILE - 1) / TILE;
  const unsigned band_first = blockIdx.x / (BAND * tiles_across) * BAND;
  const unsigned band_height = min(tiles_down - band_first, unsigned(BAND));
  const unsigned in_band = blockIdx.x % (BAND * tiles_across);
  const size_t first_row = size_t{band_first + in_band % band_height} * TILE;
  const size_t first_column = size_t{in_band / band_height} * TILE;
  const int rows_left = int(rows - first_row);
  const int columns_left = int(columns - first_column);
  const REAL* from = in + first_row * columns + first_column;
  REAL* to = out + first_column * rows + first_row;

#if PACKED
  __shared__ Pack tile[TILE * packs];
#pragma unroll
  for (int turn = 0; turn < (packs * packs + THREADS - 1) / THREADS; ++turn) {
    const int square = turn * THREADS + threadIdx.x;
    if (packs * packs % THREADS != 0 && square >= packs * packs) break;
    const int x = square % packs;
    const int y = square / packs;
    Pack lines[WIDTH];
    const bool inside = x * WIDTH < columns_left;
#pragma unroll
    for (int i = 0; i < WIDTH; ++i) {
      const int row = y * WIDTH + i;
      if (inside && row < rows_left) {
        lines[i] = *reinterpret_cast<const Pack*>(from + size_t(row) * columns + x * WIDTH);
      }
    }
#pragma unroll
    for (int j = 0; j < WIDTH; ++j) {
      Pack turned;
#pragma unroll
      for (int i = 0; i < WIDTH; ++i) turned.element[i] = lines[i].element[j];
      tile[place(x * WIDTH + j, y)] = turned;
    }
  }
  __syncthreads();

#pragma unroll
  for (int turn = 0; turn < (TILE * packs + THREADS - 1) / THREADS; ++turn) {
    const int number = turn * THREADS + threadIdx.x;
    if (TILE * packs % THREADS != 0 && number >= TILE * packs) break;
    const int row = number / packs;
    const int pack = number % packs;
    if (row < columns_left && pack * WIDTH < rows_left) {
      *reinterpret_cast<Pack*>(to + size_t(row) * rows + pack * WIDTH) = tile[place(row, pack)];
    }
  }
#else
  __shared__ REAL tile[TILE][TILE + 1];
  constexpr int step = THREADS / TILE;  // rows that the block moves at a time
  const int x = threadIdx.x % TILE;
  const int first = threadIdx.x / TILE;
  REAL line[TILE / step];
#pragma unroll
  for (int i = 0; i < TILE / step; ++i) {
    const int y = first + i * step;
    if (y < rows_left && x < columns_left) line[i] = from[size_t(y) * columns + x];
  }
#pragma unroll
  for (int i = 0; i < TILE / step; ++i) tile[first + i * step][x] = line[i];
  __syncthreads();

#pragma unroll
  for (int i = 0; i < TILE / step; ++i) {
    const int y = first + i * step;
    if (y < columns_left && x < rows_left) to[size_t(y) * rows + x] = tile[x][y];
  }
#endif
}
