// Fused multiply-adds and nothing else: x = x * scale + shift, `rounds` times, in CHAINS packs per invocation.
//
// What it shows   The arithmetic roof. A multiply-add is finished some cycles after it is issued, so there must be several
//                 independent chains to have one to issue in every cycle.
// Access pattern  An invocation loads the starts of its chains and stores their ends: nothing, next to some thousand
//                 rounds.
// Expected limit  The FMA units. WIDTH = 1 suits a GPU, whose lanes are invocations.
//
// REAL is float or double; BLOCK the invocations of a workgroup. The starts repeat after 1024 chains, so that each end is
// known to the bit.
#extension GL_EXT_control_flow_attributes : require
#include "kernel.glsl"
#include "packs.glsl"

IN(0, Pack, begins);
OUT(1, REAL, ends);
OUT(1, Pack, end_packs);
layout(push_constant) uniform Scalars { int n; int rounds; REAL scale; REAL shift; };

// Rounds per pass of the loop: drivers do not unroll it themselves.
#define ROUNDS (32 / PACK_PARTS)

// The chains' parts in one array: drivers keep arrays of structs of doubles in memory.
#define PARTS (CHAINS * PACK_PARTS)
#define MULTIPLY_ADD [[unroll]] for (uint i = 0; i < PARTS; ++i) x[i] = fma(x[i], scales, shifts);

void peaks_fma() {
  const uint first = gl_WorkGroupID.x * (BLOCK * CHAINS) + gl_LocalInvocationID.x;  // counted in packs
  PACK_PART x[PARTS];
  [[unroll]] for (uint i = 0; i < PARTS; ++i) {
    x[i] = begins[(first + i / PACK_PARTS * BLOCK) % (1024 / WIDTH)].part[i % PACK_PARTS];
  }

  const PACK_PART scales = PACK_PART(scale);
  const PACK_PART shifts = PACK_PART(shift);
  int round = 0;
  for (; round + ROUNDS <= rounds; round += ROUNDS) {
    [[unroll]] for (int r = 0; r < ROUNDS; ++r) MULTIPLY_ADD
  }
  for (; round < rounds; ++round) MULTIPLY_ADD
  [[unroll]] for (uint j = 0; j < CHAINS; ++j) {
    const uint place = first + j * BLOCK;
    Pack end;
    [[unroll]] for (uint p = 0; p < PACK_PARTS; ++p) end.part[p] = x[j * PACK_PARTS + p];
    if ((place + 1) * WIDTH <= n) {
      end_packs[place] = end;
    } else {
      for (uint i = place * WIDTH; i < n; ++i) ends[i] = lane_of(end, i - place * WIDTH);
    }
  }
}
