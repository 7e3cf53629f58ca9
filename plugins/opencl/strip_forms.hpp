// Which form of matmul/strips for which product under OpenCL.
#pragma once

#include "gpu/strip_forms.hpp"

#include "product_tilings.hpp"

#include <filesystem>
#include <vector>

namespace benchctl::opencl {

using gpu::StripForm;

/// The quickest for a product, by what has been measured, that has room on a device. Throws
/// Failure(unsupported) where none has.
[[nodiscard]] StripForm choose_strips(const ProductSize& size, const ProductDevice& device);

/// The same form and those that are expected to be nearly as quick, see gpu::rank_strips.
[[nodiscard]] std::vector<gpu::Ranked<StripForm>> rank_strips(const ProductSize& size,
                                                              const ProductDevice& device,
                                                              std::size_t most);

/// Does it take less time than `register_tiled_async` in whatever tiling? Never on a device without
/// cp.async.
[[nodiscard]] bool strips_pay(const ProductSize& size, const ProductDevice& device);

/// The launch of a problem that has A, B, C, m, n, k in the workload's order. `kernels` is the folder of
/// kernel files.
[[nodiscard]] KernelPlan plan_strips(const ProblemSpec& problem, const ProductSize& size,
                                     const StripForm& form, bool cp_async,
                                     const std::filesystem::path& kernels);

}  // namespace benchctl::opencl
