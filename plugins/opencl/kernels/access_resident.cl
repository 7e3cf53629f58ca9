// The copy of access_plain.cl by a chosen number of work-items, each taking one element after the other.
//
// What it shows   Latency is hidden by having many accesses under way: bandwidth grows with the work-items until it is
//                 exhausted.
// Access pattern  Of T work-items in all, number i copies elements i, i + T, i + 2T, …: each round is that of the plain
//                 kernel.
// Expected limit  T · WIDTH bytes per latency of the memory, then its bandwidth.
//
// Definitions as in access_plain.cl.
#include "access_element.clh"
#include "access_pattern.clh"

__kernel void access_resident(__global const element_t* restrict in, __global element_t* restrict out, const int n,
                              const int stride, const int misalign) {
  const size_t work_items = get_global_size(0);
  for (size_t i = get_global_id(0); i < n; i += work_items) {
    if (MASKED && i % 4 == 3) {
      out[i] = FILL;
    } else {
      out[i] = in[misalign + PATTERN_OF(PATTERN)(i, n) * stride];
    }
  }
}
