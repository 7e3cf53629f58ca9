// Exercise 3: add a constant to n vectors of 3 floats. Neighbours load neighbouring floats into local memory, each adds
// to the three floats of its own vector, and neighbours store neighbouring floats.
//
// Task: the three steps are right. Why is the result wrong? Two lines are missing.
// Mind     - Which work-item loaded what this one reads? Which one changed what this one stores?
__kernel void staging(__global const float* in, __global float* out, const float addend, const int n) {
  __local float staged[3 * 256];
  const int t = get_local_id(0);
  const long first = (long)get_group_id(0) * 3 * 256;
  const long left = 3L * n - first;
  const int count = left < 3 * 256 ? (int)left : 3 * 256;
  for (int i = t; i < count; i += 256) staged[i] = in[first + i];
  for (int i = 3 * t; i < 3 * t + 3 && i < count; ++i) staged[i] += addend;
  for (int i = t; i < count; i += 256) out[first + i] = staged[i];
}
