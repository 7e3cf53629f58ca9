// How generations of NVIDIA's hardware serve one memory instruction, as data, so that the published figures
// of old cards can be counted again without the cards.
//
// Source: NVIDIA's CUDA C Programming Guide, versions 2.3 to 4.2, appendix on compute capabilities,
// sections on global and shared memory; for later hardware the sections that access.hpp names.
#pragma once

#include "predict/access.hpp"
#include "predict/pattern.hpp"

#include <array>
#include <string_view>

namespace benchctl::predict {

/// Which pieces of memory the accesses of a group of threads become.
enum class Coalescing : std::uint8_t {
  in_order,        ///< one segment if thread n asks for word n of it, else a piece for each thread
  least_segments,  ///< segments of 32, 64 or 128 bytes by the width of a word, halved while one half is
                   ///< unused
  pieces           ///< all aligned pieces that hold a byte
};

struct RuleSet {
  std::string_view id;  ///< as `explain --rules` takes it
  std::string_view doc;
  std::uint32_t group = 32;  ///< threads that are served together
  Coalescing coalescing = Coalescing::pieces;
  std::uint32_t load_bytes = 32;   ///< size of the piece that a load moves
  std::uint32_t store_bytes = 32;  ///< size of the piece that a store moves
  std::uint32_t banks = 32;        ///< banks of shared memory, 4 bytes wide
};

inline constexpr std::array<RuleSet, 6> rule_sets{
    {{"cc1.0", "compute capability 1.0 and 1.1: half-warps, thread n must access word n of one segment", 16,
      Coalescing::in_order, 32, 32, 16},
     {"cc1.2", "compute capability 1.2 and 1.3: half-warps, segments of 32, 64 or 128 bytes", 16,
      Coalescing::least_segments, 32, 32, 16},
     {"cc2.0", "compute capability 2.x: loads in 128-byte lines of the first-level cache", 32,
      Coalescing::pieces, 128, 32, 32},
     {"cc2.0-l2", "compute capability 2.x without the first-level cache: 32-byte pieces", 32,
      Coalescing::pieces, 32, 32, 32},
     {"cc3.0", "compute capability 3.x: loads from global memory bypass the first-level cache", 32,
      Coalescing::pieces, 32, 32, 32},
     {"today", "compute capability 5.0 and later: 32-byte sectors of 128-byte lines", 32,
      Coalescing::pieces, 32, 32, 32}}};

/// Null if there is none.
[[nodiscard]] const RuleSet* find_rules(std::string_view id);

/// Memory transactions of one group of threads.
struct Transactions {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;  ///< bytes moved
};

/// `accesses` of neighbouring threads, in their order, `rules.group` at most.
[[nodiscard]] Transactions transactions(std::span<const Access> accesses, AccessKind kind,
                                        const RuleSet& rules);

/// What rules make of one memory instruction, over all groups of the sampled threads.
struct AccessCost {
  std::uint64_t requests = 0;  ///< groups in which somebody takes part
  std::uint64_t transactions = 0;
  std::uint64_t moved_bytes = 0;
  std::uint64_t used_bytes = 0;  ///< asked for, each byte once for each request
  std::uint64_t turns = 0;       ///< turns in which shared or constant memory serves them
  std::uint64_t best_turns = 0;  ///< the same without conflicts

  /// Used over moved bytes; 0 for shared and constant memory, and if nobody takes part.
  [[nodiscard]] double efficiency() const {
    return moved_bytes == 0 ? 0 : static_cast<double>(used_bytes) / static_cast<double>(moved_bytes);
  }
  /// The n of n-way conflicts; 0 for global memory.
  [[nodiscard]] double conflict_degree() const {
    return best_turns == 0 ? 0 : static_cast<double>(turns) / static_cast<double>(best_turns);
  }
};

[[nodiscard]] AccessCost access_cost(const Pattern& pattern, const RuleSet& rules);

}  // namespace benchctl::predict
