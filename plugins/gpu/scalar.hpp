// Scalars as kernels take them.
#pragma once

#include <benchctl/problem.hpp>

#include <cstdint>

namespace benchctl::gpu {

/// The bytes of the scalar's own type in the low end of a 64-bit word, as a little-endian machine lays out
/// a kernel argument; the others are 0. Throws Failure(unsupported) for a value that does not fit.
[[nodiscard]] std::uint64_t argument_word(const ScalarSpec& scalar);

}  // namespace benchctl::gpu
