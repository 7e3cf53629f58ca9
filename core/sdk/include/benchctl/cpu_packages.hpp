// The processor packages (sockets) of a device that runs on the host's processors. Backends that use this
// header give one processor one identity.
// Include it yourself; plugin.hpp does not.
#pragma once

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace benchctl {

/// Processor numbers of a list as Linux writes it, `0-3,8`; other text is ignored.
[[nodiscard]] inline std::vector<int> parse_cpu_list(std::string_view text) {
  std::vector<int> cpus;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(part.size() == text.size() ? part.size() : part.size() + 1);
    const char* const end = part.data() + part.size();
    int first = 0;
    auto read = std::from_chars(part.data(), end, first);
    if (read.ec != std::errc() || first < 0) continue;
    int last = first;
    if (read.ptr != end && *read.ptr == '-') read = std::from_chars(read.ptr + 1, end, last);
    if (read.ec != std::errc() || read.ptr != end) continue;
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

/// Numbers of the processors that the calling thread may run on, ascending, as the folder proc below `root`
/// says.
[[nodiscard]] inline std::vector<int> allowed_cpus(const std::filesystem::path& root = "/") {
  constexpr std::string_view key = "Cpus_allowed_list:";
  std::ifstream status(root / "proc/thread-self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t list = line.find_first_not_of(" \t", key.size());
    return parse_cpu_list(std::string_view(line).substr(std::min(list, line.size())));
  }
  return {};
}

/// Numbers of the packages of those processors that the calling thread may run on, ascending. Source: the
/// folders proc and sys below `root`. {0} where they do not say (no sysfs, a machine without packages).
[[nodiscard]] inline std::vector<int> cpu_packages(const std::filesystem::path& root = "/") {
  std::set<int> packages;
  for (const int cpu : allowed_cpus(root)) {
    std::ifstream file(root / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu)) /
                       "topology/physical_package_id");
    int package = 0;
    // -1: the firmware does not tell.
    packages.insert(file >> package && package > 0 ? package : 0);
  }
  if (packages.empty()) packages.insert(0);
  return {packages.begin(), packages.end()};
}

/// DeviceInfo::physical of a device that spans these packages: `cpu:package-0`, `cpu:package-0+1`.
[[nodiscard]] inline std::string cpu_physical(const std::vector<int>& packages) {
  std::string text = "cpu:package-";
  for (std::size_t i = 0; i < packages.size(); ++i) {
    text += (i == 0 ? "" : "+") + std::to_string(packages[i]);
  }
  return text;
}

}  // namespace benchctl
