// Memory instructions of workload `bank_conflicts`: blocks of 16 × 16 threads.
#pragma once

#include <benchctl/access_spec.hpp>

namespace benchctl::patterns {

/// Index of a thread's element along the rows of its block, and across.
inline constexpr const char* along_x = "tx + 16 * ty";
inline constexpr const char* along_y = "ty + 16 * tx";

/// Loaded into shared memory, doubled there, stored: one load and one store on each side twice.
[[nodiscard]] inline Accesses doubled_in_shared_memory(const std::string& shared_index,
                                                       const std::string& global_index) {
  const std::string element = "(bx * 256 + " + global_index + ") * 4";
  const std::string slot = "(" + shared_index + ") * 4";
  return {access(AccessSpace::global, AccessKind::read, "in", element, "4"),
          access(AccessSpace::shared, AccessKind::write, "block", slot, "4", "true", "2"),
          access(AccessSpace::shared, AccessKind::read, "block", slot, "4", "true", "2"),
          access(AccessSpace::global, AccessKind::write, "out", element, "4")};
}

}  // namespace benchctl::patterns
