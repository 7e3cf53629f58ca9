// Transpose with 16-byte accesses everywhere, to shared memory too: out = inᵀ, in rows × columns, row-major.
//
// What it shows   A thread takes a square of WIDTH × WIDTH elements, WIDTH packs under way at once, and turns it in
//                 registers. So shared memory is written and read in packs as well, a quarter of the instructions of
//                 `vectorized` for float. No padding: packs of a row are exchanged (number XOR the row of squares),
//                 so that eight threads always meet all 32 banks.
// Access pattern  A block moves a tile of TILE × TILE elements, runs of TILE elements on both sides. Blocks go through
//                 the matrix in bands of BAND tiles' height, down the rows first: those that run together read and
//                 write pieces of BAND tiles that lie side by side.
//                 Where packs do not begin together on both sides (PACKED 0), rows of out begin anywhere in a sector of
//                 32 bytes. What a block writes of each of them, DOWN elements, begins and ends where a sector does, so
//                 that no sector is written in two parts, which memory would have to put together. A row of out that
//                 begins e elements into a sector therefore has its tiles e elements earlier, and a block reads up to
//                 a sector less one element of rows before its own, which another block has just read. Elements are
//                 read one by one, along rows, and collected into packs down the columns of the tile.
// Expected limit  Memory bandwidth.
//
// REAL is the element type, WIDTH · sizeof(REAL) 16 bytes. TILE is a multiple of 8 · WIDTH, THREADS of TILE. PACKED
// says that rows and columns are multiples of WIDTH, so that each row starts at a pack; DOWN is TILE then, and otherwise
// a multiple of a sector. The grid has one block per tile; where rows are no multiple of a sector, of a matrix with a
// sector less one element more rows.
struct alignas(16) Pack {
  REAL element[WIDTH];
};
#if PACKED
constexpr int packs = TILE / WIDTH;  // of a row of the tile

/// Where pack number `pack` of row `row` of the turned tile lies.
__device__ inline int place(int row, int pack) { return row * packs + (pack ^ (row / WIDTH % 8)); }
#else
constexpr int sector = 32 / sizeof(REAL);  // elements
constexpr int lines = DOWN + sector - 1;   // rows of in that a tile may need
constexpr int packs = DOWN / WIDTH;        // of a row of out
constexpr int batch = 8;                   // loads that a thread has under way

/// Where an element of the tile lies: the lines that a warp reads at once, WIDTH apart, begin in different banks.
__device__ inline int place(int line, int column) { return line * (TILE + 1) + line / (8 * WIDTH) + column; }
#endif

extern "C" __global__ void __launch_bounds__(THREADS)
    transpose_swizzled(const REAL* __restrict__ in, REAL* __restrict__ out, int rows, int columns) {
  const unsigned tiles_across = (unsigned(columns) + TILE - 1) / TILE;
  const unsigned band_first = blockIdx.x / (BAND * tiles_across) * BAND;
  const unsigned band_height = min(gridDim.x / tiles_across - band_first, unsigned(BAND));
  const unsigned in_band = blockIdx.x % (BAND * tiles_across);
  const long long first_row = static_cast<long long>(band_first + in_band % band_height) * DOWN;
  const long long first_column = static_cast<long long>(in_band / band_height) * TILE;

#if PACKED
  __shared__ Pack tile[TILE * packs];
  const int rows_left = int(rows - first_row);
  const int columns_left = int(columns - first_column);
  const REAL* from = in + first_row * columns + first_column;
  REAL* to = out + first_column * rows + first_row;
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
  __shared__ REAL tile[lines * (TILE + 1) + lines / (8 * WIDTH)];
  // Line sector - 1 of the tile is row first_row of in; lines from begin to end are rows that there are.
  const int reach = rows % sector == 0 ? 0 : sector - 1;
  const int begin = sector - 1 - int(min(first_row, (long long)reach));
  const int end = int(min(rows - first_row + sector - 1, (long long)lines));
  const unsigned width = min(columns - first_column, (long long)TILE);
  const unsigned elements = unsigned(end - begin) * width;
  const unsigned inverse = 0x80000000u / width + 1;  // the upper half of 2 · number · inverse is number / width
  const REAL* from = in + (first_row - (sector - 1) + begin) * columns + first_column;
  constexpr int turns = (lines * TILE + THREADS - 1) / THREADS;
#pragma unroll
  for (int first = 0; first < turns; first += batch) {
    REAL element[batch];
#pragma unroll
    for (int turn = first; turn < first + batch && turn < turns; ++turn) {
      const unsigned number = turn * THREADS + threadIdx.x;
      const unsigned line = __umulhi(2 * number, inverse);
      if (number < elements) element[turn - first] = from[size_t{line} * columns + (number - line * width)];
    }
#pragma unroll
    for (int turn = first; turn < first + batch && turn < turns; ++turn) {
      const unsigned number = turn * THREADS + threadIdx.x;
      const unsigned line = __umulhi(2 * number, inverse);
      if (number < elements) tile[place(begin + line, number - line * width)] = element[turn - first];
    }
  }
  __syncthreads();

#pragma unroll
  for (int turn = 0; turn < (TILE * packs + THREADS - 1) / THREADS; ++turn) {
    const unsigned number = turn * THREADS + threadIdx.x;
    const unsigned column = number / packs;
    if (column >= width) break;
    const long long start = (first_column + column) * rows;  // of the row of out
    const int early = int(start % sector);
    const int offset = int(number % packs) * WIDTH - early;
    const long long row = first_row + offset;
    Pack turned;
#pragma unroll
    for (int j = 0; j < WIDTH; ++j) turned.element[j] = tile[place(sector - 1 + offset + j, column)];
    REAL* to = out + start + row;
    if (row >= 0 && row + WIDTH <= rows) {
      *reinterpret_cast<Pack*>(to) = turned;
    } else {
#pragma unroll
      for (int j = 0; j < WIDTH; ++j) {
        if (row + j >= 0 && row + j < rows) to[j] = turned.element[j];
      }
    }
  }
#endif
}
