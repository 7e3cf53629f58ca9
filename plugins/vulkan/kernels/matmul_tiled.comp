// Matrix multiplication through shared memory: C (m×n) = A (m×k) · B (k×n), row-major.
//
// What it shows   Reuse by hand. A workgroup of TILE×TILE invocations computes a TILE×TILE block of C; it walks along k
//                 in steps of TILE, and at each step brings one tile of A and one of B into shared memory.
// Access pattern  Both tiles are loaded row by row, so neighbouring invocations load neighbouring elements. In the inner
//                 loop a row of invocations reads one element of A (a broadcast) and a row of B.
// Arithmetic      2·m·n·k flops. An element of A or B is loaded from global memory once per tile instead of once per
//                 product: 2/TILE global loads per fused multiply-add, and 2 shared ones.
// Expected limit  Small tiles: global memory and the two barriers per step. Large tiles: shared memory, still two reads
//                 for every multiply-add, until the workgroup is too large for the device.
//
// Any m, n and k: tiles are filled up with zeros over the edges, which add nothing to the sums.
//
// TILE      edge of a tile = edge of the workgroup
// REAL      element type: float or double
// STORE_EVERY_STEP  1 for the kernel as the French series prints it: C is stored inside the loop, k/TILE times
#include "kernel.glsl"

IN(0, REAL, A);
IN(1, REAL, B);
#if STORE_EVERY_STEP
// volatile: or the compiler stores once, after the loop.
layout(std430, binding = 2) volatile buffer C_block { REAL C[]; };
#else
OUT(2, REAL, C);
#endif
layout(push_constant) uniform Scalars { int m; int n; int k; };

shared REAL a_tile[TILE][TILE];
shared REAL b_tile[TILE][TILE];

void matmul_tiled() {
  const uint x = gl_LocalInvocationID.x;
  const uint y = gl_LocalInvocationID.y;
  const uint column = gl_WorkGroupID.x * TILE + x;
  const uint row = gl_WorkGroupID.y * TILE + y;

  REAL sum = REAL(0);
  for (uint start = 0; start < k; start += TILE) {
    a_tile[y][x] = (row < m && start + x < k) ? A[row * k + start + x] : REAL(0);
    b_tile[y][x] = (start + y < k && column < n) ? B[(start + y) * n + column] : REAL(0);
    barrier();  // both tiles are complete

    for (uint i = 0; i < TILE; ++i) sum += a_tile[y][i] * b_tile[i][x];
    barrier();  // nobody reads them any more
#if STORE_EVERY_STEP
    if (row < m && column < n) C[row * n + column] = sum;
#endif
  }
#if !STORE_EVERY_STEP
  if (row < m && column < n) C[row * n + column] = sum;
#endif
}
