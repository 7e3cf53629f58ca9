// Matrix multiplication on tensor cores, for every GPU from compute capability 8.0 on: C (m×n) = A (m×k) · B (k×n),
// row-major.
//
// What it shows   What it takes to keep `mma.sync` busy. A block computes TILE_M×TILE_N elements of C, a warp at most
//                 64×64 of them in registers. Along k it walks in slabs of DEPTH, of which STAGES lie in shared memory:
//                 while one is multiplied, cp.async brings the next ones past the registers, in parts between the
//                 steps of the multiplication. A step's fragments are loaded while the step before is multiplied,
//                 those of a slab's first one, and the barrier before it, amid the last step of the slab before.
// Access pattern  Slabs are copied 16 bytes per thread (less where rows begin at odd places), neighbouring threads
//                 next to one another, from addresses that one instruction per copy moves on. In shared memory the
//                 pieces of 16 bytes of a row change places by the row's number (XOR), so that nothing conflicts and
//                 nothing is padded. `ldmatrix` reads A's fragments, and bf16's of B. It cannot turn pieces of tf32
//                 numbers; of those of B a lane takes four neighbours of a row, which belong to four instructions, and
//                 so eight neighbours of C are its own in the end. C leaves through shared memory, in whole rows of a
//                 warp's tile. (Straight from the registers, half a sector at a time, it took four times as long.)
// Arithmetic      2·m·n·k operations. Per 32 of k and warp of 64×64: 16 KB out of shared memory (tf32; bf16 half) for
//                 262144 operations, 128 cycles of it for 192 of the tensor cores (bf16 half of both) on Hopper. Per
//                 block of 128×128: 32 KB (16 KB) from the second-level cache for 1048576 operations, 32 (64) per byte.
// Expected limit  The tensor cores; on Hopper mma.sync reaches some 70 % of them (peaks/mma_tf32, mma_bf16), and the
//                 power limit comes before that. Small products: too few blocks for all multiprocessors.
//
// TF32 is 1 for float matrices, rounded to tf32 on the way into the tensor cores, and 0 for bf16 ones. TERMS is 3 for
// floats as sums of two tf32 numbers, whose products are three of tf32 ones; 1 otherwise. Tensor cores cut sums off
// instead of rounding them, so that three products' sum stays in them for 32 steps of k and is then added up in
// ordinary arithmetic (matmul_wgmma_3xtf32.cu says more). Sums are kept in float; C is rounded to the type of the
// matrices. A_BYTES and B_BYTES say how many bytes can be copied at once: 16 where rows are multiples of that, down to
// one element. The last slab, which may not be full, comes first, filled up with zeros; what lies beyond A's rows and B's
// columns is not copied, and what becomes of it is not stored. Blocks go through C in bands of 8 tiles' height, so that
// those that run together share rows of A and columns of B in the second-level cache.
#include "mma_types.cuh"

constexpr int depth = DEPTH;
constexpr int warp_m = TILE_M >= 128 ? 64 : 32;
constexpr int warp_n = TILE_N >= 128 && TERMS == 1 ? 64 : 32;  // operands in two parts leave fewer registers to sums
constexpr int warps_n = TILE_N / warp_n;
constexpr int threads = TILE_M / warp_m * warps_n * 32;
#if TF32
using Element = float;
constexpr int k_step = 8;  // of one instruction
#else
using Element = unsigned short;
constexpr int k_step = 16;
#endif
constexpr int size = int(sizeof(Element));
constexpr int rows_m = warp_m / 16;    // of instructions of a warp
constexpr int columns_n = warp_n / 8;  // of them
constexpr int steps = depth / k_step;
constexpr int steps_kept = 4;  // whose sums stay in the tensor cores, if TERMS is 3
constexpr unsigned a_row = depth * size;  // bytes of a row in shared memory
constexpr unsigned b_row = TILE_N * size;
constexpr unsigned c_row = warp_n * size;  // of a warp's tile
constexpr unsigned a_bytes = TILE_M * a_row;
constexpr unsigned stage_bytes = a_bytes + depth * b_row;
constexpr int band = 8;
// Where copies are many and small, their addresses take the registers of a second set of fragments.
constexpr int sets = A_BYTES == 16 && B_BYTES == 16 ? 2 : 1;
static_assert(steps % 2 == 0);

