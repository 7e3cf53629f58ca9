// What a kernel moves, counted from the access patterns that its variant declares.
#pragma once

#include <benchctl/device.hpp>
#include <benchctl/problem.hpp>
#include <benchctl/variant.hpp>

#include "predict/pattern.hpp"

namespace benchctl::predict {

/// Traffic of one execution. Zero where nothing is known.
struct Traffic {
  double dram_read = 0;     ///< distinct bytes at the granularity of the device's memory
  double dram_apart = 0;    ///< the part of dram_read in pieces whose neighbours in their line are not read
  double dram_written = 0;  ///< the same for stores
  /// Read besides, since stores leave gaps in sectors: memory takes whole ones, so the rest of a sector
  /// must be known before it can be written.
  double dram_filled = 0;
  /// Between the first-level caches and the last: sectors that a block loads, each once per block, and
  /// those of every store.
  double cache_bytes = 0;
  double requested_bytes = 0;  ///< by all threads, from whatever memory, each as often as it is asked for
  double requests = 0;         ///< instructions of warps on global memory
  double sectors = 0;          ///< sectors touched, request by request
  double useful_share = 0;     ///< bytes asked for over bytes of those sectors
  double line_share = 0;       ///< the same over whole cache lines
  double shared_cycles = 0;    ///< cycles of all banks together for all instructions of all warps
  double turns = 0;            ///< turns of shared and constant memory for all instructions of warps
  double best_turns = 0;       ///< the same without conflicts

  [[nodiscard]] double sectors_per_request() const { return requests > 0 ? sectors / requests : 0; }
  /// The n of n-way conflicts, on average; 0 without shared or constant memory.
  [[nodiscard]] double conflict_degree() const { return best_turns > 0 ? turns / best_turns : 0; }
};

/// Counts the patterns of `variant.access` on a sample of the launch's threads and scales up. Accesses of
/// one kind to one buffer that the same threads carry out equally often count as one pattern: no byte of it
/// is moved twice. Others are added, but distinct bytes are never more than the buffer has: whatever is
/// loaded again is taken to come from a cache. `values` are those of kernel_values() (core/sweep). A device
/// without sectors or banks counts none. Throws PatternError.
[[nodiscard]] Traffic count_traffic(const VariantInfo& variant, const ProblemSpec& problem,
                                    const Parameters& values, const MemoryGeometry& memory);

}  // namespace benchctl::predict
