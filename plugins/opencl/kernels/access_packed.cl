// A copy of narrow elements packed to words: each work-item moves WORD bytes, WORD / WIDTH elements, at once.
//
// What it shows   Bytes one by one need four times the instructions of the same bytes taken four to a 32-bit word;
//                 wider words carry that on.
// Access pattern  Work-item i moves bytes WORD·i … WORD·i + WORD - 1, without gaps. The last one that has anything to do
//                 moves what is left element by element.
// Expected limit  Memory bandwidth.
//
// WIDTH is the bytes of an element, WORD those of an access.
#include "access_element.clh"

typedef ACCESS_JOIN(bytes_, WORD) word_t;

__kernel void access_packed(__global const element_t* restrict in, __global element_t* restrict out, const int n,
                            const int misalign) {
  const size_t per_word = WORD / WIDTH;
  const size_t w = get_global_id(0);
  const size_t first = w * per_word;
  if (first + per_word <= n) {
    ((__global word_t*)out)[w] = ((__global const word_t*)(in + misalign))[w];
  } else {
    for (size_t i = first; i < n; ++i) out[i] = in[misalign + i];
  }
}
