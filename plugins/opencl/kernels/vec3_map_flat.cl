// Adds a constant to 3-component vectors, 16 bytes per work-item as they lie, whatever they belong to.
//
// What it shows   A map that treats all components alike need not know where a vector begins: the array is one long
//                 row of numbers, in every layout. What `quad` loses on 12-byte structs, by writing 16 bytes in every
//                 48, is not lost here.
// Access pattern  Work-item i touches the elements of bytes 16·i … 16·i + 15, padding of the layout included:
//                 neighbours move long runs. The last one that has anything to do takes what is left one by one.
// Expected limit  Memory bandwidth.
//
// REAL is the element type, WIDTH · sizeof(REAL) 16 bytes; AOS12, AOS16 or SOA is the layout.
#include "numbers.clh"
#include "packs.clh"

__kernel void vec3_map_flat(__global const REAL* restrict in, __global REAL* restrict out, const REAL addend,
                            const int n, const int plane) {
  const size_t count = AOS12 ? 3 * (size_t)n : AOS16 ? 4 * (size_t)n : 3 * (size_t)plane;
  const size_t first = number_of_all() * WIDTH;
  if (first + WIDTH <= count) {
    *(__global PACK*)(out + first) = *(__global const PACK*)(in + first) + addend;
  } else {
    for (size_t i = first; i < count; ++i) out[i] = in[i] + addend;
  }
}
