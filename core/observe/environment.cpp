#include "observe/environment.hpp"

#include <gnu/libc-version.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

const std::string unknown = "unknown";

/// Environment variables that change what runs or how fast: names that begin with one of these.
constexpr auto variable_prefixes =
    std::to_array<std::string_view>({"CUDA_", "GOMP_", "GOTO_NUM_THREADS", "LD_LIBRARY_PATH", "LD_PRELOAD",
                                     "MALLOC_", "OCL_ICD_", "OMP_", "OPENBLAS_", "OPENCL_", "POCL_"});

constexpr std::string_view variable_key = "env.";

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1));
}

std::string or_unknown(const std::string& text) { return text.empty() ? unknown : text; }

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

/// The bracketed word of a line such as `always [madvise] never`.
std::string chosen_word(const fs::path& file) {
  const std::string line = first_line(file);
  const std::size_t open = line.find('[');
  const std::size_t close = line.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return line;
  return line.substr(open + 1, close - open - 1);
}

std::string usable_cpus() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  if (sched_getaffinity(0, sizeof cpus, &cpus) != 0) return unknown;
  return fmt::format("{}", CPU_COUNT(&cpus));
}

std::string under_hypervisor(const fs::path& cpuinfo) {
  const std::string flags = field(cpuinfo, "flags", ':');
  if (flags == unknown) return unknown;
  return (' ' + flags + ' ').find(" hypervisor ") != std::string::npos ? "yes" : "no";
}

std::string load_averages(const fs::path& file) {
  const std::string line = first_line(file);
  std::size_t end = 0;
  for (int i = 0; i < 3 && end != std::string::npos; ++i) end = line.find(' ', end + 1);
  return line.substr(0, end);
}

std::string compiler() {
#if defined(__clang__)
  return "Clang " __VERSION__;
#else
  return "GCC " __VERSION__;
#endif
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : unknown;
}

bool is_relevant(std::string_view variable) {
  return std::ranges::any_of(variable_prefixes,
                             [&](std::string_view prefix) { return variable.starts_with(prefix); });
}

}  // namespace

const std::string* Environment::find(std::string_view key) const {
  const auto found = std::ranges::find(entries, key, &EnvironmentEntry::key);
  return found == entries.end() ? nullptr : &found->value;
}

Environment collect_environment() {
  EnvironmentSources sources;
  for (char** variable = environ; *variable != nullptr; ++variable)
    sources.variables.emplace_back(*variable);
  return collect_environment(sources);
}

Environment collect_environment(const EnvironmentSources& sources) {
  using enum EnvironmentClass;
  const fs::path proc = sources.root / "proc";
  const fs::path sys = sources.root / "sys";
  const fs::path cpuinfo = proc / "cpuinfo";
  utsname system{};
  uname(&system);
  Environment environment;
  environment.entries = {
      {"cpu.model", field(cpuinfo, "model name", ':'), must_match},
      {"cpu.usable", usable_cpus(), must_match},
      {"cpu.hypervisor", under_hypervisor(cpuinfo), must_match},
      {"cpu.quota", first_line(sys / "fs/cgroup/cpu.max"), should_match},
      {"cpu.governor", first_line(sys / "devices/system/cpu/cpu0/cpufreq/scaling_governor"), should_match},
      {"cpu.microcode", field(cpuinfo, "microcode", ':'), should_match},
      {"memory.total", field(proc / "meminfo", "MemTotal", ':'), should_match},
      {"memory.transparent_hugepage", chosen_word(sys / "kernel/mm/transparent_hugepage/enabled"),
       should_match},
      {"system.kernel", fmt::format("{} {} {}", system.sysname, system.release, system.machine),
       should_match},
      {"system.release", field(sources.root / "etc/os-release", "PRETTY_NAME", '='), should_match},
      {"system.c_library", fmt::format("glibc {}", gnu_get_libc_version()), should_match},
      {"system.host", host_name(), information},
      {"system.load", load_averages(proc / "loadavg"), information},
      {"build.benchctl", BENCHCTL_VERSION, should_match},
      {"build.compiler", compiler(), should_match},
      {"build.type", or_unknown(BENCHCTL_BUILD_TYPE), should_match},
      {"build.flags", or_unknown(BENCHCTL_BUILD_FLAGS), should_match},
  };
  std::vector<std::string> variables = sources.variables;
  std::ranges::sort(variables);
  for (const std::string& variable : variables) {
    const std::size_t split = variable.find('=');
    if (split == std::string::npos || !is_relevant(variable)) continue;
    environment.entries.push_back(
        {std::string(variable_key) + variable.substr(0, split), variable.substr(split + 1), should_match});
  }
  return environment;
}

std::string worker_environment(const Environment& environment) {
  std::string text;
  for (const EnvironmentEntry& entry : environment.entries) {
    if (!entry.key.starts_with(variable_key)) continue;
    text += fmt::format("{}={}\n", entry.key.substr(variable_key.size()), entry.value);
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

}  // namespace benchctl
