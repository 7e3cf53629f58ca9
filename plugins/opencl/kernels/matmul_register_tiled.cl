// Matrix multiplication at the rate of a GPU's arithmetic units: C (m×n) = A (m×k) · B (k×n), row-major.
//
// What it shows   A multiply-add needs two operands, and local memory cannot deliver them as fast as they are used. So a
//                 work-item makes THREAD_M × THREAD_N elements of C in registers: THREAD_M + THREAD_N numbers that it
//                 loads serve THREAD_M · THREAD_N multiply-adds. A work-group makes TILE_M × TILE_N elements; along k it
//                 walks in slabs of DEPTH, and while one is multiplied, the next is on its way.
//                 How a slab comes: with ASYNC by cp.async, an instruction of NVIDIA's GPUs that leaves registers out
//                 and so lets STAGES slabs be under way, copied in PORTIONS groups between the multiplications; else
//                 through registers, which is OpenCL everywhere: loaded before the multiplications of the slab before
//                 it, put into local memory after them.
// Access pattern  A's slab is stored with k outermost, so that a work-item's rows lie side by side; 32 neighbouring
//                 work-items read runs of 32 bytes from four or more rows of A, and four elements of padding put them
//                 into different banks. B's slab keeps its order and is read B_BYTES at a time. From local memory
//                 operands come 16 bytes at a time, and work-items are numbered in squares of 4 × 8, so that neighbours
//                 read what others read, too.
// Arithmetic      2·m·n·k operations; per step of k THREAD_M · THREAD_N multiply-adds and, for float,
//                 (THREAD_M + THREAD_N) / 4 loads. Per step and group TILE_M + TILE_N elements come from memory.
// Expected limit  The issue of instructions: the share of multiply-adds among them. Small products: too few groups.
//
// Nothing outside of the matrices is read: rows of A and columns of B beyond the edge are replaced by the last ones,
// whose products are not stored; the slab that is not full comes first, filled up with zeros. Groups go through C in
// bands of BAND tiles' height, so that those that run together share A and B in the second-level cache.
//
// With SPLITS > 1 as many groups work on a tile, each on a part of k. They leave their sums in `partial`, and the one that
// ends last adds them up in the order of the parts: the result does not change from run to run. `finished` counts them
// per tile; it is zero before and after. That a group sees what another wrote before it counted is more than OpenCL 1.2
// promises: the fence must hold for the device, as it does on GPUs.
//
// ALONG is the order of a work-item's multiplications, see multiply. REAL is float or double (USE_FP64). B_WIDTH elements of B, B_BYTES bytes, are copied at once: 16 bytes, or less where n
// is no multiple of that. All of these are single words, since names are made of them.
#define ROWS 0  // values of ALONG
#define COLUMNS 1
#define SQUARES_2 2
#define SQUARES_4 3

#if USE_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define REAL_BYTES 8
#define WIDTH 2  // elements in 16 bytes
#else
#define REAL_BYTES 4
#define WIDTH 4
#endif
#define JOIN_(x, y) x##y
#define JOIN(x, y) JOIN_(x, y)
#define PACK JOIN(REAL, WIDTH)

#define LANES_M 4  // work-items of a square along the rows of C
#define LANES_N 8
#define SQUARES_N (TILE_N / (LANES_N * THREAD_N))
#define THREADS (TILE_M * TILE_N / (THREAD_M * THREAD_N))
#define A_PITCH (TILE_M + 4)
#define STAGE_ELEMENTS (DEPTH * (A_PITCH + TILE_N))
#define PACKS_M (THREAD_M / WIDTH)
#define PACKS_N (THREAD_N / WIDTH)

