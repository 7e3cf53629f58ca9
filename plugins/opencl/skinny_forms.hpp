// The forms of matmul/skinny, for products of few columns or rows: which fits a size.
#pragma once

#include "product_tilings.hpp"

#include <vector>

namespace benchctl::opencl {

/// What the kernel file is compiled with; its head and those of its parts say what the words mean.
struct SkinnyForm {
  bool by_columns = false;  ///< few columns, else few rows
  bool packed = false;      ///< rows of the larger operand begin at multiples of 16 bytes
  std::uint32_t rows = 1;   ///< of a work-item
  std::uint32_t columns = 1;
  std::uint32_t lanes = 32;    ///< work-items side by side
  std::uint32_t packs = 1;     ///< of a row that a work-item has under way, where columns are few
  std::uint32_t chunk = 0;     ///< steps of k of the smaller operand that are held
  std::uint64_t part = 0;      ///< steps of k of a group
  std::uint64_t splits = 1;    ///< groups that share a part of C
  std::uint64_t groups = 1;    ///< parts of C
  std::uint32_t together = 2;  ///< groups that a compute unit is to have, where rows are few
};

/// The most columns and rows that `skinny` takes.
inline constexpr std::uint64_t most_skinny_columns = 32;
inline constexpr std::uint64_t most_skinny_rows = 16;

/// For elements of so many bytes. The product has few rows or columns.
[[nodiscard]] SkinnyForm choose_skinny(const ProductSize& size, std::uint64_t element,
                                       std::uint64_t compute_units);

/// Does it take less time than `register_tiled_async`, or `register_tiled`, in whatever tiling? For floats.
/// (Where it does, `strips` may still take less.)
[[nodiscard]] bool skinny_pays(const ProductSize& size, const ProductDevice& device);

/// How long a form for few rows takes, ns, by what has been measured. For floats.
[[nodiscard]] double expected_ns(const ProductSize& size, const SkinnyForm& form,
                                 std::uint64_t compute_units);

/// Of a product of floats the same form and those that are expected to be nearly as quick, the quickest
/// first, `most` at most. Of few columns there is one, of which no time is known: the longest there is.
[[nodiscard]] std::vector<gpu::Ranked<SkinnyForm>> rank_skinny(const ProductSize& size,
                                                               std::uint64_t compute_units,
                                                               std::size_t most);

/// The launch of a problem that has A, B, C, m, n, k in the workload's order. `kernels` is the folder of
/// kernel files.
[[nodiscard]] KernelPlan plan_skinny(const ProblemSpec& problem, const SkinnyForm& form,
                                     const std::filesystem::path& kernels);

/// "4 rows × 16 columns, lanes of 8, 512 held, 8 parts": for notes.
[[nodiscard]] std::string to_text(const SkinnyForm& form);

}  // namespace benchctl::opencl
