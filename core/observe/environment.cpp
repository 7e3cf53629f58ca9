#include "observe/environment.hpp"

#include <benchctl/plugin.hpp>

#include "model/json.hpp"
#include "observe/comparability.hpp"
#include "observe/control_groups.hpp"
#include "observe/machine_observers.hpp"

#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

const std::string unknown{unknown_value};

std::string or_unknown(const std::string& text) { return text.empty() ? unknown : text; }

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1));
}

/// `on` for the file's `1`, or the other way round.
std::string switch_text(const std::string& value, std::string_view when_on) {
  if (value == unknown) return unknown;
  return value == when_on ? "on" : "off";
}

/// The first line of a file without white space around it; "unknown" where it is missing, as everywhere
/// here.
std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return or_unknown(trimmed(line));
}

/// The value of the first `name<separator>value` line of a file, without quotes around it.
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

/// The bracketed word of a line such as `always [madvise] never`; the line where there is none.
std::string chosen_word(const fs::path& file) {
  const std::string line = first_line(file);
  const std::size_t open = line.find('[');
  const std::size_t close = line.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return line;
  return line.substr(open + 1, close - open - 1);
}

/// `on` or `off`: may cores run faster than their nominal clock?
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

/// `on` or `off`: do cores run several threads?
std::string simultaneous_threads(const fs::path& root) {
  return switch_text(first_line(root / "sys/devices/system/cpu/smt/active"), "1");
}

/// `800000 to 3500000 kHz`: the clocks that the first core's governor may choose.
std::string clock_limits(const fs::path& root) {
  const fs::path policy = root / "sys/devices/system/cpu/cpu0/cpufreq";
  const std::string low = first_line(policy / "scaling_min_freq");
  const std::string high = first_line(policy / "scaling_max_freq");
  if (low == unknown || high == unknown) return unknown;
  return fmt::format("{} to {} kHz", low, high);
}

/// `yes` or `no`: does the processor say that a hypervisor runs it?
std::string under_hypervisor(const fs::path& root) {
  const std::string flags = field(root / "proc/cpuinfo", "flags", ':');
  if (flags == unknown) return unknown;
  return (' ' + flags + ' ').find(" hypervisor ") != std::string::npos ? "yes" : "no";
}

/// `2048 kB pages: 0`: huge pages that are set aside, by size.
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

/// The value of a file of the process's own control group, or of the nearest group above it that has the
/// file, which version 1 calls otherwise.
std::string group_limit(const fs::path& root, std::string_view controller, const char* file,
                        const char* v1_file) {
  for (const fs::path& group : own_groups(controller, root)) {
    for (const char* name : {file, v1_file}) {
      if (std::string value = first_line(group / name); value != unknown) return value;
    }
  }
  return unknown;
}

/// `0.5 processors` or `none`.
std::string quota_text(const fs::path& root) {
  const std::optional<double> quota = processor_quota(root);
  if (!quota) return unknown;
  return std::isfinite(*quota) ? fmt::format("{:.4g} processors", *quota) : "none";
}

/// Environment variables that change what runs or how fast whatever the backend: names that begin with one
/// of these. Plugins name their own.
constexpr auto common_prefixes =
    std::to_array<std::string_view>({"GOMP_", "LD_LIBRARY_PATH", "LD_PRELOAD", "MALLOC_", "OMP_"});

constexpr std::string_view variable_key = "env.";

std::string usable_cpus() {
  const std::size_t count = usable_cpu_numbers().size();
  return count > 0 ? std::to_string(count) : unknown;
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : unknown;
}

bool is_relevant(std::string_view variable, const std::vector<PluginBuild>& plugins) {
  const auto begins_so = [&](std::string_view prefix) { return variable.starts_with(prefix); };
  return std::ranges::any_of(common_prefixes, begins_so) ||
         std::ranges::any_of(plugins, [&](const PluginBuild& plugin) {
           return std::ranges::any_of(plugin.variables, begins_so);
         });
}

}  // namespace

const EnvironmentEntry* Environment::entry(std::string_view key) const {
  const auto found = std::ranges::find(entries, key, &EnvironmentEntry::key);
  return found == entries.end() ? nullptr : &*found;
}

const std::string* Environment::find(std::string_view key) const {
  const EnvironmentEntry* found = entry(key);
  return found == nullptr ? nullptr : &found->value;
}

Environment collect_environment(std::vector<PluginBuild> plugins, std::string blas) {
  EnvironmentSources sources;
  sources.plugins = std::move(plugins);
  sources.blas = std::move(blas);
  // As this process was given them: a plugin that it has loaded may have added some for a driver.
  std::ifstream given("/proc/self/environ", std::ios::binary);
  for (std::string variable; std::getline(given, variable, '\0');) sources.variables.push_back(variable);
  return collect_environment(sources);
}

