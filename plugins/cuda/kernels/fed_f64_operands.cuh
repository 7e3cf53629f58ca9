// Operands of matmul_tensor_f64_fed.cu: out of swizzled rows of 128 bytes, two doubles at a time.
//
// The instruction computes 16 columns of C by 8 rows, Cᵀ = Bᵀ·Aᵀ. It wants from each lane neighbouring registers for two columns
// of B in the same row, twice, and for two elements of one row of A; both lie beside each other in memory. Which rows, columns
// and steps of k stand in which place is free as long as A, B and C agree: lane 4·g + t has columns 2·g and 2·g + 1 of B in
// rows 2·t and 2·t + 1, and the same steps of row row_of_place(g) of A. So the eight lanes that are served at a time
// read eight different pieces of 16 bytes, in all banks.
#pragma once

#include "fed_f64_shape.cuh"
#include "mma_f64.cuh"

struct Sums {
  double at[column_blocks][row_blocks][4];
};
struct Operands {
  double b[column_blocks][4];
  double a[row_blocks][2];
};

/// Row of a place in each eight rows of A, and of C.
__device__ inline int row_of_place(int place) { return place % 2 * 4 + place / 2; }

__device__ inline void load_pair(double& first, double& second, unsigned address) {
  asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(first), "=d"(second) : "r"(address));
}

/// Where a lane's operands lie in the first stage.
class OperandPlaces {
 public:
  /// The warp's part of the tile begins in row `row` and column `column`, its steps of each slab at `slice` of them.
  __device__ OperandPlaces(unsigned first, int row, int column, int slice) {
    const int g = threadIdx.x % 32 / 4;
    const int t = threadIdx.x % 4;
    const int place = row_of_place(g);
    const int step = slice * steps;
    const unsigned of_row = first + (row + place) * row_bytes + step / 2 * a_box_bytes;
    a_[0] = of_row + ((t + step % 2 * 4) ^ place) * 16;
    a_[1] = a_[0] ^ 64;
    const unsigned of_step = first + a_bytes + column / box_columns * b_box_bytes + step * box_step;
#pragma unroll
    for (int i = 0; i < 2; ++i) b_[i] = of_step + (2 * t + i) * row_bytes + (g ^ (2 * t + i)) * 16;
  }

  /// Row block `i` of A in `step` of the slab that lies `stage` bytes behind the first one.
  __device__ void load_a(Operands& to, unsigned stage, int step, int i) const {
    load_pair(to.a[i][0], to.a[i][1], a_[step % 2] + stage + i * box_step + step / 2 * a_box_bytes);
  }
  __device__ void load_b(Operands& to, unsigned stage, int step, int j) const {
    const unsigned place = stage + j * b_box_bytes + step * box_step;
    load_pair(to.b[j][0], to.b[j][1], b_[0] + place);
    load_pair(to.b[j][2], to.b[j][3], b_[1] + place);
  }
  __device__ void load(Operands& to, unsigned stage) const {
#pragma unroll
    for (int j = 0; j < column_blocks; ++j) load_b(to, stage, 0, j);
#pragma unroll
    for (int i = 0; i < row_blocks; ++i) load_a(to, stage, 0, i);
  }

 private:
  // Boxes are two steps wide: a slice that begins in the middle of one has no other.
  static_assert(steps % 2 == 0 || steps == 1 || SLICES == 1);

  unsigned a_[2];  // in even and odd steps
  unsigned b_[2];
};