// Who copies what of a slab.
#define RUN (32 / REAL_BYTES)     // elements of a row of A that are copied side by side
#define A_ROWS (THREADS / RUN)    // rows of A that the group copies at a time
#define A_COPIES (TILE_M / A_ROWS)
#define A_RUNS (DEPTH / RUN)
#define B_PIECES (TILE_N / B_WIDTH)  // of a row of B
#define B_MOST (B_WIDTH == WIDTH ? THREADS : 32)
#define B_SIDE (B_PIECES < B_MOST ? B_PIECES : B_MOST)  // work-items that copy side by side
#define B_PARTS (B_PIECES / B_SIDE)                     // of a row, if that takes several times
#define B_ROWS (THREADS / B_SIDE)                       // of B that the group copies at a time
#define B_COPIES ((DEPTH + B_ROWS - 1) / B_ROWS * B_PARTS)
#define B_ALL (DEPTH % B_ROWS == 0)                     // every work-item copies equally many
#define B_WHOLE (B_WIDTH == WIDTH)                      // few copies: each has a pointer, replaced beyond the edge

#if B_WIDTH > 1
#define PIECE JOIN(REAL, B_WIDTH)
#else
#define PIECE REAL
#endif

typedef struct {
  REAL a[THREAD_M];
  REAL b[THREAD_N];
} Operands;

typedef struct {
  REAL at[THREAD_M][THREAD_N];
} Sums;

// What a work-item copies of each slab.
typedef struct {
  __global const REAL* a[A_COPIES];  // of the first slab
  __global const REAL* b[B_WHOLE ? B_COPIES : 1];
  int left;  // columns of B from the first of this work-item's on
} Sources;

static uint a_step(void) { return get_local_id(0) % RUN; }
static uint a_row(void) { return get_local_id(0) / RUN; }
static uint b_step(int i) { return get_local_id(0) / B_SIDE + i / B_PARTS * B_ROWS; }
static uint b_column(int i) { return (get_local_id(0) % B_SIDE + i % B_PARTS * B_SIDE) * B_WIDTH; }
static bool b_mine(const Sources* from, int i) {
  return (B_ALL || b_step(i) < DEPTH) && (B_WHOLE || i % B_PARTS * (B_SIDE * B_WIDTH) < from->left);
}
// Where copy number i begins. Smaller pieces are many, but those of a row at constant distances.
static __global const REAL* b_source(const Sources* from, int i, int n) {
#if B_WHOLE
  return from->b[i];
#else
  return from->b[0] + (size_t)(uint)(i / B_PARTS * B_ROWS) * (uint)n + i % B_PARTS * (B_SIDE * B_WIDTH);
#endif
}

// Where in a stage it puts them, in elements.
static uint a_place(int i, int run) { return (a_step() + run * RUN) * A_PITCH + a_row() + i * A_ROWS; }
static uint b_place(int i) { return DEPTH * A_PITCH + b_step(i) * TILE_N + b_column(i); }

static void find_sources(Sources* from, __global const REAL* A, __global const REAL* B, int m, int n, int k,
                         int first_row, int first_column) {
#pragma unroll
  for (int i = 0; i < A_COPIES; ++i) {
    from->a[i] = A + (size_t)min(first_row + (int)a_row() + i * A_ROWS, m - 1) * k + a_step();
  }
#pragma unroll
  for (int i = 0; i < (B_WHOLE ? B_COPIES : 1); ++i) {
    const int column = first_column + (int)b_column(i);
    from->b[i] = B + (size_t)b_step(i) * n + (B_WHOLE ? min(column, n - B_WIDTH) : column);
  }
  from->left = n - first_column - (int)b_column(0);
}

#if ASYNC
#define PORTION_STEPS ((DEPTH - 1) / PORTIONS)
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#if B_BYTES == 16
#define B_CACHE "cg"  // past the first-level cache
#else
#define B_CACHE "ca"
#endif
#define COPY(cache, bytes, to, from) \
  asm volatile("cp.async." cache ".shared.global [%0], [%1], " TEXT(bytes) ";" : : "r"(to), "l"(from))
// The same, or zeros if they are not `there`.
#define COPY_IF(cache, bytes, to, from, there)                                               \
  asm volatile("cp.async." cache ".shared.global [%0], [%1], " TEXT(bytes) ", %2;" : : "r"(to), "l"(from), \
               "r"((there) ? bytes : 0))
