// What the processor and the operating system let this process use, from the affinity mask, sysfs and
// cpuid. Works without sysfs (containers, sandboxes): then every logical processor counts as a core.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace benchctl::cpu_avx {

struct Topology {
  /// One logical processor per usable core, in the order in which threads are placed.
  std::vector<int> cores;
  /// All logical processors of the affinity mask.
  std::vector<int> logical;
  /// Size of the largest single last-level cache that one of the cores uses; 0: unknown.
  std::uint64_t last_level_cache_bytes = 0;
  /// Sum over the distinct last-level caches of the cores; 0: unknown.
  std::uint64_t last_level_cache_total_bytes = 0;
  std::uint64_t l1d_bytes = 0;
  std::uint64_t l2_bytes = 0;
};

/// Reads it for the calling thread's affinity mask, which must not be narrowed at that moment.
[[nodiscard]] Topology read_topology();

/// Instruction sets by their names in DeviceInfo::features and /proc/cpuinfo: those that both processor
/// and operating system support, less those named in the environment variable
/// BENCHCTL_CPU_AVX_DISABLE (comma-separated).
[[nodiscard]] std::vector<std::string> cpu_features();

/// Has this processor one unit for shuffles of 512 bits and two for those of 256? Intel's have since Ice
/// Lake, before that one for both; AMD's have as many for either, or halves of one.
[[nodiscard]] bool half_vectors_shuffle_faster();

/// Does a store whose line is not in the first cache hold up those behind it so long that it pays to ask
/// for lines before they are written? Measured on a Sapphire Rapids, where it does, and on a Zen 5, where
/// it does not; taken to be so of Intel's cores since Ice Lake.
[[nodiscard]] bool stores_wait_for_lines();

/// More floating-point operations per second than so many cores can do in any way: their widest
/// instructions in every cycle of a clock that no processor exceeds. Sources: Intel's and AMD's
/// optimization manuals (operations per cycle), the highest clock of any x86-64 processor sold so far (6.2
/// GHz).
[[nodiscard]] double most_operations_per_second(std::size_t cores);

struct CpuIdentity {
  std::string name;
  std::string vendor;
  std::string microcode;  ///< empty: unknown
};
[[nodiscard]] CpuIdentity read_identity();

/// Main memory that this process may use: what is installed or what its control groups allow.
[[nodiscard]] std::uint64_t memory_limit_bytes();

}  // namespace benchctl::cpu_avx
