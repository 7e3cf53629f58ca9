// Follows a chain: each load tells where the next one goes, so that nothing can be done meanwhile. Expected
// limit: the latency of the cache or memory that holds the chain.
#include "kernels/latency_chase.hpp"

namespace benchctl::cpu_avx {

uint32_t latency_chase(const uint32_t* chain, size_t steps) noexcept {
  uint32_t place = 0;
  for (size_t step = 0; step < steps; ++step) place = chain[place];
  return place;
}

}  // namespace benchctl::cpu_avx
