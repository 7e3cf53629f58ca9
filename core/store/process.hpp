// Who owns a running run, and whether it still lives.
#pragma once

#include <cstdint>

namespace benchctl {

/// A process of this machine. The number alone is given to another process one day; with the time of
/// its start, in clock ticks since boot, it is unmistakable.
struct ProcessIdentity {
  std::int64_t pid = 0;
  std::uint64_t start_ticks = 0;

  bool operator==(const ProcessIdentity&) const = default;
};

[[nodiscard]] ProcessIdentity this_process();

/// Is that very process there, and not a zombie? Reads /proc/<pid>/stat.
[[nodiscard]] bool is_alive(const ProcessIdentity& process);

}  // namespace benchctl
