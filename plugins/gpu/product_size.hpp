// The size of a matrix product, as those who choose kernels for it have it.
#pragma once

#include <cstdint>

namespace benchctl::gpu {

/// Rows and columns of C, length of the sums.
struct ProductSize {
  std::uint64_t m;
  std::uint64_t n;
  std::uint64_t k;
};

}  // namespace benchctl::gpu
