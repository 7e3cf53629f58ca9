// What a kernel moves, counted from the access patterns that its variant declares.
#pragma once

#include <benchctl/device.hpp>
#include <benchctl/problem.hpp>
#include <benchctl/variant.hpp>

#include <stdexcept>

namespace benchctl::predict {

/// An access pattern that cannot be evaluated: a fault of the variant's description.
class PatternError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Of one execution. Zero where nothing is known.
struct Traffic {
  double dram_read = 0;           ///< distinct bytes at the granularity of the device's memory
  double dram_written = 0;        ///< the same for stores
  double cache_bytes = 0;         ///< sectors that all requests together move, as if no two shared one
  double requests = 0;            ///< memory instructions of warps
  double sectors = 0;             ///< that they move
  double useful_share = 0;        ///< bytes asked for over bytes of those sectors
  double line_share = 0;          ///< the same over whole cache lines
  double shared_cycles = 0;       ///< cycles of all banks together for all instructions of all warps
  double shared_best_cycles = 0;  ///< the same without conflicts

  [[nodiscard]] double sectors_per_request() const { return requests > 0 ? sectors / requests : 0; }
  /// The n of n-way conflicts, on average; 0 without shared memory.
  [[nodiscard]] double conflict_degree() const {
    return shared_best_cycles > 0 ? shared_cycles / shared_best_cycles : 0;
  }
};

/// Counts the patterns of `variant.access` on a sample of the launch's threads: whole blocks from its
/// start, 2048 threads or so, and scales up. Distinct bytes are never more than the buffer has: whatever is
/// loaded again is taken to come from a cache. `values` are those of kernel_values() (core/sweep). A device
/// without sectors or banks counts none. Throws PatternError.
[[nodiscard]] Traffic count_traffic(const VariantInfo& variant, const ProblemSpec& problem,
                                    const Parameters& values, const MemoryGeometry& memory);

}  // namespace benchctl::predict
