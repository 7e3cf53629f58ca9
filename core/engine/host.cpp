#include "engine/host.hpp"

#include <benchctl/digest.hpp>
#include <benchctl/disk_cache.hpp>

#include "config/tuning_file.hpp"
#include "engine/kernel_plugins.hpp"
#include "model/json.hpp"
#include "model/words.hpp"
#include "observe/environment.hpp"
#include "observe/machine_observers.hpp"
#include "worker/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

namespace benchctl {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// What a plugin or a worker says of itself takes no time.
constexpr double describe_timeout_seconds = 20;

/// Goes on with the exception that is being handled if it tells of this machine and not of a plugin: then
/// no plugin is to blame, and nothing that follows could be trusted.
void rethrow_if_machine_failed() {
  try {
    throw;
  } catch (const WorkerNotStarted&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::system_error& error) {
    // A file that this user may not read is the file's fault; that none can be read is the machine's.
    const bool of_file = error.code() == std::errc::permission_denied ||
                         error.code() == std::errc::no_such_file_or_directory;
    if (!of_file) throw;
  } catch (...) {
  }
}

/// Asks one worker after the other until one survives the question. Throws Failure, WorkerLost,
/// WorkerNotStarted.
template <class Request>
typename Request::Reply ask_fresh_worker(ChannelFactory& factory, const std::vector<fs::path>& libraries,
                                         const Request& request, double timeout_seconds) {
  return retry([&] { return Client(factory, libraries).ask(request, timeout_seconds); },
               [](const WorkerLost&) { return true; });
}

/// What this program's file is. Quicker than its digest, for commands that only list something.
std::string stamp_of_program() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  return fmt::format("{}-{}", fs::file_size(program, ignored),
                     fs::last_write_time(program, ignored).time_since_epoch().count());
}

/// One for all tables of kernels in that folder of plugins: they may include those of others.
std::string digest_of_tables(const fs::path& plugins) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& folder : fs::directory_iterator(plugins / "kernels", ignored)) {
    for (const auto& entry : fs::directory_iterator(folder.path(), ignored)) {
      if (entry.path().extension() == ".toml") files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  std::string all;
  for (const fs::path& file : files)
    all += file.lexically_relative(plugins).string() + ' ' + digest_file(file) + '\n';
  return digest_text(all);
}

/// What was found about a library before.
std::optional<PluginEntry> kept_description(const DiskCache& cache, const std::string& digest) {
  const std::optional<std::string> bytes = cache.read(digest);
  if (!bytes) return std::nullopt;
  try {
    return decode<PluginEntry>(json::from_cbor(*bytes));
  } catch (const std::exception&) {
    cache.forget(digest);  // of no use: it is written anew
    return std::nullopt;
  }
}

PluginEntry read_plugin(const fs::path& library, ChannelFactory& factory, const DiskCache& cache) {
  const std::string digest = digest_file(library);
  const std::string key = digest_text(digest + digest_of_tables(library.parent_path()));
  std::optional<PluginEntry> entry = kept_description(cache, key);
  const bool known = entry.has_value();
  if (!known) entry = ask_fresh_worker(factory, {library}, verbs::Describe(), describe_timeout_seconds);
  entry->library = library;
  entry->kernel_directory = kernel_directory_of(library, entry->info.name);
  if (!known) {
    add_tables(*entry);
    std::string bytes;
    json::to_cbor(encode(*entry), bytes);
    cache.write(key, bytes);
  }
  entry->digest = digest;
  return std::move(*entry);
}

BackendLanes probe(const PluginEntry& plugin, ChannelFactory& factory, double timeout_seconds) {
  BackendLanes failed;
  failed.backend = plugin.info.name;
  std::string reason;
  try {
    BackendLanes lanes = lanes_of(
        plugin.info.name,
        ask_fresh_worker(factory, {plugin.library}, verbs::Probe{plugin.info.name}, timeout_seconds));
    for (Lane& lane : lanes.lanes) add_bus_properties(lane.device);
    return lanes;
  } catch (const Failure& failure) {
    failed.status = status_of(failure);
    reason = failure.what();
  } catch (const WorkerLost& lost) {
    failed.status = lost.status();
    reason = lost.what();
  }
  failed.unavailable = fmt::format("its devices cannot be listed: {}", reason);
  return failed;
}

}  // namespace

