#include "engine/content_key.hpp"

#include <benchctl/digest.hpp>
#include <benchctl/includes.hpp>

#include "model/json.hpp"
#include "model/json_words.hpp"
#include "model/keys.hpp"
#include "model/values.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace benchctl {

BENCHCTL_JSON_RECORD(DeviceKey, name, vendor, driver, architecture, physical, compute_units, uuid, compiler)

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// What makes a device this one. Not all that is known of it: some drivers count free memory as theirs.
json identity_of(const DeviceInfo& device) {
  json identity = written(DeviceKey(device));
  if (identity.at("compiler") == "") identity.erase("compiler");
  return identity;
}

/// What decides on the configurations that a choice tries.
json content_of(const TuningTable& table) {
  json classes = json::array();
  for (const TunedClass& tuned : table.classes) {
    json configurations = json::array();
    for (const Configuration& one : tuned.configurations)
      configurations.push_back({one.variant, to_json(one.tunables)});
    classes.push_back({tuned.choice, to_json(tuned.problem), tuned.layout, configurations});
  }
  return {table.architecture, classes};
}

/// Without what has its default and came later than schema version 1: keys stay what they were.
json content_of(const VariantInfo& variant) {
  json content = to_json(variant);
  if (variant.among.empty()) content.erase("among");
  for (json& tunable : content["tunables"]) tunable.erase("by_size");  // changes no result
  if (!variant.kernel) return content;
  content["kernel"].erase("effort");  // changes no result
  if (variant.kernel->derived.empty()) content["kernel"].erase("derived");
  VariantInfo plain;
  plain.kernel = KernelSpec{{LaunchSpec{}}, {}};
  const json usual = to_json(plain).at("kernel");
  const auto leave_out = [](json& one, const json& other) {
    for (const char* key : {"when", "repeat", "swap", "prepare", "extras", "options", "constants"}) {
      if (other.contains(key) && one.at(key) == other.at(key)) one.erase(key);
    }
  };
  leave_out(content["kernel"], usual);
  for (json& launch : content["kernel"]["launches"]) leave_out(launch, usual.at("launches").at(0));
  return content;
}

template <class Map, class Make>
const std::string& remembered(Map& map, const fs::path& path, Make make) {
  const auto found = map.find(path);
  return found != map.end() ? found->second : map.emplace(path, make(path)).first->second;
}

}  // namespace

std::string hash_source(const fs::path& file) {
  std::string all;
  visit_sources(file, [&](const fs::path& path, const std::optional<std::string>& text,
                          std::string_view included_as) {
    if (!text && included_as.starts_with('<')) return;  // the compiler's own
    all += path.filename().string() + (text ? fmt::format(" {}\n", text->size()) : " missing\n");
    if (text) all += *text;
  });
  return digest_text(all);
}

std::string hash_folder(const fs::path& folder) {
  std::map<std::string, std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, fs::directory_options::follow_directory_symlink, error),
       end;
       !error && at != end; at.increment(error)) {
    if (at->is_regular_file(error))
      files[fs::relative(at->path(), folder).string()] = digest_file(at->path());
  }
  return digest_text(json(files).dump());
}

const std::string& ContentKeys::common_part(const Lane& lane, const VariantInfo& variant,
                                            const BackendEntry& backend, const PluginEntry& plugin) {
  const std::string name = KeyText().add(lane.name()).add(variant.workload).add(variant.name).take();
  if (const auto found = common_.find(name); found != common_.end()) return found->second;
  json sources = json::array();
  if (variant.kernel) {
    for (const LaunchSpec& launch : variant.kernel->launches) {
      sources.push_back(remembered(sources_, backend.folder_of(variant) / launch.source, hash_source));
    }
  } else if (!variant.among.empty()) {
    for (const std::string& one : variant.among) {
      if (const VariantInfo* base = backend.find_variant(variant.workload, one))
        sources.push_back(common_part(lane, *base, backend, plugin));
    }
    for (const TuningTable& table : backend.tunings) {
      if (table.workload == variant.workload) sources.push_back(content_of(table));
    }
  } else if (!backend.kernel_directory.empty()) {
    // A native variant may open any of its backend's kernels.
    sources.push_back(remembered(sources_, backend.kernel_directory, hash_folder));
  }
  const Workload& workload = *workloads_.find(variant.workload);
  const json content = {
      {"workload", variant.workload},
      {"contract", workload.version()},
      {"declared", workload.content()},
      {"variant", content_of(variant)},
      {"sources", sources},
      {"plugin", plugin.digest},
      {"device", identity_of(lane.device)},
      {"environment", environment_},
  };
  return common_.emplace(name, digest_text(content.dump())).first->second;
}

std::string ContentKeys::key(const Point& point, const Lane& lane, const BackendEntry& backend,
                             const PluginEntry& plugin, bool device_debug) {
  const VariantInfo& variant = *backend.find_variant(point.workload, point.variant);
  const json content = {
      {"common", common_part(lane, variant, backend, plugin)},
      {"problem", to_json(point.problem)},
      {"layout", point.layout},
      {"tunables", to_json(point.tunables)},
      {"measure", to_json(point.measure)},
      {"expect", to_string(point.expect)},
      {"device_debug", device_debug},
  };
  return digest_text(content.dump());
}

}  // namespace benchctl
