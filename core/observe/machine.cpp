#include "observe/machine.hpp"

#include "observe/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <vector>

namespace benchctl::machine {

namespace fs = std::filesystem;

namespace {

const std::string unknown{unknown_value};

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1));
}

std::string or_unknown(const std::string& text) { return text.empty() ? unknown : text; }

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored);
}

/// `on` for the file's `1`, or the other way round.
std::string switch_text(const std::string& value, std::string_view when_on) {
  if (value == unknown) return unknown;
  return value == when_on ? "on" : "off";
}

/// The path of the process's group in the unified hierarchy: the line `0::/path`.
std::string own_group(const fs::path& root) {
  std::ifstream stream(root / "proc/self/cgroup");
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("0::/")) return trimmed(line.substr(4));
  }
  return {};
}

}  // namespace

std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return or_unknown(trimmed(line));
}

std::string field(const fs::path& file, std::string_view name, char separator) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t split = line.find(separator);
    if (split == std::string::npos || trimmed(line.substr(0, split)) != name) continue;
    std::string value = trimmed(line.substr(split + 1));
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
      value = value.substr(1, value.size() - 2);
    }
    return or_unknown(value);
  }
  return unknown;
}

std::string chosen_word(const fs::path& file) {
  const std::string line = first_line(file);
  const std::size_t open = line.find('[');
  const std::size_t close = line.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return line;
  return line.substr(open + 1, close - open - 1);
}

std::string turbo(const fs::path& root) {
  const fs::path cpu = root / "sys/devices/system/cpu";
  // One maker's own driver has a folder with a switch that turns it off; all others have one that turns it
  // on.
  std::error_code error;
  for (const fs::directory_entry& driver : fs::directory_iterator(cpu, error)) {
    const std::string off = first_line(driver.path() / "no_turbo");
    if (off != unknown) return switch_text(off, "0");
  }
  return switch_text(first_line(cpu / "cpufreq/boost"), "1");
}

std::string simultaneous_threads(const fs::path& root) {
  return switch_text(first_line(root / "sys/devices/system/cpu/smt/active"), "1");
}

std::string clock_limits(const fs::path& root) {
  const fs::path policy = root / "sys/devices/system/cpu/cpu0/cpufreq";
  const std::string low = first_line(policy / "scaling_min_freq");
  const std::string high = first_line(policy / "scaling_max_freq");
  if (low == unknown || high == unknown) return unknown;
  return fmt::format("{} to {} kHz", low, high);
}

std::string under_hypervisor(const fs::path& root) {
  const std::string flags = field(root / "proc/cpuinfo", "flags", ':');
  if (flags == unknown) return unknown;
  return (' ' + flags + ' ').find(" hypervisor ") != std::string::npos ? "yes" : "no";
}

std::string reserved_huge_pages(const fs::path& root) {
  std::error_code error;
  std::vector<std::string> sizes;
  constexpr std::string_view prefix = "hugepages-";
  fs::directory_iterator folder(root / "sys/kernel/mm/hugepages", error);
  if (error) return unknown;
  for (const fs::directory_entry& entry : folder) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    sizes.push_back(
        fmt::format("{} pages: {}", name.substr(prefix.size()), first_line(entry.path() / "nr_hugepages")));
  }
  std::ranges::sort(sizes);
  return or_unknown(fmt::format("{}", fmt::join(sizes, ", ")));
}

std::string container(const fs::path& root) {
  if (!is_there(root / "proc")) return unknown;
  // systemd and podman leave a word; Docker leaves an empty file; the names of groups tell the rest.
  if (const std::string word = first_line(root / "run/systemd/container"); word != unknown) return word;
  if (is_there(root / "run/.containerenv")) return "podman";
  if (is_there(root / ".dockerenv")) return "docker";
  std::ifstream stream(root / "proc/self/cgroup");
  for (std::string line; std::getline(stream, line);) {
    if (line.find("kubepods") != std::string::npos) return "kubernetes";
    for (const char* name : {"docker", "lxc", "libpod", "containerd"}) {
      if (line.find(name) != std::string::npos) return name;
    }
  }
  return "none";
}

std::string load_averages(const fs::path& root) {
  const std::string line = first_line(root / "proc/loadavg");
  std::size_t end = 0;
  for (int i = 0; i < 3 && end != std::string::npos; ++i) end = line.find(' ', end + 1);
  return line.substr(0, end);
}

std::string group_limit(const fs::path& root, const std::string& file, const std::string& v1_file) {
  const fs::path unified = root / "sys/fs/cgroup";
  for (fs::path group = own_group(root);; group = group.parent_path()) {
    const std::string value = first_line(unified / group / file);
    if (value != unknown) return value;
    if (group.empty() || group == group.parent_path()) break;
  }
  return first_line(unified / v1_file);
}

}  // namespace benchctl::machine
