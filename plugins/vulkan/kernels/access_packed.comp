// A copy of narrow elements packed to words: each invocation moves WORD bytes, WORD / WIDTH elements, at once.
//
// What it shows   Bytes one by one need four times the instructions of the same bytes taken four to a 32-bit word; wider
//                 words carry that on.
// Access pattern  Invocation i moves bytes WORD·i … WORD·i + WORD - 1, without gaps. The last one that has anything to do
//                 moves what is left element by element.
// Expected limit  Memory bandwidth.
//
// WIDTH is the bytes of an element, WORD those of an access.
#include "access_element.glsl"
#include "kernel.glsl"

#if WORD == 4
#define WORD_TYPE uint
#elif WORD == 8
#define WORD_TYPE uvec2
#else
#define WORD_TYPE uvec4
#endif
#define PER_WORD (WORD / WIDTH)

IN(0, ELEMENT, source);
IN(0, WORD_TYPE, source_words);
OUT(1, ELEMENT, target);
OUT(1, WORD_TYPE, target_words);
layout(push_constant) uniform Scalars { int n; int misalign; };

void access_packed() {
  const uint word = gl_GlobalInvocationID.x;
  const uint first = word * PER_WORD;
  if (first + PER_WORD <= n) {
    target_words[word] = source_words[word + misalign / PER_WORD];
  } else {
    for (uint i = first; i < n; ++i) target[i] = source[misalign + i];
  }
}
