// Large buffers of a processor in pages of 2 MB.
#pragma once

#include "driver/handles.hpp"

#include <cstdint>

namespace benchctl::opencl {

/// Below, cpu_avx asks for none either.
constexpr std::uint64_t worth_huge_pages = std::uint64_t{4} << 20;

/// A buffer in memory of this process that begins with a page of 2 MB, asks for such pages and is given
/// back with the buffer: cpu_avx's have the same. A driver's own memory begins anywhere, so that less of it
/// can lie in such pages, of 4 MB half. The handle is empty, and `status` says why, when it could not be
/// had.
[[nodiscard]] BufferHandle buffer_on_huge_pages(cl_context context, std::uint64_t bytes, cl_int* status);

}  // namespace benchctl::opencl
