// Lists of hosts as Slurm writes them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// Hosts that a list may have.
inline constexpr std::size_t max_hosts = 65'536;

/// The hosts of a list such as `node[01-03,7],gpu7`, in its order: node01, node02, node03, node7, gpu7. A
/// range keeps the zeros in front of its first number; a name may have several brackets. Throws
/// std::invalid_argument, which says where it is wrong, also for a host that is named twice.
[[nodiscard]] std::vector<std::string> hosts_of(std::string_view list);

/// The place of this host in a list, from 0: by SLURMD_NODENAME, else by the host's name up to its first
/// dot. Throws std::invalid_argument if the list does not have it.
[[nodiscard]] std::size_t place_of_this_host(const std::vector<std::string>& hosts);

}  // namespace benchctl
