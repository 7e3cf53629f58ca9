// From what is moved and computed to the time that it must take: the largest of the bounds that measured
// roofs give. Source of the idea: the roofline model (Williams, Waterman, Patterson, CACM 52, 2009), here
// with a roof for each level of memory that is counted.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "predict/traffic.hpp"

namespace benchctl::predict {

/// Measured ceilings of one device, by probe of the workload `peaks`: bytes or operations per second
/// (`dram_read`, `dram_write`, `dram_copy`, `dram_triad`, `cache_read`, `shared`, `fma_f32`, `fma_f64`, …),
/// and executions per second of a kernel that does nothing (`launch`).
using Roofs = std::map<std::string, double, std::less<>>;

/// What an execution needs.
struct Demand {
  double flops = 0;
  std::string flop_roof;  ///< `fma_f32`: which roof its operations run under
  double bytes_read = 0;  ///< from the memory level that the working set lives in
  double bytes_written = 0;
  bool in_cache = false;    ///< the working set stays in the last cache between executions
  double cache_bytes = 0;   ///< moved between cache and multiprocessors
  double shared_bytes = 0;  ///< moved by shared memory, conflicts counted as the bytes that they displace
};

struct Bound {
  double seconds = 0;   ///< 0: no roof that it needs is known
  std::string by;       ///< the roof that decides: `dram_copy`, `shared`, `fma_f32`
  std::string missing;  ///< roofs that were needed and not known, separated by spaces
};

/// The roof under which memory traffic runs: reads alone, writes alone, or both.
[[nodiscard]] std::string_view memory_roof(double bytes_read, double bytes_written, bool in_cache);

[[nodiscard]] Bound least_time(const Demand& demand, const Roofs& roofs);

}  // namespace benchctl::predict
