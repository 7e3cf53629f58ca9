// A copy of narrow elements packed to words: each thread moves WORD bytes, WORD / WIDTH elements, at once.
//
// What it shows   Bytes one by one need four times the instructions, and keep a quarter of the bytes in flight, of the
//                 same bytes taken four to a 32-bit word; 16-byte words carry that on.
// Access pattern  Thread i moves bytes WORD·i … WORD·i + WORD - 1, without gaps. The last thread that has anything to
//                 do moves what is left element by element.
// Expected limit  Memory bandwidth from a few bytes per thread on.
//
// WIDTH is the bytes of an element, WORD those of an access; CACHE_OP the load's cache operator.
#include "access_element.cuh"

using Word = ACCESS_JOIN(Bytes, WORD);

extern "C" __global__ void access_packed(const Element* in, Element* out, int n, int misalign) {
  constexpr int per_word = WORD / WIDTH;
  const size_t w = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const size_t first = w * per_word;
  if (first + per_word <= n) {
    reinterpret_cast<Word*>(out)[w] = load(reinterpret_cast<const Word*>(in + misalign) + w);
  } else {
    for (size_t i = first; i < n; ++i) out[i] = load(in + misalign + i);
  }
}
