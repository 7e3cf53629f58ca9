// transpose/swizzled_best: in which of its ways the kernel file of `swizzled` takes a matrix, by size and
// type. The kernel files of CUDA and OpenCL have the same ways, and both plugins are compiled with this.
#pragma once

#include <benchctl/kernel_spec.hpp>
#include <benchctl/problem.hpp>

#include <cstdint>
#include <filesystem>

namespace benchctl::gpu {

struct TransposeSize {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint32_t element = 4;  ///< bytes
};

/// What the kernel file is compiled with; its head and those of its parts say what the words mean.
struct TransposeWay {
  bool packed = false;
  bool small = false;
  bool direct = false;  ///< small, one element as a pack
  bool flat = false;
  bool tall = false;
  std::uint32_t run = 0;     ///< rows of in of a tile
  std::uint32_t across = 0;  ///< columns of in of a tile
  std::uint32_t before = 0;
  std::uint32_t band = 0;
  std::uint32_t threads = 256;  ///< of a block, or work-items of a group
};

[[nodiscard]] TransposeWay choose_transpose(const TransposeSize& size, std::uint32_t compute_units);

/// The launch of a problem with buffers in and out and scalars rows and columns. `source` is the kernel
/// file, `threads_macro` what it calls the number of threads.
[[nodiscard]] KernelPlan plan_transpose(const ProblemSpec& problem, const TransposeSize& size,
                                        const TransposeWay& way, const std::filesystem::path& source,
                                        const char* threads_macro);

/// The size of such a problem.
[[nodiscard]] TransposeSize transpose_size(const ProblemSpec& problem);

/// "small", "direct", "flat", "tall", "packed" or "shifted", and the tile: for notes.
[[nodiscard]] std::string to_text(const TransposeWay& way);

}  // namespace benchctl::gpu
