// What variants that multiply on tensor cores have in common, most of them in numbers narrower than f32.
#pragma once

#include "table.hpp"

#include <string>

namespace benchctl::cuda {

/// bf16 matrices, f32 matrices rounded to tf32 on the way into the tensor cores, or f32 matrices each as
/// the sum of two in tf32, of whose four products three count.
enum class Narrow : std::uint8_t { bf16, tf32, three_tf32 };

/// How many tiles C has.
inline constexpr const char* tiles = "ceil_div(m, tile_m) * ceil_div(n, tile_n)";

[[nodiscard]] VariantInfo narrow_variant(const char* name, const char* doc, Narrow type);

/// Bytes of an element of A and B, and how many elements 16 bytes and 128 bytes have, as text.
[[nodiscard]] std::string element_size(Narrow type);
[[nodiscard]] std::string elements_of(Narrow type, int bytes);

/// Derived values of a variant whose rows may have to be copied: `repack_a`, `repack_b` (1 where rows of A,
/// of B do not begin at multiples of 16 bytes and `unless`, a condition, does not hold), `repacked` (1 for
/// either), `a_row` (elements from row to row of A's copy).
void derive_repacking(KernelSpec& kernel, Narrow type, const std::string& unless = "false");

/// Puts before the other launches the one that makes the copies, in scratch buffers `rows_of_a` and
/// `rows_of_b`: A's where `a_copies` is 1. Where it is 2, A becomes the sum of `rows_of_a` and `rest_of_a`.
/// Behind derive_repacking.
void add_repacking(KernelSpec& kernel, Narrow type, const std::string& a_copies = "repack_a");

/// Added to KernelSpec::effort: an element that is copied passes through memory for as long as a
/// multiprocessor takes for some 600 products (an H100: 3.3 TB/s beside 990 Tflop/s in bf16 and half of
/// them in tf32).
inline constexpr const char* effort_of_copies =
    " + (repack_a * m * k + repack_b * k * n) * 600 / compute_units";

/// Launch arguments: the matrix or its copy.
inline constexpr const char* a_or_copy = "if(repack_a == 1, 'rows_of_a', 'A')";
inline constexpr const char* b_or_copy = "if(repack_b == 1, 'rows_of_b', 'B')";

}  // namespace benchctl::cuda
