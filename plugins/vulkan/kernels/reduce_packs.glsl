// Packs of WIDTH elements for the reductions: values of every lane, joined at the end.
#pragma once

#include "packs.glsl"
#include "reduce.glsl"

// A running value for every lane of a pack.
struct Packs {
  Running lane[WIDTH];
};

Packs start_packs() {
  Packs packs;
  [[unroll]] for (int i = 0; i < WIDTH; ++i) packs.lane[i] = start();
  return packs;
}

void add_pack(inout Packs packs, Pack pack) {
  [[unroll]] for (int i = 0; i < WIDTH; ++i) add(packs.lane[i], lane_of(pack, i));
}

// Joins two running values.
void join(inout Running running, Running other) {
#if OP_IS_NORM
  running.small += other.small;
  running.ordinary += other.ordinary;
  running.large += other.large;
#else
  add(running, other.value);
#endif
}

void add_lanes(inout Running running, Packs packs) {
  [[unroll]] for (int i = 0; i < WIDTH; ++i) join(running, packs.lane[i]);
}

Pack product(Pack a, Pack b) {
  Pack result;
  [[unroll]] for (int p = 0; p < PACK_PARTS; ++p) result.part[p] = a.part[p] * b.part[p];
  return result;
}

// Terms number WIDTH·i … of arrays x_packs and y_packs.
#if OP_IS_DOT
#define PACK_AT(i) product(x_packs[i], y_packs[i])
#else
#define PACK_AT(i) x_packs[i]
#endif