#define COMMIT() asm volatile("cp.async.commit_group;" : : : "memory")
#define WAIT_FOR_ALL_BUT(groups) asm volatile("cp.async.wait_group " TEXT(groups) ";" : : : "memory")
#if STAGES == 2
#define WAIT_FOR_NEXT() WAIT_FOR_ALL_BUT(0)
#elif STAGES == 3
#define WAIT_FOR_NEXT() WAIT_FOR_ALL_BUT(1)
#elif STAGES == 4
#define WAIT_FOR_NEXT() WAIT_FOR_ALL_BUT(2)
#elif STAGES == 5
#define WAIT_FOR_NEXT() WAIT_FOR_ALL_BUT(3)
#elif STAGES == 6
#define WAIT_FOR_NEXT() WAIT_FOR_ALL_BUT(4)
#endif

// `stage` is the address of its first byte within the group's memory. Of the first slab `depth` steps exist.
static void copy_first(uint stage, const Sources* from, int n, int depth) {
#pragma unroll
  for (int i = 0; i < A_COPIES; ++i) {
#pragma unroll
    for (int run = 0; run < A_RUNS; ++run) {
      const bool there = (int)a_step() + run * RUN < depth;
      COPY_IF("ca", REAL_BYTES, stage + a_place(i, run) * REAL_BYTES,
              there ? from->a[i] + run * RUN : from->a[i] - a_step(), there);
    }
  }
#pragma unroll
  for (int i = 0; i < B_COPIES; ++i) {
    const bool there = (int)b_step(i) < depth;
    if (b_mine(from, i)) {
      __global const REAL* piece = b_source(from, i, n);
      COPY_IF(B_CACHE, B_BYTES, stage + b_place(i) * REAL_BYTES, there ? piece : piece - (size_t)b_step(i) * n, there);
    }
  }
}

// Portion number `portion` of the slab that begins `offset` steps after the first.
static void copy_portion(uint stage, const Sources* from, int n, int offset, int portion) {
#pragma unroll
  for (int i = portion * A_COPIES / PORTIONS; i < (portion + 1) * A_COPIES / PORTIONS; ++i) {
    __global const REAL* first = from->a[i] + (uint)offset;
#pragma unroll
    for (int run = 0; run < A_RUNS; ++run) {
      COPY("ca", REAL_BYTES, stage + a_place(i, run) * REAL_BYTES, first + run * RUN);
    }
  }
  const size_t down = (size_t)(uint)offset * (uint)n;
#pragma unroll
  for (int i = portion * B_COPIES / PORTIONS; i < (portion + 1) * B_COPIES / PORTIONS; ++i) {
    if (b_mine(from, i)) COPY(B_CACHE, B_BYTES, stage + b_place(i) * REAL_BYTES, b_source(from, i, n) + down);
  }
}

static void copy_slab(uint stage, const Sources* from, int n, int offset) {
#pragma unroll
  for (int portion = 0; portion < PORTIONS; ++portion) copy_portion(stage, from, n, offset, portion);
}

#else  // through registers
typedef struct {
  REAL a[A_COPIES][A_RUNS];
  REAL b[B_COPIES][B_WIDTH];
} Carried;

static void carry_piece(REAL* to, __global const REAL* from) {
#if B_WIDTH > 1
  const PIECE piece = *(__global const PIECE*)from;
  JOIN(vstore, B_WIDTH)(piece, 0, to);
#else
  *to = *from;
#endif
}

// Of the first slab `depth` steps exist, the others are zero.
static void load_first(Carried* carried, const Sources* from, int n, int depth) {
#pragma unroll
  for (int i = 0; i < A_COPIES; ++i) {
#pragma unroll
    for (int run = 0; run < A_RUNS; ++run) {
      carried->a[i][run] = (int)a_step() + run * RUN < depth ? from->a[i][run * RUN] : 0;
    }
  }
#pragma unroll
  for (int i = 0; i < B_COPIES; ++i) {
#pragma unroll
    for (int j = 0; j < B_WIDTH; ++j) carried->b[i][j] = 0;
    if (b_mine(from, i) && (int)b_step(i) < depth) carry_piece(carried->b[i], b_source(from, i, n));
  }
}

