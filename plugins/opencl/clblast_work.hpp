// The `vendor` variant of matmul: CLBlast's GEMM.
#pragma once

#include "buffers.hpp"
#include "work.hpp"

#include <memory>

namespace benchctl::opencl {

/// C = A · B by CLBlast, in the problem's type. Runs once on a copy of C, so that its kernels are chosen
/// and compiled here and not in a sample. Failure unsupported when the library is missing.
[[nodiscard]] std::unique_ptr<Work> make_clblast_matmul(const OpenDevice& device, const Buffers& buffers);

}  // namespace benchctl::opencl
