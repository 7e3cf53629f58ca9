// The launch of matmul/skinny for a matrix and up to four vectors under OpenCL.
#pragma once

#include "gpu/vector_forms.hpp"

#include <benchctl/device.hpp>

namespace benchctl::opencl {

/// Whether a warp's lanes can join sums between registers: on NVIDIA's GPUs, whose compiler takes PTX.
[[nodiscard]] bool has_shuffles(const DeviceInfo& device);

/// The launch of a problem that has A, B, C, m, n, k in the workload's order. `kernels` is the folder of
/// kernel files.
[[nodiscard]] KernelPlan plan_vectors(const ProblemSpec& problem, const gpu::VectorForm& form,
                                      bool shuffles, const std::filesystem::path& kernels);

}  // namespace benchctl::opencl
