// Cores and memory near a card: where the process that drives it should run.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// Where a worker runs. Nothing in it: anywhere.
struct Place {
  std::vector<int> cores;               ///< numbers of logical processors, rising
  std::optional<int> memory_node = {};  ///< NUMA node
  std::string doubt;                    ///< why it is not bound, or shares its cores; empty: it has its own

  bool operator==(const Place&) const = default;
};

/// Places by physical identity. Each card with a PCI address gets cores of its NUMA node, as
/// `local_cpulist` in sysfs tells them, of those in `allowed`. Cards of one node get different cores, never
/// two threads of one core; where there are fewer cores than cards they share them all, with a doubt.
/// `root` stands for `/`.
[[nodiscard]] std::map<std::string, Place, std::less<>> places_near(
    const std::vector<std::string>& cards, const std::vector<int>& allowed,
    const std::filesystem::path& root = "/");

/// Binds the calling thread, and those that it starts, to a place. A sentence for what the kernel refuses.
[[nodiscard]] std::string bind_to(const Place& place);

/// `0-3,8` for {0, 1, 2, 3, 8}.
[[nodiscard]] std::string list_of_numbers(const std::vector<int>& numbers);

}  // namespace benchctl