PluginTable read_plugins(const std::vector<fs::path>& folders, ChannelFactory& factory,
                         const fs::path& cache) {
  const DiskCache descriptions(cache.empty() ? cache : cache / "plugins", stamp_of_program());
  PluginTable table;
  for (const fs::path& library : plugin_libraries(folders)) {
    if (const std::string problem = file_problem(library); !problem.empty()) {
      table.refuse(library, problem);
      continue;
    }
    try {
      table.add(read_plugin(library, factory, descriptions));
    } catch (const std::exception& error) {
      rethrow_if_machine_failed();
      table.refuse(library, error.what());
    }
  }
  add_kernel_plugins(table, folders);
  table.note_left_out(folders);
  return table;
}

PluginTable loaded_plugins(const PluginHost& host, const std::vector<fs::path>& folders) {
  PluginTable table;
  for (const LoadedPlugin& plugin : host.plugins()) {
    PluginEntry entry = describe(plugin);
    entry.digest = digest_file(plugin.library);
    try {
      add_tables(entry);
      table.add(std::move(entry));
    } catch (const std::exception& error) {
      table.refuse(plugin.library, error.what());
    }
  }
  for (const RefusedPlugin& plugin : host.refused()) table.refuse(plugin.library, plugin.reason);
  add_kernel_plugins(table, folders);
  table.note_left_out(folders);
  return table;
}

std::vector<fs::path> tuning_folders() {
  std::vector<fs::path> folders;
  if (const char* given = std::getenv("BENCHCTL_TUNINGS"); given != nullptr) {
    std::istringstream words(given);
    for (std::string word; std::getline(words, word, ':');) {
      if (!word.empty()) folders.emplace_back(word);
    }
  }
  folders.emplace_back("tunings");
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  folders.push_back((program.parent_path() / "../share/benchctl/tunings").lexically_normal());
  return folders;
}

Catalogue make_catalogue(const PluginTable& plugins) {
  Catalogue catalogue;
  const std::vector<fs::path> tunings = tuning_folders();
  const auto add_reading = [&](const ReadingInfo& reading) {
    if (catalogue.find_reading(reading.id) == nullptr) catalogue.readings.push_back(reading);
  };
  std::vector<fs::path> observers;
  for (const PluginEntry& plugin : plugins.plugins()) {
    std::ranges::for_each(plugin.readings, add_reading);
    if (plugin.is_observer) observers.push_back(plugin.library);
  }
  for (const Observer* observer : machine_observers())
    std::ranges::for_each(observer->readings(), add_reading);
  for (const PluginEntry& plugin : plugins.plugins()) {
    if (!plugin.is_backend) continue;
    BackendEntry entry;
    entry.name = plugin.info.name;
    entry.variants = plugin.variants;
    entry.kernel_directory = plugin.kernel_directory;
    entry.compiles_offline = plugin.compiles_offline;
    for (const fs::path& folder : tunings) {
      std::vector<TuningTable> tables = load_tunings(folder, entry.name);
      std::ranges::move(tables, std::back_inserter(entry.tunings));
    }
    entry.libraries.push_back(plugin.library);
    std::ranges::remove_copy(observers, std::back_inserter(entry.libraries), plugin.library);
    catalogue.backends.push_back(std::move(entry));
  }
  for (const PluginEntry& plugin : plugins.plugins()) {
    const auto extended = std::ranges::find(catalogue.backends, plugin.extends, &BackendEntry::name);
    if (extended != catalogue.backends.end())
      extended->variants.insert(extended->variants.end(), plugin.variants.begin(), plugin.variants.end());
  }
  const std::vector<std::string> of_tree = backends_of_tree();
  const auto add_absent = [&](const std::string& name, const std::string& reason) {
    if (catalogue.find(name) != nullptr || catalogue.find_absent(name) != nullptr) return;
    const bool is_backend = std::ranges::find(of_tree, name) != of_tree.end();
    catalogue.absent.push_back({.name = name, .reason = reason, .is_backend = is_backend});
  };
  for (const RefusedPlugin& plugin : plugins.refused())
    add_absent(plugin.name, fmt::format("plugin refused: {}", plugin.reason));
  for (const LeftOutPlugin& plugin : plugins.left_out()) add_absent(plugin.name, plugin.reason);
  return catalogue;
}

std::vector<PluginBuild> plugin_builds(const PluginTable& plugins) {
  std::vector<PluginBuild> builds;
  for (const PluginEntry& plugin : plugins.plugins()) {
    builds.push_back(
        {plugin.info.name, plugin.info.version, plugin.info.build, plugin.digest, plugin.info.variables});
  }
  return builds;
}

