// In which order squares of a transpose are written, by how far its rows lie apart.
#pragma once

#include <cstddef>

#include "kernels/transpose_kernels.hpp"

namespace benchctl::cpu_avx {

/// For rows of in and of out that are so many bytes apart, of elements of `element` bytes.
[[nodiscard]] TransposeOrder transpose_order(std::size_t pitch_in, std::size_t pitch_out,
                                             std::size_t element);

}  // namespace benchctl::cpu_avx
