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

IN(0, REAL, A);
IN(1, REAL, B);
OUT(2, REAL, C);
layout(push_constant) uniform Scalars { int m; int n; int k; };

void matmul_naive() {
  const uint column = gl_GlobalInvocationID.x;
  const uint row = gl_GlobalInvocationID.y;
  if (row >= m || column >= n) return;

  REAL sum = REAL(0);
  // Places are added up: drivers would multiply for each load.
  for (uint i = 0, a = row * k, b = column; i < k; ++i, ++a, b += n) sum += A[a] * B[b];
  C[row * n + column] = sum;
}
