// What one memory instruction of a warp costs, counted from the addresses of its threads. Pure functions.
//
// Sources: NVIDIA's CUDA C++ Programming Guide, sections on global-memory transactions (a request is served
// in 32-byte sectors of 128-byte lines) and on shared-memory banks (successive 32-bit words belong to
// successive banks; a bank gives one word per cycle, which all threads that ask for it share; 8- and
// 16-byte accesses are served half a warp and a quarter of a warp at a time).
#pragma once

#include <cstdint>
#include <span>

namespace benchctl::predict {

/// What one thread asks for: `bytes` bytes from byte `offset` on.
struct Access {
  std::uint64_t offset = 0;
  std::uint32_t bytes = 0;
};

/// How many pieces of `piece` bytes, aligned to their size, hold a byte that somebody asks for.
[[nodiscard]] std::uint64_t pieces(std::span<const Access> accesses, std::uint32_t piece);

/// Bytes asked for, each once per thread that asks.
[[nodiscard]] std::uint64_t requested_bytes(std::span<const Access> accesses);

/// Distinct bytes asked for over the bytes of the pieces that hold them: 1 when nothing is moved in vain, 0
/// when nothing is asked for.
[[nodiscard]] double efficiency(std::span<const Access> accesses, std::uint32_t piece);

/// Cycles that the banks of shared memory need for one instruction of a warp.
struct BankCycles {
  std::uint32_t cycles = 0;
  std::uint32_t conflict_free = 0;  ///< what it would take with no two words in one bank
  /// cycles over conflict_free: the n of an n-way conflict; 0 when nobody asks for anything.
  [[nodiscard]] double degree() const {
    return conflict_free == 0 ? 0 : static_cast<double>(cycles) / conflict_free;
  }
};

/// `accesses` of one warp in thread order, all of one width, which is a power of two; offsets are multiples
/// of it. Any number of banks of any width.
[[nodiscard]] BankCycles bank_cycles(std::span<const Access> accesses, std::uint32_t banks,
                                     std::uint32_t bank_bytes);

}  // namespace benchctl::predict
