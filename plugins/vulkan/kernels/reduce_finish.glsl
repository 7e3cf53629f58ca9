// The second launch of reductions in two: one workgroup joins PARTIALS values. The file that includes it gives the
// launch's name.
SCALARS(int n);
OUT(1, REAL, result);
IN(0, REAL, partial);

void FINISH() {
  Running running = start();
  ADD_TERMS(running, gl_LocalInvocationID.x, BLOCK, PARTIALS, PARTIAL)
  const REAL total = group_tree(value_of(running));
  if (gl_LocalInvocationID.x == 0) result.at[0] = finish(total, n);
}
