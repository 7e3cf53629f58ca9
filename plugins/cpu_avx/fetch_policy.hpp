// How a kernel that only reads fetches what it reads.
#pragma once

#include <algorithm>
#include <cstddef>

#include "cpu_topology.hpp"

namespace benchctl::cpu_avx {

/// Do operands of `bytes` in all come from the last cache? From there lines come sooner if they are asked
/// for 2 KB ahead: dot products of 1.5 to 16 MB take 0.78 to 0.98 of the time on a Zen 5, whose prefetchers
/// stop short of what the cache could deliver. From the second cache it costs 1 to 8 % instead, from
/// memory, and from the whole of a last cache of 32 MB, up to a quarter. A thread's part of more than 16 MB
/// was not measured in a cache.
[[nodiscard]] inline bool comes_from_last_cache(std::size_t bytes, unsigned threads,
                                                const Topology& topology) {
  constexpr std::size_t most = std::size_t{16} << 20;
  const std::size_t each = bytes / threads;
  return topology.l2_bytes != 0 && each > topology.l2_bytes * 3 / 2 && each <= most &&
         bytes <= topology.last_level_cache_bytes / 2;
}

/// Do they come from memory, for the most part? Several pieces of a thread's part are then read side by
/// side: prefetchers follow each by itself. On a Zen 5 with a last cache of 32 MB sums take 0.7 to 0.9
/// of the time from 16 MB on; up to 8 MB, from the last cache, 1.0 to 1.1.
[[nodiscard]] inline bool comes_from_memory(std::size_t bytes, unsigned threads, const Topology& topology) {
  constexpr std::size_t most_of_cache = std::size_t{16} << 20;
  return topology.last_level_cache_bytes != 0
             ? bytes > topology.last_level_cache_bytes / 2 && bytes / threads > topology.l2_bytes
             : bytes / threads > most_of_cache;
}

}  // namespace benchctl::cpu_avx
