// What the workload `peaks` can be told to do, with how much, and what must come out.
//
// fma_*       x ← x · scale + shift, `rounds` times, in as many chains as fit into `bytes`. The chains
//             start from a table of 1024 numbers, and a fused multiply-add rounds once: 1024 results,
//             known to the bit.
// mma_*       D ← D + A·B with matrix instructions, `rounds` times, 16 products per round and element of D;
//             `bytes` hold all elements. A is one of three 64 × 16 matrices in turn, B is 16 × 256, D
//             repeats a tile of 64 × 256. All are whole numbers that tf32 and bf16 hold exactly, and the
//             three A add up to a matrix that has a single 1 in every row: D stays small while it grows
//             with every three rounds, exact in float32 (of mma_f64: in float64), and no round can be left
//             out unnoticed.
// dram_read   sums of 32-bit words, one for each segment of 64 KiB: no word can be left out unnoticed.
// dram_read_apart
//             the same over every other piece of 64 bytes: what a memory delivers when nobody wants the
//             neighbours of what it reads. Its bytes are those of the pieces that are read.
// cache_read  the same over a buffer that stays in a cache, `rounds` times. Sum number s belongs to segment
//             s mod (count of segments).
// shared      each of bytes / 4 threads adds up `rounds` pieces of 16 bytes out of a tile of 16 KiB that
//             every block holds in shared (local) memory. Its bytes are those read from shared memory.
// dram_write, dram_copy, dram_triad
//             one store, a load and a store, two loads and a store per element.
// launch      one word: what it costs to start anything at all.
#pragma once

#include <benchctl/problem.hpp>
#include <benchctl/rounding.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "workloads/values.hpp"

namespace benchctl {

enum class PeakProbe : std::uint8_t {
  fma_f32,
  fma_f64,
  mma_tf32,
  mma_bf16,
  mma_f64,
  dram_read,
  dram_read_apart,
  dram_write,
  dram_copy,
  dram_triad,
  cache_read,
  shared,
  launch
};

BENCHCTL_WORDS(PeakProbe, fma_f32, fma_f64, mma_tf32, mma_bf16, mma_f64, dram_read, dram_read_apart,
               dram_write, dram_copy, dram_triad, cache_read, shared, launch)

inline constexpr std::uint64_t segment_words = 16384;

/// A probe and its size.
struct PeakShape {
  PeakProbe probe = PeakProbe::launch;
  std::uint64_t bytes = 0;
  std::uint64_t n = 0;  ///< elements of `bytes`
  std::uint64_t rounds = 1;

  [[nodiscard]] std::uint64_t segments() const { return ceil_div(n, segment_words); }
  [[nodiscard]] std::uint64_t sums() const { return segments() * rounds; }
};

/// From the parameters `probe`, `bytes`, `rounds`. ProblemError for what no kernel could do.
[[nodiscard]] PeakShape peak_shape(const Parameters& parameters);

/// What probes have in common. Those before `write` may have several rounds.
enum class PeakFamily : std::uint8_t { fma, mma, sums, shared, write, copy, triad, launch };
[[nodiscard]] PeakFamily family_of(PeakProbe probe);
/// Type of the numbers of fma_* and mma_*.
[[nodiscard]] DType real_type(PeakProbe probe);

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

/// How many words dram_read, dram_read_apart or cache_read reads in a round.
[[nodiscard]] std::uint64_t words_read(const PeakShape& shape);

inline constexpr std::uint64_t mma_rows = 64;
inline constexpr std::uint64_t mma_columns = 256;
inline constexpr std::uint64_t mma_depth = 16;  // products per round
inline constexpr std::uint64_t mma_slabs = 3;   // matrices A
inline constexpr std::uint64_t mma_tile = mma_rows * mma_columns;
/// For as many sums stay exact in float32, see peak_numbers.cpp.
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
