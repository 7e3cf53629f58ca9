// Memory instructions of workload `shared_stride`.
#pragma once

#include <benchctl/access_spec.hpp>

namespace benchctl::patterns {

/// Threads read words of `word` bytes, a row of 32 bytes per round; rows are `stride` + `padding` words
/// apart. All three are tunables.
[[nodiscard]] inline Accesses shared_rows() {
  return {access(AccessSpace::shared, AccessKind::read, "rows", "(t % 32) * (stride + padding) * word",
                 "word", "true", "rounds * 32 / word")};
}

}  // namespace benchctl::patterns