__device__ inline unsigned shared_address(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }

/// Pieces of 16 bytes change places within 128 bytes by their row's number, so that eight rows' pieces of one column lie
/// in different banks.
__device__ inline unsigned swizzled(unsigned row, unsigned byte, unsigned row_bytes) {
  return row * row_bytes + (byte ^ (row_bytes == 64 ? row / 2 % 4 : row % 8) * 16);
}
/// Where byte number `byte` of a row of A or B lies in its slab.
__device__ inline unsigned a_place(unsigned row, unsigned byte) { return swizzled(row, byte, a_row); }
__device__ inline unsigned b_place(unsigned row, unsigned byte) {
  if (TF32) return row * b_row + (byte ^ row % 4 * 32);  // two neighbouring pieces of each of four rows are read at once
  return swizzled(row, byte, b_row);
}
/// The same in 16 rows of a warp's tile of C.
__device__ inline unsigned c_place(unsigned row, unsigned byte) {
  if (TF32) return row * c_row + (byte ^ row % 2 * 16);  // every other piece of two rows is written at once
  return swizzled(row, byte, c_row);
}

/// `rows` rows of `stride` elements further on, in one instruction.
template <int rows>
__device__ inline const Element* further(const Element* from, int stride) {
  const Element* to;
  asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(to) : "r"(stride), "n"(rows * size), "l"(from));
  return to;
}

/// What is copied at once, and where to.
struct Piece {
  unsigned to;
  const Element* from;
  bool there;
};

/// Nothing if it is not there.
template <int bytes>
__device__ inline void copy_piece(const Piece& piece) {
  if constexpr (bytes == 16) {
    asm volatile(
        "{.reg .pred there; setp.ne.u32 there, %2, 0; @there cp.async.cg.shared.global [%0], [%1], 16;}" ::"r"(
            piece.to),
        "l"(piece.from), "r"(unsigned(piece.there))
        : "memory");
  } else {
    asm volatile(
        "{.reg .pred there; setp.ne.u32 there, %2, 0; @there cp.async.ca.shared.global [%0], [%1], %3;}" ::"r"(
            piece.to),
        "l"(piece.from), "r"(unsigned(piece.there)), "n"(bytes)
        : "memory");
  }
}

/// Zeros if it is not there.
template <int bytes>
__device__ inline void copy_or_clear(const Piece& piece) {
  if constexpr (bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(piece.to), "l"(piece.from),
                 "r"(piece.there ? bytes : 0)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(piece.to), "l"(piece.from), "n"(bytes),
                 "r"(piece.there ? bytes : 0)
                 : "memory");
  }
}

/// Pieces number `first` to `last`, where `piece_of` says, each followed by `advance`. cp.async takes no 2 bytes: they
/// pass through registers, several at a time. Loops over many small pieces stay loops: their addresses would not fit.
template <int bytes, bool whole, typename PieceOf, typename Advance>
__device__ inline void copy_pieces(int first, int last, PieceOf piece_of, Advance advance) {
  const auto copy_one = [&](int c) {
    if constexpr (whole) {
      copy_piece<bytes>(piece_of(c));
    } else {
      copy_or_clear<bytes>(piece_of(c));
    }
    advance(c);
  };
  if constexpr (TF32 || bytes > 4) {
#pragma unroll
    for (int c = first; c < last; ++c) copy_one(c);
  } else if constexpr (bytes == 4) {
#pragma unroll 8
    for (int c = first; c < last; ++c) copy_one(c);
  } else {
    constexpr int batch = 8;
#pragma unroll 1
    for (int c = first; c < last; c += batch) {
      unsigned to[batch];
      unsigned short held[batch];
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        if (c + q >= last) break;
        const Piece piece = piece_of(c + q);
        to[q] = piece.to;
        held[q] = piece.there ? __ldg(reinterpret_cast<const unsigned short*>(piece.from)) : 0;
        advance(c + q);
      }
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        if (c + q < last) asm volatile("st.shared.u16 [%0], %1;" ::"r"(to[q]), "h"(held[q]) : "memory");
      }
    }
  }
}

