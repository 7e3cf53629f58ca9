// What a backend tells about a device before any point runs on it.
#pragma once

#include <benchctl/types.hpp>

#include <vector>

namespace benchctl {

/// Limits that rule points out before anything is compiled. 0 means "unknown": no point is ruled out
/// by it.
struct DeviceLimits {
  std::uint64_t memory_bytes = 0;            ///< total device memory
  std::uint64_t max_allocation_bytes = 0;    ///< largest single buffer
  std::uint64_t local_memory_bytes = 0;      ///< shared / local memory that one block may use
  std::uint64_t max_block_threads = 0;       ///< work-items per work-group, threads per block
  std::array<std::uint64_t, 3> max_block{};  ///< the same per dimension
  std::array<std::uint64_t, 3> max_grid{};   ///< blocks per dimension
};

/// The pieces in which a device moves memory; access patterns are counted in them. 0 means "unknown" or
/// "does not exist".
struct MemoryGeometry {
  std::uint32_t warp = 0;        ///< threads whose accesses are served together
  std::uint32_t sector = 0;      ///< bytes that a request moves at least
  std::uint32_t line = 0;        ///< bytes of a cache line
  std::uint32_t dram = 0;        ///< bytes that a miss of the last cache fetches
  std::uint32_t banks = 0;       ///< banks of shared (local) memory
  std::uint32_t bank_bytes = 0;  ///< width of a bank
};

/// One device.
struct DeviceInfo {
  /// Unique within the backend and stable from call to call: `0`, `pocl:0`. Users write
  /// `backend:id`, e.g. `cuda:0`.
  std::string id;
  std::string name;                   ///< the vendor's product name
  std::string vendor;                 ///< who made it, as the driver says
  DeviceType type = DeviceType::cpu;  ///< simulators are never chosen by default
  std::string driver;                 ///< driver or runtime with its version
  std::string architecture;           ///< what kernels are compiled for: `sm_90a`, `x86-64-avx512`, …
  /// Identity of the hardware, the same under every backend: `pci:0000:65:00.0`, `cpu:package-0`.
  /// Two lanes with one identity share a device.
  std::string physical;
  std::uint32_t compute_units = 0;           ///< multiprocessors, OpenCL compute units, cores
  std::uint64_t last_level_cache_bytes = 0;  ///< 0: unknown
  double timer_step_ns = 0;                  ///< smallest step of the timer behind `basis = device`
  /// Most executions that one sample may queue.
  std::uint32_t max_batch = 1;
  bool fp64 = false;      ///< does it compute in float64?
  bool fp16 = false;      ///< does it compute in f16? Any device may store it
  DeviceLimits limits;    ///< what rules points out
  MemoryGeometry memory;  ///< what predictions count in
  /// Instruction sets, OpenCL extensions and the like that a variant may require, by name.
  std::vector<std::string> features;
  /// Other facts (ECC, clocks …) for the environment record, not what is free: such names are dropped.
  /// `uuid` and `compiler` (name and version, unless it is the driver's) are part of content keys, too.
  std::map<std::string, std::string, std::less<>> properties;
};

/// Devices of a backend. `unavailable` holds the reason when there are none ("no CUDA driver").
struct DeviceList {
  std::vector<DeviceInfo> devices;  ///< with ids that stay the same from call to call
  std::string unavailable;          ///< empty if there is a device
};

}  // namespace benchctl
