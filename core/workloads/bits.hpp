// Buffers of plain bits: random ones for inputs, and outputs that are right only if every bit is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "workloads/generator.hpp"
#include "workloads/workload.hpp"

namespace benchctl {

/// A 32-bit word, in bytes.
inline constexpr std::uint64_t word_bytes = sizeof(std::uint32_t);
/// The index of the worst element where none is wrong.
inline constexpr std::uint64_t no_element = ~std::uint64_t{0};

/// Bytes [first, first + out.size()) of a stream: the 64 bits at each position of it, the lowest byte
/// first. Eight times as quick as drawing an element for each byte.
void random_bytes(const RandomStream& stream, std::uint64_t first, std::span<std::byte> out);
/// Word number `index` of what random_bytes gives, four bytes each, the lowest first.
[[nodiscard]] inline std::uint32_t random_word(const RandomStream& stream, std::uint64_t index) {
  return static_cast<std::uint32_t>(stream.bits(index / 2) >> (index % 2 * 32));
}

/// Writes the bytes that a slice of a buffer must hold, from byte `first` on; slices start at multiples of
/// its elements. Called from several threads at once.
using BitTruth = std::function<void(std::uint64_t first, std::span<std::byte> out)>;

/// Compares every element of an output, bit by bit. `error_norm` is the share of wrong elements.
[[nodiscard]] Verification check_bits(const ProblemSpec& spec, std::size_t buffer, const BitTruth& truth,
                                      const BufferReader& read);

}  // namespace benchctl