/// How a block shares the copying of a tile: a thread takes pieces of the same columns, `rows` rows apart, or several
/// parts of each row.
template <int tile_rows, int tile_columns, int bytes>
struct Share {
  static constexpr int width = bytes / size;
  static constexpr int pieces = tile_columns / width;  // of a row
  static constexpr int parts = pieces > threads ? pieces / threads : 1;
  static constexpr int rows = pieces > threads ? 1 : threads / pieces;
  static constexpr int copies = tile_rows / rows * parts;
  static_assert(tile_rows % rows == 0);
  static __device__ int row() { return pieces > threads ? 0 : int(threadIdx.x) / pieces; }
  static __device__ int column() { return int(threadIdx.x) % pieces * width; }
  // Of a copy, from the thread's first on.
  static constexpr int row_of(int copy) { return copy / parts * rows; }
  static constexpr int column_of(int copy) { return copy % parts * threads * width; }
  static constexpr bool ends_row(int copy) { return copy % parts == parts - 1; }
};
using ShareA = Share<TILE_M, depth, A_BYTES>;
using ShareB = Share<depth, TILE_N, B_BYTES>;
constexpr int copies = ShareA::copies + ShareB::copies;

/// Copies slabs of A and B, one after the other.
struct Copier {
  const Element* a;  // of the thread's next copy
  const Element* b;
  int n;
  int k;
  int rows_left;     // of A, from the thread's first on
  int columns_left;  // of B

  __device__ Copier(const Element* A, const Element* B, int n_, int k_, int rows, int columns)
      : a(A + size_t(ShareA::row()) * k_ + ShareA::column()),
        b(B + size_t(ShareB::row()) * n_ + ShareB::column()),
        n(n_),
        k(k_),
        rows_left(rows - ShareA::row()),
        columns_left(columns - ShareB::column()) {}

  /// Part `part` of `parts` of a slab all steps of which exist, if it is `wanted`; else only goes on.
  __device__ void copy(unsigned stage, int part, int parts, bool wanted) {
    const int first = copies * part / parts;
    const int last = copies * (part + 1) / parts;
    copy_a<true>(stage, min(first, ShareA::copies), min(last, ShareA::copies), wanted, depth, nullptr);
    copy_b<true>(stage, max(first - ShareA::copies, 0), max(last - ShareA::copies, 0), wanted, depth, nullptr);
    if (part == parts - 1) a = further<-TILE_M>(a, k) + depth;
  }

  /// The last slab, of which `steps_left` steps exist; `any_a` and `any_b` are elements that do.
  __device__ void copy_last(unsigned stage, int steps_left, const Element* any_a, const Element* any_b) {
    copy_a<false>(stage, 0, ShareA::copies, true, steps_left, any_a);
    copy_b<false>(stage, 0, ShareB::copies, true, steps_left, any_b);
    a = further<-TILE_M>(a, k) + depth;
  }

 private:
  template <bool whole>
  __device__ void copy_a(unsigned stage, int first, int last, bool wanted, int steps_left, const Element* any) {
    const auto piece_of = [&](int c) {
      const int column = ShareA::column() + ShareA::column_of(c);
      const unsigned to = stage + a_place(ShareA::row() + ShareA::row_of(c), column * size);
      const Element* from = a + ShareA::column_of(c);
      const bool there = ShareA::row_of(c) < (wanted ? rows_left : 0);
      if (whole) return Piece{to, from, there};
      const bool inside = there && column < steps_left;
      return Piece{to, inside ? from : any, inside};
    };
    copy_pieces<A_BYTES, whole>(first, last, piece_of, [&](int c) {
      if (ShareA::ends_row(c)) a = further<ShareA::rows>(a, k);
    });
  }
  template <bool whole>
  __device__ void copy_b(unsigned stage, int first, int last, bool wanted, int steps_left, const Element* any) {
    const auto piece_of = [&](int c) {
      const int row = ShareB::row() + ShareB::row_of(c);
      const unsigned to = stage + a_bytes + b_place(row, (ShareB::column() + ShareB::column_of(c)) * size);
      const Element* from = b + ShareB::column_of(c);
      const bool there = ShareB::column_of(c) < (wanted ? columns_left : 0);
      if (whole) return Piece{to, from, there};
      const bool inside = there && row < steps_left;
      return Piece{to, inside ? from : any, inside};
    };
    copy_pieces<B_BYTES, whole>(first, last, piece_of, [&](int c) {
      if (ShareB::ends_row(c)) b = further<ShareB::rows>(b, n);
    });
  }
};