// The slab that begins `offset` steps after the first, whole.
static void load_slab(Carried* carried, const Sources* from, int n, int offset) {
#pragma unroll
  for (int i = 0; i < A_COPIES; ++i) {
    __global const REAL* first = from->a[i] + (uint)offset;
#pragma unroll
    for (int run = 0; run < A_RUNS; ++run) carried->a[i][run] = first[run * RUN];
  }
  const size_t down = (size_t)(uint)offset * (uint)n;
#pragma unroll
  for (int i = 0; i < B_COPIES; ++i) {
    if (b_mine(from, i)) carry_piece(carried->b[i], b_source(from, i, n) + down);
  }
}

static void put_down(__local REAL* stage, const Carried* carried, const Sources* from) {
#pragma unroll
  for (int i = 0; i < A_COPIES; ++i) {
#pragma unroll
    for (int run = 0; run < A_RUNS; ++run) stage[a_place(i, run)] = carried->a[i][run];
  }
#pragma unroll
  for (int i = 0; i < B_COPIES; ++i) {
    if (b_mine(from, i)) {
#if B_WIDTH > 1
      *(__local PIECE*)(stage + b_place(i)) = JOIN(vload, B_WIDTH)(0, carried->b[i]);
#else
      stage[b_place(i)] = carried->b[i][0];
#endif
    }
  }
}
#endif

// The operands of one step of k: `a` and `b` begin with the work-item's first row and column.
static void load_operands(Operands* to, __local const REAL* a, __local const REAL* b) {
#pragma unroll
  for (int i = 0; i < PACKS_M; ++i) {
    const PACK pack = *(__local const PACK*)(a + i * LANES_M * WIDTH);
    JOIN(vstore, WIDTH)(pack, i, to->a);
  }
#pragma unroll
  for (int i = 0; i < PACKS_N; ++i) {
    const PACK pack = *(__local const PACK*)(b + i * LANES_N * WIDTH);
    JOIN(vstore, WIDTH)(pack, i, to->b);
  }
}

// In an order for which the compiler finds registers without conflicts, or few: nothing but trying tells for which.
static void multiply(Sums* sums, const Operands* operands) {
#if ALONG == ROWS || ALONG == COLUMNS
  // To and fro: each product has an operand in common with the one before it.
#define OUTER (ALONG == COLUMNS ? THREAD_N : THREAD_M)
#define INNER (ALONG == COLUMNS ? THREAD_M : THREAD_N)
#pragma unroll
  for (int i = 0; i < OUTER; ++i) {
#pragma unroll
    for (int j = 0; j < INNER; ++j) {
      const int at = i % 2 == 0 ? j : INNER - 1 - j;
      const int row = ALONG == COLUMNS ? at : i;
      const int column = ALONG == COLUMNS ? i : at;
      sums->at[row][column] = fma(operands->a[row], operands->b[column], sums->at[row][column]);
    }
  }
#else
  // Squares down one strip of columns after the other, each along its columns; the larger ones to and fro.
#define EDGE (ALONG == SQUARES_2 ? 2 : 4)
#pragma unroll
  for (int strip = 0; strip < THREAD_N / EDGE; ++strip) {
#pragma unroll
    for (int down = 0; down < THREAD_M / EDGE; ++down) {
      const bool back = EDGE == 4 && strip % 2 != 0;
      const int square = back ? THREAD_M / EDGE - 1 - down : down;
#pragma unroll
      for (int j = 0; j < EDGE; ++j) {
#pragma unroll
        for (int i = 0; i < EDGE; ++i) {
          const bool up = EDGE == 4 && (j + strip * (THREAD_M / EDGE) + down) % 2 != 0;
          const int row = square * EDGE + (up ? EDGE - 1 - i : i);
          const int column = strip * EDGE + j;
          sums->at[row][column] = fma(operands->a[row], operands->b[column], sums->at[row][column]);
        }
      }
    }
  }
#endif
}

