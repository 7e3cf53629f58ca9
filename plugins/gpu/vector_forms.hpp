// The forms of matmul/skinny for a matrix and up to four vectors: which fits a size. The kernel is the same
// in all languages.
#pragma once

#include "gpu/product_size.hpp"

#include <benchctl/kernel_spec.hpp>
#include <benchctl/problem.hpp>

#include <filesystem>
#include <string>

namespace benchctl::gpu {

/// What the kernel file is compiled with; its head says what the words mean.
struct VectorForm {
  bool by_columns = false;     ///< few columns, else few rows
  bool packed = false;         ///< rows of the larger operand begin at multiples of 16 bytes
  std::uint32_t rows = 1;      ///< of C per warp, or all of C
  std::uint32_t columns = 1;   ///< of C, where they are few
  std::uint32_t share = 1;     ///< warps that share rows of C, where columns are few
  std::uint32_t lanes = 32;    ///< along a row of B, where rows are few
  std::uint32_t together = 8;  ///< loads that a lane has under way, of each row where columns are few
  std::uint32_t warps = 8;     ///< of a block
  std::uint32_t resident = 2;  ///< blocks of a multiprocessor that registers are planned for
  std::uint32_t splits = 1;    ///< blocks that share a part of C
  std::uint64_t blocks = 1;    ///< parts of C
};

/// The most columns or rows of C.
inline constexpr std::uint64_t most_vectors = 4;

[[nodiscard]] constexpr bool are_vectors(const ProductSize& size) {
  return size.m <= most_vectors || size.n <= most_vectors;
}

/// For elements of so many bytes. The product has few rows or columns. Throws Failure(unsupported) where k
/// is within 2048 of 2^31.
[[nodiscard]] VectorForm choose_vectors(const ProductSize& size, std::uint32_t element,
                                        std::uint64_t compute_units);

/// The launch of a problem that has A, B, C, m, n, k in the workload's order. `source` is the kernel file.
[[nodiscard]] KernelPlan plan_vectors(const ProblemSpec& problem, const VectorForm& form,
                                      const std::filesystem::path& source);

/// "4 rows per warp, 4 of 8 warps share them, 2 columns, 1 parts": for notes.
[[nodiscard]] std::string to_text(const VectorForm& form);

}  // namespace benchctl::gpu
