// Tries out BYTES bytes of local memory per group: all of them are written, and read by other work-items than wrote them.
// `counts` gets the number of work-items that ran, and that of words that were not what they should be.
#define WORDS (BYTES / 4)

static uint word_of(uint place, uint group) { return place * 2654435761u + group * 40503u; }

__kernel void local_memory(volatile __global uint* counts) {
  __local uint words[WORDS];
  const uint group = get_group_id(0);
  for (uint i = get_local_id(0); i < WORDS; i += get_local_size(0)) words[i] = word_of(i, group);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint wrong = 0;
  for (uint i = get_local_id(0); i < WORDS; i += get_local_size(0)) {
    const uint place = WORDS - 1 - i;
    if (words[place] != word_of(place, group)) ++wrong;
  }
  atomic_inc(counts);
  if (wrong > 0) atomic_add(counts + 1, wrong);
}
