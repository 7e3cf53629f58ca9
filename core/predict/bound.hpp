// From what is moved and computed to the time that it must take: the largest of the bounds that measured
// roofs give, and what it costs to launch. Source of the idea: the roofline model (Williams, Waterman,
// Patterson, CACM 52, 2009), here with a roof for each level of memory that is counted.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "predict/traffic.hpp"

namespace benchctl::predict {

/// Measured roofs of one device, by probe of the workload `peaks`: bytes or operations per second
/// (`dram_read`, `dram_read_apart`, `dram_write`, `dram_copy`, `dram_triad`, `cache_read`, `shared`,
/// `fma_f32`, `fma_f64`, …), and executions per second of a kernel that does nothing, by how they were
/// measured (`launch`, `launch_ungated`, `launch_host_sync`).
using Roofs = std::map<std::string, double, std::less<>>;

/// What a launch adds to the time of a kernel.
enum class LaunchCost : std::uint8_t {
  before,  ///< a kernel begins when it has been launched: the times add up
  beside   ///< the host launches while the device works: the longer of both decides
};

/// What an execution needs.
struct Demand {
  double flops = 0;
  std::string flop_roof;  ///< `fma_f32`: which roof its operations run under
  double bytes_read = 0;  ///< from the memory level that the working set lives in
  double bytes_written = 0;
  double bytes_apart = 0;   ///< the part of bytes_read in isolated pieces of memory
  bool in_cache = false;    ///< the working set stays in the last cache between executions
  double cache_bytes = 0;   ///< moved between cache and multiprocessors
  double shared_bytes = 0;  ///< moved by shared memory, conflicts counted as the bytes that they displace
  double launches = 1;      ///< one after the other
  std::string launch_roof;  ///< empty: none applies
  LaunchCost launch_cost = LaunchCost::before;
};

struct Bound {
  double seconds = 0;   ///< 0: no roof that it needs is known
  std::string by;       ///< the roof that decides: `dram_copy`, `shared`, `fma_f32`
  std::string missing;  ///< roofs that were needed and not known, separated by spaces
};

/// The time of memory traffic. As many bytes as are read *and* written run under the roof of copies, those
/// that one direction has more under that of reads or writes, or of copies where that is not known: one
/// memory serves both, and turning around costs time. (Checked with the triad, two reads to a write: 4378
/// GB/s computed from copies and reads, 4395 measured on an H200.) Those of the bytes read that lie in
/// pieces without neighbours take as much longer as reading such pieces alone does, where that has been
/// measured.
[[nodiscard]] Bound memory_time(double bytes_read, double bytes_written, const Roofs& roofs,
                                double bytes_apart = 0);

[[nodiscard]] Bound least_time(const Demand& demand, const Roofs& roofs);

}  // namespace benchctl::predict
