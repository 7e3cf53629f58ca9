// What makes the vendor's libraries ready as variants. All throw Failure: unsupported when the library is
// missing, or does not take the problem.
#pragma once

#include "driver/context.hpp"

namespace benchctl::cuda {

/// matmul/vendor: C (m×n) = A (m×k) · B (k×n), all row-major, as cuBLAS's column-major Cᵀ = Bᵀ · Aᵀ: a
/// row-major matrix is its own transpose to cuBLAS, so that nothing is transposed.
[[nodiscard]] std::unique_ptr<gpu::Work> make_cublas_matmul(Context& context, const Buffers& buffers);
/// reduce/vendor_blas: norm and dot product.
[[nodiscard]] std::unique_ptr<gpu::Work> make_cublas_reduce(Context& context, const Buffers& buffers);
/// transpose/vendor: geam with one operand.
[[nodiscard]] std::unique_ptr<gpu::Work> make_cublas_transpose(Context& context, const Buffers& buffers);
/// matmul/vendor_tf32 and vendor_bf16: f32 matrices with tf32 arithmetic, or bf16 matrices. Runs the
/// algorithm, among those that the library's heuristics propose, which was the fastest on this problem: it
/// runs every candidate a few times, and C holds a product afterwards.
[[nodiscard]] std::unique_ptr<gpu::Work> make_cublaslt_matmul(Context& context, const Buffers& buffers);
/// reduce/vendor: CUB. Only there where nvcc was found. Throws out_of_memory for its temporary memory, too.
[[nodiscard]] std::unique_ptr<gpu::Work> make_cub_reduce(Context& context, const Buffers& buffers);

}  // namespace benchctl::cuda
