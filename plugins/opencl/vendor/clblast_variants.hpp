// What makes CLBlast's functions ready as variants, in f32 and f64. All throw Failure: unsupported when the
// library is missing, or does not take the problem.
#pragma once

#include "device.hpp"

namespace benchctl::opencl {

/// C = A · B.
[[nodiscard]] std::unique_ptr<gpu::Work> make_clblast_matmul(Device& device, const Buffers& buffers);
/// Σ x, √Σ x² or Σ x·y, by the problem's `op`.
[[nodiscard]] std::unique_ptr<gpu::Work> make_clblast_reduce(Device& device, const Buffers& buffers);
/// out = inᵀ.
[[nodiscard]] std::unique_ptr<gpu::Work> make_clblast_transpose(Device& device, const Buffers& buffers);

}  // namespace benchctl::opencl
