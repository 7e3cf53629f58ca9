// The second launch of reductions in two: one workgroup joins PARTIALS values. The file that includes it gives the
// launch's name.
OUT(1, REAL, result);
IN(0, REAL, partial);
layout(push_constant) uniform Scalars { int n; };

void FINISH() {
  Running running = start();
  ADD_TERMS(running, gl_LocalInvocationID.x, BLOCK, PARTIALS, PARTIAL)
  const REAL total = group_tree(value_of(running));
  if (gl_LocalInvocationID.x == 0) result[0] = finish(total, n);
}
