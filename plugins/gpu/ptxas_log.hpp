// What ptxas reports of a kernel: NVRTC with --ptxas-options=-v, NVIDIA's OpenCL with -cl-nv-verbose.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace benchctl::gpu {

struct KernelUsage {
  std::uint64_t registers = 0;     ///< per thread
  std::uint64_t shared_bytes = 0;  ///< static, per block
  std::uint64_t local_bytes = 0;   ///< stack frame, per thread
  /// Constant memory, the module's variables included, without bank 0, which holds the kernel's parameters.
  /// Nothing where ptxas does not report constant banks (from sm_90 on).
  std::optional<std::uint64_t> constant_bytes;
  std::uint64_t spill_store_bytes = 0;  ///< per thread
  std::uint64_t spill_load_bytes = 0;   ///< per thread
  [[nodiscard]] std::uint64_t spill_bytes() const { return spill_store_bytes + spill_load_bytes; }
};

/// Usage by entry point; other lines are skipped.
[[nodiscard]] std::map<std::string, KernelUsage, std::less<>> parse_ptxas_log(std::string_view log);

}  // namespace benchctl::gpu