Environment collect_environment(const EnvironmentSources& sources) {
  const fs::path& root = sources.root;
  const fs::path cpuinfo = root / "proc/cpuinfo";
  const fs::path cpu = root / "sys/devices/system/cpu";
  const fs::path pages = root / "sys/kernel/mm/transparent_hugepage";
  utsname system{};
  uname(&system);
  Environment environment;
  environment.entries = {
      {"cpu.model", field(cpuinfo, "model name", ':')},
      {"cpu.usable", usable_cpus()},
      {"cpu.hypervisor", under_hypervisor(root)},
      {"cpu.online", first_line(cpu / "online")},
      {"cpu.quota", quota_text(root)},
      {"cpu.set", group_limit(root, "cpuset", "cpuset.cpus.effective", "cpuset.cpus")},
      {"cpu.governor", first_line(cpu / "cpu0/cpufreq/scaling_governor")},
      {"cpu.frequency_driver", first_line(cpu / "cpu0/cpufreq/scaling_driver")},
      {"cpu.clock_limits", clock_limits(root)},
      {"cpu.turbo", turbo(root)},
      {"cpu.smt", simultaneous_threads(root)},
      {"cpu.microcode", field(cpuinfo, "microcode", ':')},
      {"memory.total", field(root / "proc/meminfo", "MemTotal", ':')},
      {"memory.limit", group_limit(root, "memory", "memory.max", "memory.limit_in_bytes")},
      {"memory.numa_nodes", first_line(root / "sys/devices/system/node/online")},
      {"memory.numa_balancing", first_line(root / "proc/sys/kernel/numa_balancing")},
      {"memory.transparent_hugepage", chosen_word(pages / "enabled")},
      {"memory.transparent_hugepage_defrag", chosen_word(pages / "defrag")},
      {"memory.huge_pages", reserved_huge_pages(root)},
      {"system.kernel", fmt::format("{} {} {}", system.sysname, system.release, system.machine)},
      {"system.clock",
       first_line(root / "sys/devices/system/clocksource/clocksource0/current_clocksource")},
      {"system.release", field(root / "etc/os-release", "PRETTY_NAME", '=')},
      {"system.c_library", fmt::format("glibc {}", gnu_get_libc_version())},
      {"system.machine", first_line(root / "sys/class/dmi/id/product_name")},
      {"system.host", host_name()},
      {"system.load", load_averages(root)},
      {"build.benchctl", BENCHCTL_VERSION},
      {"build.compiler", build_compiler()},
      {"build.type", or_unknown(BENCHCTL_BUILD_TYPE)},
      {"build.flags", or_unknown(BENCHCTL_BUILD_FLAGS)},
      {"library.blas", or_unknown(sources.blas)},
  };
  for (const PluginBuild& plugin : sources.plugins) {
    environment.entries.push_back(
        {"plugin." + plugin.name, fmt::format("{} ({})", plugin.version, plugin.build)});
    environment.entries.push_back(
        {fmt::format("plugin.{}.digest", plugin.name), or_unknown(plugin.digest)});
  }
  std::vector<std::string> variables = sources.variables;
  std::ranges::sort(variables);
  for (const std::string& variable : variables) {
    const std::size_t split = variable.find('=');
    if (split == std::string::npos || !is_relevant(variable, sources.plugins)) continue;
    environment.entries.push_back(
        {std::string(variable_key) + variable.substr(0, split), variable.substr(split + 1)});
  }
  for (EnvironmentEntry& entry : environment.entries) entry.entry_class = key_class(entry.key);
  return environment;
}

bool chooses_devices(std::string_view variable) { return variable.ends_with("_VISIBLE_DEVICES"); }

std::string worker_environment(const Environment& environment) {
  std::string text;
  for (const EnvironmentEntry& entry : environment.entries) {
    if (!entry.key.starts_with(variable_key)) continue;
    const std::string name = entry.key.substr(variable_key.size());
    if (only_chooses_devices(name)) continue;
    text += fmt::format("{}={}\n", name, entry.value);
  }
  return text;
}

std::string to_json_text(const Environment& environment) {
  nlohmann::json array = nlohmann::json::array();
  for (const EnvironmentEntry& entry : environment.entries) {
    array.push_back(
        {{"key", entry.key}, {"value", entry.value}, {"class", std::string(to_string(entry.entry_class))}});
  }
  return one_line(array);
}

Environment environment_from_json_text(const std::string& text) {
  Environment environment;
  refuse_deep_json(text);
  try {
    for (const nlohmann::json& object : nlohmann::json::parse(text)) {
      const auto entry_class = parse_enum<EnvironmentClass>(object.at("class").get<std::string>());
      if (!entry_class) throw std::invalid_argument("unknown class in an environment record");
      environment.entries.push_back(
          {object.at("key").get<std::string>(), object.at("value").get<std::string>(), *entry_class});
    }
  } catch (const nlohmann::json::exception& error) {
    throw std::invalid_argument(fmt::format("no environment record: {}", error.what()));
  }
  return environment;
}

std::string build_compiler() {
#if defined(__clang__)
  return "Clang " __VERSION__;
#else
  return "GCC " __VERSION__;
#endif
}

std::string load_averages(const fs::path& root) {
  const std::string line = first_line(root / "proc/loadavg");
  std::size_t end = 0;
  for (int i = 0; i < 3 && end != std::string::npos; ++i) end = line.find(' ', end + 1);
  return line.substr(0, end);
}

void add_bus_properties(DeviceInfo& device, const fs::path& root) {
  constexpr std::string_view prefix = "pci:";
  if (!device.physical.starts_with(prefix)) return;
  const fs::path slot = root / "sys/bus/pci/devices" / device.physical.substr(prefix.size());
  const auto add = [&](const char* key, const std::string& value) {
    if (value.find(unknown_value) == std::string::npos) device.properties.try_emplace(key, value);
  };
  const auto link = [&](const char* which) {
    return fmt::format("{} x{}", first_line(slot / fmt::format("{}_link_speed", which)),
                       first_line(slot / fmt::format("{}_link_width", which)));
  };
  add("pcie_link_max", link("max"));
  add("pcie_link_now", link("current"));
  add("numa_node", first_line(slot / "numa_node"));
}

}  // namespace benchctl
