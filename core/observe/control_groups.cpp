#include "observe/control_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <thread>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// Is the word in `cpu,cpuacct`?
bool lists(const std::string& controllers, std::string_view word) {
  return fmt::format(",{},", controllers).find(fmt::format(",{},", word)) != std::string::npos;
}

/// Nothing where the group has no file of a quota.
std::optional<double> quota_of(const fs::path& group) {
  std::ifstream both(group / "cpu.max");  // `max 100000`, `50000 100000`
  std::ifstream quota(group / "cpu.cfs_quota_us");
  std::ifstream period(group / "cpu.cfs_period_us");
  if (!both && !quota) return std::nullopt;
  double granted = 0;
  double of = 0;
  const bool read = both ? static_cast<bool>(both >> granted >> of)
                         : static_cast<bool>(quota >> granted) && static_cast<bool>(period >> of);
  return read && granted > 0 && of > 0 ? granted / of : no_limit;
}

}  // namespace

std::vector<fs::path> own_groups(std::string_view controller, const fs::path& root) {
  fs::path folder = root / "sys/fs/cgroup";
  std::string group;
  // `0::/path` of version 2, `4:cpu,cpuacct:/path` of version 1, which may both be there.
  std::ifstream stream(root / "proc/self/cgroup");
  for (std::string line; std::getline(stream, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (controllers.empty()) group = line.substr(second + 1);
    if (!lists(controllers, controller)) continue;
    group = line.substr(second + 1);
    folder /= controller;
    break;
  }
  std::vector<fs::path> groups;
  for (fs::path at = fs::path(group).lexically_normal().relative_path(); !at.empty(); at = at.parent_path())
    groups.push_back(folder / at);
  groups.push_back(folder);
  return groups;
}

std::optional<double> processor_quota(const fs::path& root) {
  std::optional<double> tightest;
  for (const fs::path& group : own_groups("cpu", root)) {
    if (const auto quota = quota_of(group)) tightest = std::min(tightest.value_or(no_limit), *quota);
  }
  return tightest;
}

unsigned usable_processors(const fs::path& root) {
  const unsigned seen = std::max(1U, std::thread::hardware_concurrency());
  const double quota = std::ceil(processor_quota(root).value_or(no_limit));
  return quota < seen ? static_cast<unsigned>(quota) : seen;
}

Throttling throttling_so_far(const fs::path& root) {
  Throttling most;
  for (const fs::path& group : own_groups("cpu", root)) {
    Throttling own;
    std::ifstream stream(group / "cpu.stat");
    std::string name;
    for (double value = 0; stream >> name >> value;) {
      if (name == "nr_throttled") own.times = value;
      if (name == "throttled_usec") own.seconds = 1e-6 * value;  // version 2
      if (name == "throttled_time") own.seconds = 1e-9 * value;  // version 1
    }
    if (own.seconds > most.seconds) most = own;
  }
  return most;
}

std::string throttling_text(const Throttling& before, const Throttling& after, double seconds) {
  if (!(after.seconds > before.seconds)) return {};
  return fmt::format("{} processes back {:.0f} times, for {:.3g} s of {:.3g} s", throttled_words,
                     after.times - before.times, after.seconds - before.seconds, seconds);
}

}  // namespace benchctl
