// The matrices that peaks' probes mma_* multiply, and what must come out.
#pragma once

#include "workloads/values.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace benchctl {

inline constexpr std::uint64_t mma_rows = 64;
inline constexpr std::uint64_t mma_columns = 256;
inline constexpr std::uint64_t mma_depth = 16;  // products per round
inline constexpr std::uint64_t mma_slabs = 3;   // matrices A
inline constexpr std::uint64_t mma_tile = mma_rows * mma_columns;
/// For as many sums stay exact in float32, see mma_numbers.cpp.
inline constexpr std::uint64_t mma_most_rounds = 131072;

/// Elements of the matrices A, mma_rows × (mma_slabs · mma_depth) row by row, or of B, mma_depth ×
/// mma_columns, from number `first` on: whole numbers that tf32 and bf16 hold exactly, as float32 or
/// float64.
void draw_mma_numbers(const RandomStream& stream, bool is_a, DType type, std::uint64_t first,
                      std::span<std::byte> out);

/// A tile of D, mma_rows × mma_columns row by row, after so many rounds, which take the A in turn.
[[nodiscard]] std::vector<double> mma_sums(const RandomStream& a, const RandomStream& b,
                                           std::uint64_t rounds);

}  // namespace benchctl
