// Packs of WIDTH neighbouring elements of type REAL: float, double if USE_FP64, uint if PACKS_OF_WORDS. WIDTH is 1, 2, 4,
// 8 or 16. GLSL has vectors of four at most, so that longer packs are arrays of those.
#pragma once

#if PACKS_OF_WORDS
#define REAL uint
#define PACK_VECTOR(lanes) uvec##lanes
#elif USE_FP64
#define PACK_VECTOR(lanes) dvec##lanes
#else
#define PACK_VECTOR(lanes) vec##lanes
#endif

#if WIDTH == 1
#define PACK_PART REAL
#define PACK_LANES 1
#elif WIDTH == 2
#define PACK_PART PACK_VECTOR(2)
#define PACK_LANES 2
#else
#define PACK_PART PACK_VECTOR(4)
#define PACK_LANES 4
#endif
#define PACK_PARTS (WIDTH / PACK_LANES)

struct Pack {
  PACK_PART part[PACK_PARTS];
};

// Lane number i of a pack.
REAL lane_of(Pack pack, uint i) {
#if PACK_LANES == 1
  return pack.part[i];
#else
  return pack.part[i / PACK_LANES][i % PACK_LANES];
#endif
}
