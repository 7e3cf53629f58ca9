#include "observe/environment.hpp"

#include "model/json_depth.hpp"
#include "observe/machine.hpp"

#include <gnu/libc-version.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

const std::string unknown{unknown_value};

std::string or_unknown(const std::string& text) { return text.empty() ? unknown : text; }

/// Environment variables that change what runs or how fast whatever the backend: names that begin with one
/// of these. Plugins name their own.
constexpr auto common_prefixes =
    std::to_array<std::string_view>({"GOMP_", "LD_LIBRARY_PATH", "LD_PRELOAD", "MALLOC_", "OMP_"});

constexpr std::string_view variable_key = "env.";

std::string usable_cpus() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  if (sched_getaffinity(0, sizeof cpus, &cpus) != 0) return unknown;
  return fmt::format("{}", CPU_COUNT(&cpus));
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
  for (char** variable = environ; *variable != nullptr; ++variable)
    sources.variables.emplace_back(*variable);
  return collect_environment(sources);
}

Environment collect_environment(const EnvironmentSources& sources) {
  using enum EnvironmentClass;
  using namespace machine;
  const fs::path& root = sources.root;
  const fs::path cpuinfo = root / "proc/cpuinfo";
  const fs::path cpu = root / "sys/devices/system/cpu";
  const fs::path pages = root / "sys/kernel/mm/transparent_hugepage";
  utsname system{};
  uname(&system);
  Environment environment;
  environment.entries = {
      {"cpu.model", field(cpuinfo, "model name", ':'), must_match},
      {"cpu.usable", usable_cpus(), must_match},
      {"cpu.hypervisor", under_hypervisor(root), must_match},
      {"cpu.online", first_line(cpu / "online"), should_match},
      {"cpu.quota", group_limit(root, "cpu.max", "cpu/cpu.cfs_quota_us"), should_match},
      {"cpu.set", group_limit(root, "cpuset.cpus.effective", "cpuset/cpuset.cpus"), should_match},
      {"cpu.governor", first_line(cpu / "cpu0/cpufreq/scaling_governor"), should_match},
      {"cpu.frequency_driver", first_line(cpu / "cpu0/cpufreq/scaling_driver"), should_match},
      {"cpu.clock_limits", clock_limits(root), should_match},
      {"cpu.turbo", turbo(root), should_match},
      {"cpu.smt", simultaneous_threads(root), should_match},
      {"cpu.microcode", field(cpuinfo, "microcode", ':'), should_match},
      {"memory.total", field(root / "proc/meminfo", "MemTotal", ':'), should_match},
      {"memory.limit", group_limit(root, "memory.max", "memory/memory.limit_in_bytes"), should_match},
      {"memory.numa_nodes", first_line(root / "sys/devices/system/node/online"), should_match},
      {"memory.numa_balancing", first_line(root / "proc/sys/kernel/numa_balancing"), should_match},
      {"memory.transparent_hugepage", chosen_word(pages / "enabled"), should_match},
      {"memory.transparent_hugepage_defrag", chosen_word(pages / "defrag"), should_match},
      {"memory.huge_pages", reserved_huge_pages(root), should_match},
      {"system.kernel", fmt::format("{} {} {}", system.sysname, system.release, system.machine),
       should_match},
      {"system.clock", first_line(root / "sys/devices/system/clocksource/clocksource0/current_clocksource"),
       should_match},
      {"system.release", field(root / "etc/os-release", "PRETTY_NAME", '='), should_match},
      {"system.c_library", fmt::format("glibc {}", gnu_get_libc_version()), should_match},
      {"system.container", container(root), should_match},
      {"system.machine", first_line(root / "sys/class/dmi/id/product_name"), information},
      {"system.host", host_name(), information},
      {"system.load", load_averages(root), information},
      {"build.benchctl", BENCHCTL_VERSION, should_match},
      {"build.compiler", build_compiler(), should_match},
      {"build.type", or_unknown(BENCHCTL_BUILD_TYPE), should_match},
      {"build.flags", or_unknown(BENCHCTL_BUILD_FLAGS), should_match},
      {"library.blas", or_unknown(sources.blas), should_match},
  };
  for (const PluginBuild& plugin : sources.plugins) {
    environment.entries.push_back({fmt::format("plugin.{}", plugin.name),
                                   fmt::format("{} ({})", plugin.version, plugin.build), should_match});
    // Built anew from the same sources it differs as well: no reason to warn.
    environment.entries.push_back(
        {fmt::format("plugin.{}.digest", plugin.name), or_unknown(plugin.digest), information});
  }
  std::vector<std::string> variables = sources.variables;
  std::ranges::sort(variables);
  for (const std::string& variable : variables) {
    const std::size_t split = variable.find('=');
    if (split == std::string::npos || !is_relevant(variable, sources.plugins)) continue;
    environment.entries.push_back(
        {std::string(variable_key) + variable.substr(0, split), variable.substr(split + 1), should_match});
  }
  return environment;
}

bool chooses_devices(std::string_view variable) { return variable.ends_with("_VISIBLE_DEVICES"); }

std::string worker_environment(const Environment& environment) {
  std::string text;
  for (const EnvironmentEntry& entry : environment.entries) {
    if (!entry.key.starts_with(variable_key)) continue;
    const std::string name = entry.key.substr(variable_key.size());
    // They say which device, not how.
    if (chooses_devices(name) || name.ends_with("_DEVICE_ORDER")) continue;
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
  return array.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
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

}  // namespace benchctl
