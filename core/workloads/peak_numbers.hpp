// What the probes of `peaks` have to come out with, computed on the host.
#pragma once

#include "workloads/peak_probes.hpp"
#include "workloads/values.hpp"

#include <vector>

namespace benchctl {

/// Starts of the chains of fma_*; a power of two, so that a vector of them never wraps around.
inline constexpr std::uint64_t fma_chains = 1024;
// The fixed point, shift / (1 - scale), is near ½, on which a chain closes in by one part in 4096 a step,
// from the one side and the other in turn: its bits keep changing, and nothing overflows or becomes
// denormal.
inline constexpr double fma_scale = -1 + 0x1p-12;
inline constexpr double fma_shift = 1;
inline constexpr std::uint64_t shared_piece_words = 4;
inline constexpr std::uint64_t shared_tile_pieces = 1024;

/// The ends of all chains after so many rounds, in the arithmetic of `type` (f32 or f64).
[[nodiscard]] std::vector<double> fma_ends(const RandomStream& stream, DType type, std::uint64_t rounds);

/// Sum of each segment of dram_read, dram_read_apart, cache_read.
[[nodiscard]] std::vector<std::uint64_t> segment_sums(const RandomStream& stream, const PeakShape& shape);

/// What a thread of `shared` that starts at each piece of the tile adds up.
[[nodiscard]] std::vector<std::uint64_t> piece_sums(const RandomStream& stream, std::uint64_t rounds);

/// How many of `n` words dram_read_apart reads.
[[nodiscard]] std::uint64_t words_read_apart(std::uint64_t n);

}  // namespace benchctl