struct Fragments {
  unsigned a[rows_m][4];
  unsigned b[columns_n][2];
};

struct Sums {
  float d[rows_m][columns_n][4];
};

/// Of the lane's first fragments in a slab.
struct Places {
  unsigned a;
  unsigned b;
  __device__ Places(int warp_row, int warp_column) {
    const int lane = threadIdx.x % 32;
    a = a_place(warp_row + lane % 16, lane / 16 * 16);
#if TF32
    b = a_bytes + b_place(lane % 4, warp_column * 4 + lane / 4 * 16);
#else
    b = a_bytes + b_place(lane % 16, warp_column * 2 + lane / 16 * 16);
#endif
  }
};

/// The fragments of step `step` of the slab in `stage`.
__device__ inline void load(Fragments& to, unsigned stage, const Places& places, int step) {
  const unsigned a = stage + (places.a ^ unsigned(step * 32));
#pragma unroll
  for (int i = 0; i < rows_m; ++i) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to.a[i][0]), "=r"(to.a[i][1]), "=r"(to.a[i][2]), "=r"(to.a[i][3])
                 : "r"(a + i * 16 * a_row)
                 : "memory");
  }
#if TF32
#pragma unroll
  for (int j = 0; j < columns_n; j += 4) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(to.b[j][half]), "=r"(to.b[j + 1][half]), "=r"(to.b[j + 2][half]), "=r"(to.b[j + 3][half])
                   : "r"(stage + places.b + (step * 8 + half * 4) * b_row + j * 32)
                   : "memory");
    }
  }
#else
#pragma unroll
  for (int j = 0; j < columns_n; j += 2) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to.b[j][0]), "=r"(to.b[j][1]), "=r"(to.b[j + 1][0]), "=r"(to.b[j + 1][1])
                 : "r"(stage + (places.b ^ unsigned(j * 16)) + step * 16 * b_row)
                 : "memory");
  }
#endif
}

#if TERMS == 3
/// d = a·b
__device__ inline void mma_anew(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%10, %10, %10, %10};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(0.0f));
}

/// Leaves the nearest tf32 number in `word` and puts what it lacks into `low`, whose last digits the tensor core cuts
/// off: to round it as well makes no difference to the result's error.
__device__ inline void split(unsigned& word, unsigned& low) {
  const unsigned high = as_tf32(word);
  low = __float_as_uint(__uint_as_float(word) - __uint_as_float(high & 0xffffe000));
  word = high;
}
#endif

/// Adds products to the warp's sums.
struct Multiplier {
  Sums sums = {};
#if TERMS == 3
  Sums kept;  // in the tensor cores, for some steps

  /// Step `step` of a slab; `amid` is called between two instructions of it.
  template <typename Amid>
  __device__ void multiply(Fragments& high, int step, Amid amid) {
    Fragments low;
#pragma unroll
    for (int i = 0; i < rows_m; ++i) {
#pragma unroll
      for (int part = 0; part < 4; ++part) split(high.a[i][part], low.a[i][part]);
    }
#pragma unroll
    for (int j = 0; j < columns_n; ++j) {
#pragma unroll
      for (int part = 0; part < 2; ++part) split(high.b[j][part], low.b[j][part]);
    }
    // Products of one element, which wait for one another, lie as far apart as can be.
#pragma unroll
    for (int i = 0; i < rows_m; ++i) {
#pragma unroll
      for (int j = 0; j < columns_n; ++j) {
        if (step % steps_kept == 0) {
          mma_anew(kept.d[i][j], low.a[i], high.b[j]);
        } else {
          mma_tf32(kept.d[i][j], low.a[i], high.b[j]);
        }
      }
    }
    amid();
    add_products(high.a, low.b);
    add_products(high.a, high.b);
    if (step % steps_kept == steps_kept - 1 || step == steps - 1) add_kept();
  }

