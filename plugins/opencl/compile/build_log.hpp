// What NVIDIA's compiler tells of its kernels in the build log (option -cl-nv-verbose).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace benchctl::opencl {

struct KernelUsage {
  std::uint64_t registers = 0;    ///< per work-item
  std::uint64_t spill_bytes = 0;  ///< spill stores and loads together, per work-item
};

/// Usage by kernel name. Empty for a log that has no such report.
[[nodiscard]] std::map<std::string, KernelUsage, std::less<>> parse_build_log(std::string_view log);

}  // namespace benchctl::opencl
