// What can be measured with, as data: the variant tables of all backends. Made from the loaded plugins
// (engine/host), or by hand in tests; kernels that a config brings itself are added.
#pragma once

#include <benchctl/observer.hpp>
#include <benchctl/variant.hpp>

#include "model/point.hpp"
#include "model/tuning.hpp"
#include "model/words.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace benchctl {

struct Config;

/// Is the variant one of those that a word of a sweep's `variants` names? A lesson in what goes wrong is
/// measured where it is asked for by its name: no pattern means it.
[[nodiscard]] inline bool selects_variant(std::string_view pattern, const VariantInfo& variant) {
  return variant.name == pattern || (!variant.wrong_on_purpose && glob_match(pattern, variant.name));
}

/// The values that a variant's tunables have where none are given.
[[nodiscard]] inline Parameters defaults_of(const VariantInfo& variant) {
  Parameters values;
  for (const TunableInfo& tunable : variant.tunables) values[tunable.name] = tunable.default_value;
  return values;
}

struct BackendEntry {
  std::string name;
  std::vector<VariantInfo> variants;
  std::filesystem::path kernel_directory;
  bool compiles_offline = false;
  /// What the worker of a lane loads: the backend's own library, then those of observers. Empty for
  /// backends that are not in a library of their own.
  std::vector<std::filesystem::path> libraries = {};
  /// Where the sources of variants are that a config brings, by workload and name.
  std::map<std::pair<std::string, std::string>, std::filesystem::path> own_folders = {};
  /// What is known of its variants' configurations, for choices.
  std::vector<TuningTable> tunings = {};

  [[nodiscard]] static std::pair<std::string, std::string> key_of(const VariantInfo& variant) {
    return {variant.workload, variant.name};
  }
  /// The folder that the variant's sources are relative to.
  [[nodiscard]] const std::filesystem::path& folder_of(const VariantInfo& variant) const {
    const auto own = own_folders.find(key_of(variant));
    return own != own_folders.end() ? own->second : kernel_directory;
  }
  /// Its own library alone, for workers that observe nothing.
  [[nodiscard]] std::vector<std::filesystem::path> own_library() const {
    return {libraries.begin(), libraries.begin() + (libraries.empty() ? 0 : 1)};
  }
  /// Null if it has no such variant.
  [[nodiscard]] const VariantInfo* find_variant(std::string_view workload, std::string_view variant) const {
    for (const VariantInfo& info : variants) {
      if (info.workload == workload && info.name == variant) return &info;
    }
    return nullptr;
  }
};

/// A backend that is known by name but not there: its plugin was left out of the build, is in none of the
/// folders, or was refused. Its variants and tunables are unknown, but for those of the config's own
/// kernels.
struct AbsentBackend {
  std::string name;
  std::string reason;
  /// False: it may as well be an observer, so a sweep that names no backend does not mean it.
  bool is_backend = false;
  std::vector<VariantInfo> variants = {};  ///< the config's own kernels
};

struct Catalogue {
  std::vector<BackendEntry> backends;
  std::vector<AbsentBackend> absent;
  std::vector<ReadingInfo> readings;  ///< what observers can read of some device, each id once

  /// Null if there is no such backend.
  [[nodiscard]] const BackendEntry* find(std::string_view name) const {
    return find_by(backends, name, &BackendEntry::name);
  }
  /// The variant that a point is of; null if its backend or that is not there.
  [[nodiscard]] const VariantInfo* variant_of(const Point& point) const {
    const BackendEntry* entry = find(point.backend);
    return entry != nullptr ? entry->find_variant(point.workload, point.variant) : nullptr;
  }
  /// Null if no observer reads that.
  [[nodiscard]] const ReadingInfo* find_reading(std::string_view id) const {
    return find_by(readings, id, &ReadingInfo::id);
  }
  /// Null if it is not among the absent.
  [[nodiscard]] const AbsentBackend* find_absent(std::string_view name) const {
    return find_by(absent, name, &AbsentBackend::name);
  }
  /// Every backend that is known.
  [[nodiscard]] Names backend_names() const {
    Names names = names_of(backends, &BackendEntry::name);
    for (const AbsentBackend& entry : absent) add_once(names, entry.name);
    return names;
  }
};

/// The tunable that every variant has: `twin = [1, 2]` makes two points of one implementation, each
/// prepared on its own, which a comparison must call the same. A point has it only where a config names it.
[[nodiscard]] const TunableInfo& twin_tunable();

/// Adds the config's kernels to the variants of their backends. Throws ConfigErrors: a backend that nobody
/// knows, a name that the backend has for that workload already, a tunable that has neither a default nor
/// values in a sweep. Kernels of a backend that is known but absent are noted with it. To be called after
/// `--set`.
void add_own_kernels(Catalogue& catalogue, const Config& config);

}  // namespace benchctl