 private:
  __device__ void add_products(const unsigned (&a)[rows_m][4], const unsigned (&b)[columns_n][2]) {
#pragma unroll
    for (int i = 0; i < rows_m; ++i) {
#pragma unroll
      for (int j = 0; j < columns_n; ++j) mma_tf32(kept.d[i][j], a[i], b[j]);
    }
  }
  __device__ void add_kept() {
#pragma unroll
    for (int i = 0; i < rows_m; ++i) {
#pragma unroll
      for (int j = 0; j < columns_n; ++j) {
#pragma unroll
        for (int part = 0; part < 4; ++part) sums.d[i][j][part] += kept.d[i][j][part];
      }
    }
  }
#else
  /// A step of a slab; `amid` is called between two instructions of it.
  template <typename Amid>
  __device__ void multiply(Fragments& of, int /*step*/, Amid amid) {
#if TF32
#pragma unroll
    for (int j = 0; j < columns_n; ++j) {
#pragma unroll
      for (int part = 0; part < 2; ++part) of.b[j][part] = as_tf32(of.b[j][part]);
    }
#endif
#pragma unroll
    for (int i = 0; i < rows_m; ++i) {
      if (i == rows_m / 2) amid();
#if TF32
#pragma unroll
      for (int part = 0; part < 4; ++part) of.a[i][part] = as_tf32(of.a[i][part]);
#endif
#pragma unroll
      for (int column = 0; column < columns_n; ++column) {
        const int j = i % 2 == 0 ? column : columns_n - 1 - column;  // there and back: each shares an operand
#if TF32
        mma_tf32(sums.d[i][j], of.a[i], of.b[j]);
#else
        mma_bf16(sums.d[i][j], of.a[i], of.b[j]);
#endif
      }
    }
  }
#endif
};

/// Puts 16 rows of the warp's tile, those of instructions (i, ·), into shared memory.
__device__ inline void hold_rows(unsigned held, const Sums& sums, int i) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int row = 8 * half + lane / 4;
#if TF32
#pragma unroll
    for (int j = 0; j < columns_n; j += 4) {
#pragma unroll
      for (int four = 0; four < 2; ++four) {
        const int part = 2 * half + four;
        asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(
                         held + c_place(row, (8 * j + lane % 4 * 8 + 4 * four) * 4)),
                     "f"(sums.d[i][j][part]), "f"(sums.d[i][j + 1][part]), "f"(sums.d[i][j + 2][part]),
                     "f"(sums.d[i][j + 3][part])
                     : "memory");
      }
    }
#else
#pragma unroll
    for (int j = 0; j < columns_n; ++j) {
      asm volatile("st.shared.u32 [%0], %1;" ::"r"(held + c_place(row, (8 * j + lane % 4 * 2) * 2)),
                   "r"(as_bf16_pair(sums.d[i][j][2 * half], sums.d[i][j][2 * half + 1]))
                   : "memory");
    }
#endif
  }
}

/// Writes them to C, a Unit per lane at a time; `rows` and `columns` of them exist.
template <typename Unit>
__device__ inline void store_rows(Element* c, const unsigned char* held, int rows, int columns, int n) {
  constexpr int units = c_row / sizeof(Unit);
  const int lane = threadIdx.x % 32;
#pragma unroll 8
  for (int unit = lane; unit < 16 * units; unit += 32) {
    const int row = unit / units;
    const int column = unit % units * int(sizeof(Unit) / size);
    if (row < rows && column < columns) {
      *reinterpret_cast<Unit*>(c + size_t(unsigned(row)) * n + column) =
          *reinterpret_cast<const Unit*>(held + c_place(row, column * size));
    }
  }
}