#if SPLITS > 1
// Of part number `split` of this group's tile, where this work-item's packs begin; they are THREADS apart.
static volatile __global PACK* part_of_tile(volatile __global PACK* partial, size_t split) {
  const size_t packs = PACKS_N * THREAD_M;
  return partial + (get_group_id(0) * SPLITS + split) * packs * THREADS + get_local_id(0);
}

// Leaves this group's sums for the others.
static void leave_part(const Sums* sums, volatile __global PACK* partial) {
  volatile __global PACK* own = part_of_tile(partial, get_group_id(1));
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
    for (int p = 0; p < PACKS_N; ++p) own[(i * PACKS_N + p) * THREADS] = JOIN(vload, WIDTH)(p, sums->at[i]);
  }
}

static void join_parts(Sums* sums, volatile __global PACK* partial) {
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
    for (int j = 0; j < THREAD_N; ++j) sums->at[i][j] = 0;
  }
#pragma unroll 1
  for (size_t split = 0; split < SPLITS; ++split) {
    volatile __global PACK* part = part_of_tile(partial, split);
#pragma unroll
    for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
      for (int p = 0; p < PACKS_N; ++p) {
        const PACK pack = JOIN(vload, WIDTH)(p, sums->at[i]) + part[(i * PACKS_N + p) * THREADS];
        JOIN(vstore, WIDTH)(pack, p, sums->at[i]);
      }
    }
  }
}
#endif

__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1)))
void matmul_register_tiled(__global const REAL* restrict A, __global const REAL* restrict B,
                           __global REAL* restrict C, volatile __global PACK* partial,
                           volatile __global uint* finished, const int m, const int n, const int k) {
  __local REAL stages[STAGES * STAGE_ELEMENTS] __attribute__((aligned(16)));

  const uint tiles_m = ((uint)m + TILE_M - 1) / TILE_M;
  const uint tiles_n = ((uint)n + TILE_N - 1) / TILE_N;
  const uint tile = get_group_id(0);
  // Remainders by hand: next to a division by the same number compilers make of % what Oclgrind cannot simulate.
  const uint band = tile / (BAND * tiles_n);
  const uint band_first = band * BAND;
  const uint band_height = min(tiles_m - band_first, (uint)BAND);
  const uint in_band = tile - band * (BAND * tiles_n);
  const uint across = in_band / band_height;
  const int first_row = (int)((band_first + in_band - across * band_height) * TILE_M);
  const int first_column = (int)(across * TILE_N);

  // Work-items of which number 1 differs share rows of A, those of which number 2 does columns of B: what local memory
  // needs to serve 16 loads of 16 bytes at once.
  const int lane = get_local_id(0) % 32;
  const int square = get_local_id(0) / 32;
  const int lane_m = lane / 2 % 2 + lane / 16 * 2;
  const int lane_n = lane % 2 + lane / 4 % 4 * 2;
  const int row_in_tile = square / SQUARES_N * (LANES_M * THREAD_M) + lane_m * WIDTH;
  const int column_in_tile = square % SQUARES_N * (LANES_N * THREAD_N) + lane_n * WIDTH;

  // This group's part of k, in slabs: one at least.
  const uint all_slabs = ((uint)k + DEPTH - 1) / DEPTH;
  const uint begin = (uint)((size_t)all_slabs * get_group_id(1) / SPLITS);
  const uint end = (uint)((size_t)all_slabs * (get_group_id(1) + 1) / SPLITS);
  const int slabs = (int)(end - begin);
  const size_t k_begin = (size_t)begin * DEPTH;
  const int steps = (int)(min((size_t)end * DEPTH, (size_t)k) - k_begin);
  Sources from;
  find_sources(&from, A + k_begin, B + k_begin * n, m, n, k, first_row, first_column);
  Sums sums;
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
    for (int j = 0; j < THREAD_N; ++j) sums.at[i][j] = 0;
  }

  int offset = steps - (slabs - 1) * DEPTH;  // where the slab begins that is copied next
#if ASYNC
  const uint first_stage = (uint)(size_t)stages;
  copy_first(first_stage, &from, n, offset);
  COMMIT();
