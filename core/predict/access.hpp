// What one memory instruction of a warp costs, counted from the addresses of its threads. Pure functions.
//
// Sources: NVIDIA's CUDA C++ Programming Guide, sections on global-memory transactions (a request is served
// in 32-byte sectors of 128-byte lines), on shared-memory banks (successive 32-bit words belong to
// successive banks; a bank gives one word per cycle, which all threads that ask for it share; 8- and
// 16-byte accesses are served half a warp and a quarter of a warp at a time) and on constant memory (a
// request is split into as many as there are different addresses in it).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace benchctl::predict {

/// What one thread asks for: `bytes` bytes from byte `offset` on.
struct Access {
  std::uint64_t offset = 0;
  std::uint32_t bytes = 0;
};

/// Bytes [begin, end).
struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool operator==(const Extent&) const = default;
};

/// All bytes that somebody asks for, each once: extents in ascending order with gaps between them.
[[nodiscard]] std::vector<Extent> united(std::span<const Access> accesses);

/// Bytes of such extents.
[[nodiscard]] std::uint64_t length(std::span<const Extent> extents);

/// How many pieces of `piece` bytes, aligned to their size, hold a byte of such extents.
[[nodiscard]] std::uint64_t pieces(std::span<const Extent> extents, std::uint32_t piece);
/// The same of what accesses ask for.
[[nodiscard]] std::uint64_t pieces(std::span<const Access> accesses, std::uint32_t piece);

/// How many pieces of `piece` bytes hold a part of `part` bytes that the extents cover neither wholly nor
/// not at all. `part` divides `piece`. Bytes from `limit` on do not exist; 0: there is no end.
[[nodiscard]] std::uint64_t pieces_with_gaps(std::span<const Extent> extents, std::uint32_t part,
                                             std::uint32_t piece, std::uint64_t limit = 0);

/// Bytes asked for, each once per thread that asks.
[[nodiscard]] std::uint64_t requested_bytes(std::span<const Access> accesses);

/// In how many turns a memory serves one instruction of a warp.
struct Turns {
  std::uint32_t cycles = 0;
  std::uint32_t conflict_free = 0;  ///< what it would take with no conflict
};

/// Cycles of the banks of shared memory. `accesses` of one warp in thread order, all of one width, which is
/// a power of two; offsets are multiples of it. Any number of banks of any width.
[[nodiscard]] Turns bank_cycles(std::span<const Access> accesses, std::uint32_t banks,
                                std::uint32_t bank_bytes);

/// Turns of constant memory: one for each address that a thread of the warp asks for.
[[nodiscard]] Turns constant_turns(std::span<const Access> accesses);

}  // namespace benchctl::predict