extern "C" __global__ void __launch_bounds__(threads, 1)
    matmul_tensor(const Element* __restrict__ A, const Element* __restrict__ B, Element* __restrict__ C, int m, int n,
                  int k) {
  extern __shared__ __align__(128) unsigned char shared_memory[];
  const unsigned stages = shared_address(shared_memory);
  const unsigned last_stage = stages + (STAGES - 1) * stage_bytes;

  const unsigned tiles_m = (unsigned(m) + TILE_M - 1) / TILE_M;
  const unsigned tiles_n = (unsigned(n) + TILE_N - 1) / TILE_N;
  const unsigned band_first = blockIdx.x / (band * tiles_n) * band;
  const unsigned band_height = tiles_m - band_first < band ? tiles_m - band_first : band;
  const unsigned in_band = blockIdx.x % (band * tiles_n);
  const size_t first_row = size_t{band_first + in_band % band_height} * TILE_M;
  const size_t first_column = size_t{in_band / band_height} * TILE_N;
  const int rows_left = int(m - first_row);
  const int columns_left = int(n - first_column);

  const int slabs = int((unsigned(k) + depth - 1) / depth);
  const Element* a = A + first_row * k;
  const Element* b = B + first_column;
  const size_t last = size_t(unsigned(slabs - 1)) * depth;
  Copier copier(a + last, b + last * n, n, k, rows_left, columns_left);
  unsigned write = stages;
  int uncopied = slabs;
  const auto commit = [&] {
    asm volatile("cp.async.commit_group;" ::: "memory");
    write = write == last_stage ? stages : write + stage_bytes;
    --uncopied;
  };
  copier.copy_last(write, int(unsigned(k) - last), a, b);
  commit();
  copier.a -= last + depth;
  copier.b -= (last + depth) * n;
#pragma unroll
  for (int slab = 1; slab < STAGES - 1; ++slab) {
    copier.copy(write, 0, 1, uncopied > 0);
    commit();
  }

  const int warp = threadIdx.x / 32;
  const int warp_row = warp / warps_n * warp_m;
  const int warp_column = warp % warps_n * warp_n;
  const Places places(warp_row, warp_column);
  Multiplier multiplier;
  Fragments fragments[sets];
  unsigned read = stages;
  const auto await_slab = [] {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    __syncthreads();  // it is complete for all, and all have read the one before
  };
  await_slab();
  if (sets == 2) load(fragments[0], read, places, 0);
#pragma unroll 1
  for (int slab = 0; slab < slabs; ++slab) {
#pragma unroll
    for (int step = 0; step < steps; ++step) {
      Fragments& now = fragments[step % sets];
      Fragments& next = fragments[(step + 1) % sets];
      if (sets == 1) load(now, read, places, step);
      if (step < steps - 1) {
        if (sets == 2) load(next, read, places, step + 1);
        copier.copy(write, step, steps - 1, uncopied > 0);  // in place of the slab before this one
        if (step == steps - 2) commit();
        multiplier.multiply(now, step, [] {});
      } else {
        multiplier.multiply(now, step, [&] {
          await_slab();
          read = read == last_stage ? stages : read + stage_bytes;
          if (sets == 2) load(next, read, places, 0);
        });
      }
    }
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();  // all have read their last fragments
  const unsigned char* held = shared_memory + warp * (16 * c_row);
  Element* c = C + (first_row + warp_row) * n + (first_column + warp_column);
  const bool aligned = n % (16 / size) == 0;
#pragma unroll
  for (int i = 0; i < rows_m; ++i) {
    hold_rows(stages + warp * (16 * c_row), multiplier.sums, i);
    __syncwarp();
    const int rows = rows_left - warp_row - 16 * i;
    if (aligned) {
      store_rows<uint4>(c, held, rows, columns_left - warp_column, n);
    } else {
      store_rows<Element>(c, held, rows, columns_left - warp_column, n);
    }
    __syncwarp();
    c += size_t{16} * n;
  }
}
