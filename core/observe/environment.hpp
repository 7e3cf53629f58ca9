// The environment record: what a person must know of the machine and the build to judge a result, and to
// tell whether two results may be compared.
#pragma once

#include <benchctl/device.hpp>
#include <benchctl/types.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// What a record holds where the machine does not tell.
inline constexpr std::string_view unknown_value = "unknown";

/// What it means for a comparison when two records differ in an entry.
enum class EnvironmentClass : std::uint8_t {
  must_match,    ///< not comparable
  should_match,  ///< comparable with a warning
  information,   ///< nothing
};

BENCHCTL_WORDS(EnvironmentClass, must_match, should_match, information)

struct EnvironmentEntry {
  std::string key;    ///< `cpu.model`, `env.OMP_NUM_THREADS`
  std::string value;  ///< "unknown" where the machine does not tell
  EnvironmentClass entry_class = EnvironmentClass::information;

  bool operator==(const EnvironmentEntry&) const = default;
};

/// Entries in a fixed order: hardware, system, build, libraries, plugins, environment variables by name.
struct Environment {
  std::vector<EnvironmentEntry> entries;

  /// The value of a key, or null.
  [[nodiscard]] const std::string* find(std::string_view key) const;
  /// The entry of a key, or null.
  [[nodiscard]] const EnvironmentEntry* entry(std::string_view key) const;
  bool operator==(const Environment&) const = default;
};

/// A plugin as it was loaded.
struct PluginBuild {
  std::string name;     ///< `opencl`
  std::string version;  ///< the plugin's version
  std::string build;    ///< compiler, toolkit and flags, as the plugin says
  std::string digest;   ///< digest of its library's bytes: differs when anything was built anew
  std::vector<std::string> variables = {};  ///< prefixes of those that it heeds
};

/// Where a record is taken from; tests put a folder of their own in place of the root.
struct EnvironmentSources {
  std::filesystem::path root = "/";    ///< holds proc, sys and etc
  std::vector<std::string> variables;  ///< `NAME=value`, as in environ(7)
  std::vector<PluginBuild> plugins = {};
  std::string blas{unknown_value};  ///< the library behind references, as `blas_of_workers` tells
};

/// The record of this machine, process and build. `blas`: as `blas_of_workers` tells. Reads files only,
/// starts nothing.
[[nodiscard]] Environment collect_environment(std::vector<PluginBuild> plugins = {},
                                              std::string blas = std::string(unknown_value));
[[nodiscard]] Environment collect_environment(const EnvironmentSources& sources);

/// Is it the name of a variable by which schedulers choose a backend's devices: `…_VISIBLE_DEVICES`?
[[nodiscard]] bool chooses_devices(std::string_view variable);

/// The environment variables of a record, `NAME=value` a line: workers inherit them and libraries heed
/// them, so that they are part of what was measured. Those that only choose devices
/// (`…_VISIBLE_DEVICES`, `…_DEVICE_ORDER`) are left out: the record of the device says which one it was.
[[nodiscard]] std::string worker_environment(const Environment& environment);

/// An array of {key, value, class} objects.
[[nodiscard]] std::string to_json_text(const Environment& environment);
/// Throws std::invalid_argument for a text that to_json_text did not write.
[[nodiscard]] Environment environment_from_json_text(const std::string& text);

/// The compiler of this program with its version: `GCC 12.2.0`.
[[nodiscard]] std::string build_compiler();

/// The three load averages of the machine.
[[nodiscard]] std::string load_averages(const std::filesystem::path& root = "/");

/// Adds to the properties of a device whose physical identity is a PCI address what Linux tells of its
/// slot: `pcie_link_max` and `pcie_link_now` (`16.0 GT/s PCIe x16`; an idle device lets its link fall back)
/// and `numa_node`. What the kernel does not tell is left out, and what the plugin has told itself is left
/// alone.
void add_bus_properties(DeviceInfo& device, const std::filesystem::path& root = "/");

}  // namespace benchctl
