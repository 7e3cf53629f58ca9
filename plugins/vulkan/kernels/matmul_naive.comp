// Matrix multiplication, the plain way: C (m×n) = A (m×k) · B (k×n), row-major.
//
// What it shows   What the caches alone can do. Every operand of every product is loaded from global memory.
// Access pattern  One invocation per element of C, x along a row of C. Neighbours in a workgroup load neighbouring
//                 elements of B (one transaction for all of them) and the same element of A.
// Arithmetic      2·m·n·k flops on (m·k + k·n + m·n)·sizeof(REAL) distinct bytes, with two loads per fused
//                 multiply-add.
// Expected limit  The load units: two loads feed one multiply-add, so a small part of the arithmetic peak.
//
// REAL is the element type.
#include "kernel.glsl"

SCALARS(int m; int n; int k);
IN(0, REAL, A);
IN(1, REAL, B);
OUT(2, REAL, C);

void matmul_naive() {
  const uint column = gl_GlobalInvocationID.x;
  const uint row = gl_GlobalInvocationID.y;
  if (row >= m || column >= n) return;

  REAL sum = REAL(0);
  for (uint i = 0; i < k; ++i) sum += A.at[row * k + i] * B.at[i * n + column];
  C.at[row * n + column] = sum;
}
