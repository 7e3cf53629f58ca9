// Loads and stores of 16 bytes with the cache operator that a tunable names.
//
// LOAD   ca  through the first-level cache      cg  past it, into the second level      nc  the read-only path
// STORE  wb  as any store                       cs  marked as what nobody reads again
#pragma once

#define TEXT_(word) #word
#define TEXT(word) TEXT_(word)

#ifdef LOAD
__device__ inline uint4 load_piece(const uint4* from) {
  uint4 piece;
  asm("ld.global." TEXT(LOAD) ".v4.u32 {%0, %1, %2, %3}, [%4];"
      : "=r"(piece.x), "=r"(piece.y), "=r"(piece.z), "=r"(piece.w)
      : "l"(from));
  return piece;
}
#endif

#ifdef STORE
__device__ inline void store_piece(uint4* to, uint4 piece) {
  asm volatile("st.global." TEXT(STORE) ".v4.u32 [%0], {%1, %2, %3, %4};"
               :
               : "l"(to), "r"(piece.x), "r"(piece.y), "r"(piece.z), "r"(piece.w)
               : "memory");
}
#endif
