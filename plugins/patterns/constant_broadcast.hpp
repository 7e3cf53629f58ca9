// Memory instructions of workload `constant_broadcast`.
#pragma once

#include <benchctl/access_spec.hpp>

namespace benchctl::patterns {

/// Entries of the table that a thread reads, by the tunable `index`; `space` is where the table is.
[[nodiscard]] inline Accesses table_reads(AccessSpace space) {
  const auto read = [space](const char* index, const std::string& entry) {
    return access(space, AccessKind::read, "table", "((" + entry + ") % 256) * 4", "4",
                  std::string("i < n and index == '") + index + "'", "rounds * 256");
  };
  return {read("uniform", "floor_div(i, 32)"), read("divergent", "floor_div(i, 32) + i % 32")};
}

}  // namespace benchctl::patterns
