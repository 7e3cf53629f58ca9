// Local memory beyond what a driver reports: NVIDIA's says 48 KB, which is what CUDA promises without
// asking for more, and compiles and runs kernels that declare more nevertheless. Nobody promises that, so
// it is tried out.
#pragma once

#include <cstdint>

namespace benchctl::opencl {

struct OpenDevice;

/// What a block may have on NVIDIA's GPUs of a compute capability (90 for 9.0), bytes, as the CUDA C++
/// Programming Guide has it; 0 for others than those.
[[nodiscard]] std::uint64_t local_memory_of(std::uint32_t compute_capability);

/// Whether a kernel that declares so many bytes is compiled, runs in many groups at once, and finds in them
/// what it wrote.
[[nodiscard]] bool takes_local_memory(const OpenDevice& device, std::uint64_t bytes);

}  // namespace benchctl::opencl