std::string blas_of_workers(ChannelFactory& factory) {
  try {
    return ask_fresh_worker(factory, {}, verbs::Blas(), describe_timeout_seconds).build;
  } catch (const std::exception&) {
    return std::string(unknown_value);  // a run needs it for its record alone
  }
}

namespace {

/// Takes off devices that BENCHCTL_HARDWARE does not name. Processors stay: a scheduler binds them itself.
void keep_given_hardware(LaneTable& table) {
  const char* variable = std::getenv("BENCHCTL_HARDWARE");
  if (variable == nullptr || *variable == '\0') return;
  const std::string given = fmt::format(",{},", variable);
  for (BackendLanes& backend : table) {
    const std::size_t before = backend.lanes.size();
    std::erase_if(backend.lanes, [&](const Lane& lane) {
      return lane.device.type != DeviceType::cpu &&
             given.find(fmt::format(",{},", hardware_of(lane))) == std::string::npos;
    });
    if (before > 0 && backend.lanes.empty())
      backend.unavailable = fmt::format("BENCHCTL_HARDWARE names none of its devices ({})", variable);
  }
}

}  // namespace

LaneTable probe_lanes(const PluginTable& plugins, ChannelFactory& factory,
                      const std::vector<std::string>& backends, double timeout_seconds) {
  LaneTable table;
  for (const PluginEntry& plugin : plugins.plugins()) {
    if (!plugin.is_backend) continue;
    if (!backends.empty() && std::ranges::find(backends, plugin.info.name) == backends.end()) continue;
    table.push_back(probe(plugin, factory, timeout_seconds));
  }
  keep_given_hardware(table);
  return table;
}

std::vector<std::string> remarks_of(const LaneTable& lanes) {
  std::vector<std::string> sentences;
  for (const BackendLanes& backend : lanes) {
    sentences.insert(sentences.end(), backend.remarks.begin(), backend.remarks.end());
    if (backend.status != Status::skipped) {
      sentences.push_back(fmt::format("backend '{}': {}", backend.backend, backend.unavailable));
    }
  }
  return sentences;
}

std::vector<std::string> leave_out_bad_observers(Catalogue& catalogue, const PluginTable& plugins,
                                                 const LaneTable& lanes, ChannelFactory& factory,
                                                 double timeout_seconds) {
  std::vector<std::string> sentences;
  for (const PluginEntry& plugin : plugins.plugins()) {
    verbs::Watch watch;
    for (const BackendLanes& backend : lanes) {
      if (backend.backend == plugin.info.name) continue;  // a fault there costs its own points
      for (const Lane& lane : backend.lanes) watch.devices.push_back(lane.device);
    }
    if (!plugin.is_observer || watch.devices.empty()) continue;
    try {
      ask_fresh_worker(factory, {plugin.library}, watch, timeout_seconds);
    } catch (const std::exception& error) {
      rethrow_if_machine_failed();
      sentences.push_back(
          fmt::format("observer '{}' failed and is not used: {}", plugin.info.name, error.what()));
      for (BackendEntry& backend : catalogue.backends) {
        if (backend.name != plugin.info.name) std::erase(backend.libraries, plugin.library);
      }
    }
  }
  return sentences;
}

std::vector<std::string> unmet_requirements(const std::vector<std::string>& requirements,
                                            const LaneTable& lanes) {
  std::vector<std::string> unmet;
  for (const std::string& requirement : requirements) {
    const std::size_t colon = requirement.find(':');
    const std::string backend = requirement.substr(0, colon);
    const std::string rest = colon == std::string::npos ? "" : requirement.substr(colon + 1);
    const auto entry = std::ranges::find(lanes, backend, &BackendLanes::backend);
    if (entry == lanes.end()) {
      unmet.push_back(fmt::format("required '{}': there is no backend '{}'", requirement, backend));
      continue;
    }
    const bool met = std::ranges::any_of(entry->lanes, [&](const Lane& lane) {
      return rest.empty() || to_string(lane.device.type) == rest || glob_match(rest, lane.device.id);
    });
    if (met) continue;
    unmet.push_back(
        entry->lanes.empty()
            ? fmt::format("required '{}': no device: {}", requirement, entry->unavailable)
            : fmt::format("required '{}': none of the devices of '{}' matches", requirement, backend));
  }
  return unmet;
}

}  // namespace benchctl
