// Adds a constant to 3-component vectors, 16 bytes per invocation as they lie, whatever they belong to.
//
// What it shows   A map that treats all components alike need not know where a vector begins: the array is one long row of
//                 numbers, in every layout. What `quad` loses on 12-byte structs, by writing 16 bytes in every 48, is not
//                 lost here.
// Access pattern  Invocation i touches the elements of bytes 16·i … 16·i + 15, padding of the layout included: neighbours
//                 move long runs. The last one that has anything to do takes what is left one by one.
// Expected limit  Memory bandwidth.
//
// REAL is the element type, WIDTH · sizeof(REAL) 16 bytes; AOS12, AOS16 or SOA is the layout.
#include "kernel.glsl"
#include "packs.glsl"

IN(0, REAL, source);
IN(0, PACK_PART, source_packs);
OUT(1, REAL, target);
OUT(1, PACK_PART, target_packs);
layout(push_constant) uniform Scalars { REAL addend; int n; int plane; };

void vec3_map_flat() {
  const uint count = AOS12 != 0 ? 3 * uint(n) : AOS16 != 0 ? 4 * uint(n) : 3 * uint(plane);
  const uint pack = gl_GlobalInvocationID.x;
  const uint first = pack * WIDTH;
  if (first + WIDTH <= count) {
    target_packs[pack] = source_packs[pack] + addend;
  } else {
    for (uint i = first; i < count; ++i) target[i] = source[i] + addend;
  }
}
