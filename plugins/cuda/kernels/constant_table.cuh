// The table of workload constant_broadcast in constant memory, filled when the kernel is compiled, with the numbers
// that the workload itself puts into its buffer `table`.
#pragma once

#define ENTRIES 256

struct Table {
  unsigned int entry[ENTRIES];

  constexpr Table() : entry() {
    for (unsigned int j = 0; j < ENTRIES; ++j) {
      unsigned int bits = (j + 1) * 0x9e3779b9u;
      bits ^= bits >> 16;
      bits *= 0x5851f42du;
      entry[j] = bits ^ (bits >> 15);
    }
  }
};

__constant__ Table constant_table;
