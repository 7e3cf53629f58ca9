// Matrix multiplication through shared memory: C (m×n) = A (m×k) · B (k×n), row-major.
//
// What it shows   Reuse. A block computes a TILE×TILE square of C; it walks along k in steps of TILE, and at each
//                 step its threads bring one tile of A and one of B into shared memory, where every element is
//                 then used TILE times.
// Access pattern  Threads that are neighbours in x own neighbouring columns, so global loads and the store
//                 coalesce for TILE ≥ 8 (32-byte sectors of float). In shared memory a row of threads reads one
//                 element of A's tile (broadcast) and consecutive elements of B's: no bank conflicts.
// Arithmetic      2·m·n·k flops. Global memory: 2/TILE loads per fused multiply-add. Shared memory: two loads per
//                 multiply-add, whatever the TILE.
// Expected limit  Small tiles: global loads and idle lanes (TILE = 2 fills 4 of a warp's 32 lanes). Large tiles:
//                 the shared-memory pipe, since each multiply-add still waits for its two loads; holding more
//                 than one element of C per thread is the way past it.
//
// REAL is the element type, float or double; TILE is the edge of a tile. Blocks are TILE×TILE threads. Elements
// outside the matrices count as zero, so any m, n and k will do. STORE_EVERY_STEP is 1 for the kernel as the French
// series prints it, which stores C inside the loop: k/TILE stores per element instead of one.
extern "C" __global__ void __launch_bounds__(TILE* TILE)
    matmul_tiled(const REAL* __restrict__ A, const REAL* __restrict__ B, REAL* __restrict__ C, int m, int n,
                 int k) {
  __shared__ REAL tile_of_a[TILE][TILE];
  __shared__ REAL tile_of_b[TILE][TILE];

  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const size_t column = size_t{blockIdx.x} * TILE + x;
  const size_t row = size_t{blockIdx.y} * TILE + y;

  REAL sum = 0;
  for (size_t first = 0; first < k; first += TILE) {
    tile_of_a[y][x] = row < m && first + x < k ? A[row * k + first + x] : REAL(0);
    tile_of_b[y][x] = first + y < k && column < n ? B[(first + y) * n + column] : REAL(0);
    __syncthreads();  // both tiles are complete

    for (unsigned i = 0; i < TILE; ++i) {
      sum += tile_of_a[y][i] * tile_of_b[i][x];
    }
    __syncthreads();  // nobody reads them any more: they may be overwritten
#if STORE_EVERY_STEP
    // volatile: or the compiler stores once, after the loop.
    if (row < m && column < n) *static_cast<volatile REAL*>(&C[row * n + column]) = sum;
#endif
  }
#if !STORE_EVERY_STEP
  if (row < m && column < n) C[row * n + column] = sum;
#endif
}