#pragma unroll
  for (int slab = 1; slab < STAGES - 1; ++slab) {
    if (slab < slabs) copy_slab(first_stage + slab * (STAGE_ELEMENTS * REAL_BYTES), &from, n, offset);
    offset += DEPTH;
    COMMIT();
  }
  WAIT_FOR_NEXT();
#else
  Carried carried;
  load_first(&carried, &from, n, offset);
  put_down(stages, &carried, &from);
#endif
  barrier(CLK_LOCAL_MEM_FENCE);

  int stage = 0;                 // of the slab that is multiplied
  int free_stage = STAGES - 1;   // where the next slab is copied
  Operands operands[2];
  load_operands(&operands[0], stages + row_in_tile, stages + DEPTH * A_PITCH + column_in_tile);
#pragma unroll 1
  for (int slab = 0; slab < slabs; ++slab) {
    __local const REAL* a = stages + stage * STAGE_ELEMENTS + row_in_tile;
    __local const REAL* b = stages + stage * STAGE_ELEMENTS + DEPTH * A_PITCH + column_in_tile;
#if !ASYNC
    if (slab + 1 < slabs) load_slab(&carried, &from, n, offset);
#endif
#pragma unroll
    for (int step = 0; step < DEPTH - 1; ++step) {
      load_operands(&operands[(step + 1) % 2], a + (step + 1) * A_PITCH, b + (step + 1) * TILE_N);
#if ASYNC
      if (step % PORTION_STEPS == 0 && step / PORTION_STEPS < PORTIONS) {
        if (slab + STAGES - 1 < slabs) {
          copy_portion(first_stage + free_stage * (STAGE_ELEMENTS * REAL_BYTES), &from, n, offset,
                       step / PORTION_STEPS);
        }
        if (step / PORTION_STEPS == PORTIONS - 1) COMMIT();
      }
#endif
      multiply(&sums, &operands[step % 2]);
    }
#if ASYNC
    WAIT_FOR_NEXT();
#else
    if (slab + 1 < slabs) put_down(stages + free_stage * STAGE_ELEMENTS, &carried, &from);
#endif
    // The next slab is complete for all, and nobody reads this one any more.
    barrier(CLK_LOCAL_MEM_FENCE);
    free_stage = stage;
    const int next = stage + 1 < STAGES ? stage + 1 : 0;
    stage = slab + 1 < slabs ? next : stage;  // after the last slab something is read again, and not used
    offset += DEPTH;
    load_operands(&operands[0], stages + stage * STAGE_ELEMENTS + row_in_tile,
                  stages + stage * STAGE_ELEMENTS + DEPTH * A_PITCH + column_in_tile);
    multiply(&sums, &operands[(DEPTH - 1) % 2]);
  }
#if SPLITS > 1
  __local bool is_last;
  leave_part(&sums, partial);
  mem_fence(CLK_GLOBAL_MEM_FENCE);  // the sums before the number
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) is_last = atomic_inc(finished + tile) == SPLITS - 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (is_last) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);  // the number before the others' sums
    if (get_local_id(0) == 0) finished[tile] = 0;
    join_parts(&sums, partial);
  }
  const int rows_to_store = is_last ? m : 0;
#else
  const int rows_to_store = m;
#endif

  const bool packed = n % WIDTH == 0;
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
    const int row = first_row + row_in_tile + i / WIDTH * (LANES_M * WIDTH) + i % WIDTH;
#pragma unroll
    for (int p = 0; p < PACKS_N; ++p) {
      const int column = first_column + column_in_tile + p * (LANES_N * WIDTH);
      __global REAL* to = C + (size_t)row * n + column;
      if (row < rows_to_store && packed && column + WIDTH <= n) {
        *(__global PACK*)to = JOIN(vload, WIDTH)(p, sums.at[i]);
      } else if (row < rows_to_store) {
#pragma unroll
        for (int j = 0; j < WIDTH; ++j) {
          if (column + j < n) to[j] = sums.at[i][p * WIDTH + j];
        }
      }
    }
  }
}
