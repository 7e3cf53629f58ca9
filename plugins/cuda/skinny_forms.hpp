// The forms of matmul/skinny, for products of few rows or columns, more than four: which fits a size.
#pragma once

#include "product_tilings.hpp"

#include <vector>

namespace benchctl::cuda {

/// What the kernel file is compiled with; its head says what the words mean.
struct SkinnyForm {
  bool by_columns = false;    ///< few columns, else few rows
  bool packed = false;        ///< rows of the larger operand begin at multiples of 16 bytes
  std::uint32_t rows = 1;     ///< of C per warp, or all of C
  std::uint32_t columns = 1;  ///< of C, where they are few
  std::uint32_t warps = 8;    ///< of a block
  std::uint32_t lanes = 32;   ///< threads side by side along a row of B, where rows are few
  std::uint32_t ahead = 4;    ///< rows of B that each team of them has under way
  std::uint32_t resident =
      2;  ///< blocks of a multiprocessor that registers are planned for, where rows are few
  std::uint32_t chunk = 0;   ///< steps of k of A that a block holds
  std::uint32_t splits = 1;  ///< blocks that share a part of C
  std::uint64_t blocks = 1;  ///< parts of C
};

/// The most columns and rows that `skinny` takes.
inline constexpr std::uint64_t most_skinny_columns = 32;
inline constexpr std::uint64_t most_skinny_rows = 16;

/// For elements of so many bytes. The product has few rows or columns.
[[nodiscard]] SkinnyForm choose_skinny(const ProductSize& size, std::uint32_t element,
                                       std::uint64_t compute_units);

/// Of a product of few rows, more than four, and more columns than few, of floats: all forms, the quickest
/// first by what has been measured, `most` at most.
[[nodiscard]] std::vector<gpu::Ranked<SkinnyForm>> rank_few_rows(const ProductSize& size,
                                                                 std::uint64_t compute_units,
                                                                 std::size_t most);

/// How long a form for few rows takes, ns, by what has been measured with floats.
[[nodiscard]] double expected_ns(const ProductSize& size, const SkinnyForm& form, std::uint64_t element,
                                 std::uint64_t compute_units);

/// Does a product of few rows of floats, more than four, take less time so than in tiles or strips?
[[nodiscard]] bool skinny_pays(const ProductSize& size, const ProductDevice& device);

/// The launch of a problem that has A, B, C, m, n, k in the workload's order. `kernels` is the folder of
/// kernel files.
[[nodiscard]] KernelPlan plan_skinny(const ProblemSpec& problem, const SkinnyForm& form,
                                     const std::filesystem::path& kernels);

/// "4 rows per warp of few columns, 8 warps, 4 parts": for notes.
[[nodiscard]] std::string to_text(const SkinnyForm& form);

}  // namespace benchctl::cuda
