#include "plugins/plugin_host.hpp"

#include "model/words.hpp"
#include "plugins/trusted_path.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <boost/dll/shared_library.hpp>
#include <cstdlib>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

using Factory = Plugin*();

constexpr std::string_view prefix = "libbenchctl_";
constexpr std::string_view suffix = ".so";

bool looks_like_plugin(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.starts_with(prefix) && name.ends_with(suffix) && name.size() > prefix.size() + suffix.size();
}

/// A plugin object that lets go of its library only after itself.
struct Holder {
  boost::dll::shared_library library;
  std::unique_ptr<Plugin> plugin;
  ~Holder() { plugin.reset(); }
  Holder() = default;
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
};

}  // namespace

std::vector<fs::path> plugin_search_path(const std::vector<fs::path>& extra) {
  std::vector<fs::path> folders;
  for (const fs::path& folder : extra) folders.push_back(fs::absolute(folder));
  if (const char* variable = std::getenv("BENCHCTL_PLUGIN_PATH")) {
    std::string_view rest = variable;
    while (!rest.empty()) {
      const std::size_t colon = std::min(rest.find(':'), rest.size());
      const fs::path folder = rest.substr(0, colon);
      if (!folder.empty() && !fs::is_directory(folder)) {
        throw std::runtime_error(fmt::format("BENCHCTL_PLUGIN_PATH: there is no folder '{}'", folder));
      }
      if (!folder.empty()) folders.push_back(fs::absolute(folder));
      rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
  }
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
  folders.push_back(program / "plugins");
  folders.push_back((program / "../lib/benchctl/plugins").lexically_normal());
  return folders;
}

std::vector<fs::path> plugin_libraries(const std::vector<fs::path>& folders) {
  std::vector<fs::path> all;
  for (const fs::path& folder : folders) {
    std::error_code missing;
    std::vector<fs::path> libraries;
    for (const auto& entry : fs::directory_iterator(folder, missing)) {
      if (looks_like_plugin(entry.path())) libraries.push_back(entry.path());
    }
    std::ranges::sort(libraries);
    all.insert(all.end(), libraries.begin(), libraries.end());
  }
  return all;
}

std::vector<fs::path> kernel_folders(const std::vector<fs::path>& folders) {
  std::vector<fs::path> all;
  for (const fs::path& folder : folders) {
    std::error_code missing;
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder / "kernels", missing)) {
      const fs::path library = folder / library_name(entry.path().filename().string());
      if (fs::exists(entry.path() / "common.toml", missing) && !fs::exists(library, missing))
        found.push_back(entry.path());
    }
    std::ranges::sort(found);
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

std::string promised_name(const fs::path& library) {
  const std::string name = library.filename().string();
  if (!looks_like_plugin(library)) return name;
  return name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
}

std::string library_name(const std::string& plugin) {
  return fmt::format("{}{}{}", prefix, plugin, suffix);
}

fs::path kernel_directory_of(const fs::path& library, const std::string& name) {
  return library.parent_path() / "kernels" / name;
}

std::string info_problem(const PluginInfo& info) {
  const auto made_of = [](std::string_view text, char first, char last) {
    return std::ranges::all_of(
        text, [&](char c) { return (c >= first && c <= last) || (c >= '0' && c <= '9') || c == '_'; });
  };
  if (info.name.empty() || !made_of(info.name, 'a', 'z')) {
    return fmt::format("its name '{}' is not made of lower-case letters, digits and '_'", info.name);
  }
  // A shorter one would put variables of strangers, and their secrets, into every store.
  const auto bad = std::ranges::find_if(info.variables, [&](const std::string& prefix) {
    return prefix.size() < 3 || !made_of(prefix, 'A', 'Z');
  });
  if (bad == info.variables.end()) return "";
  return fmt::format(
      "its prefix of environment variables '{}' is not at least three of A to Z, 0 to 9 and '_'", *bad);
}

std::string file_problem(const fs::path& library) {
  std::error_code ignored;
  // Opening a pipe or a device could wait for ever.
  if (!fs::is_regular_file(library, ignored)) return "it is not a regular file";
  return distrust_of(library);
}

std::string abi_mismatch(const AbiStamp& host, const AbiStamp& plugin) {
  if (plugin.magic != host.magic) return "not a benchctl plugin: its stamp is not one of benchctl's";
  if (plugin.sdk_major != host.sdk_major || plugin.sdk_minor > host.sdk_minor) {
    return fmt::format(
        "it was built with SDK {}.{}, this program has {}.{}; rebuild the plugin against this program's "
        "headers",
        plugin.sdk_major, plugin.sdk_minor, host.sdk_major, host.sdk_minor);
  }
  if (plugin.stamp_bytes != host.stamp_bytes) {
    return fmt::format("its stamp has {} bytes instead of {}; rebuild the plugin", plugin.stamp_bytes,
                       host.stamp_bytes);
  }
  if (std::strncmp(plugin.standard_library, host.standard_library, sizeof host.standard_library) != 0) {
    return fmt::format("it uses the C++ library {:.{}}, this program uses {}; build it with the same one",
                       plugin.standard_library, sizeof plugin.standard_library, host.standard_library);
  }
  if (plugin.cxx_abi != host.cxx_abi || plugin.string_abi != host.string_abi) {
    return fmt::format("its C++ ABI is {}/{}, this program's is {}/{}; build it with a compatible compiler",
                       plugin.cxx_abi, plugin.string_abi, host.cxx_abi, host.string_abi);
  }
  for (std::size_t i = 0; i < std::size(host.sizes); ++i) {
    if (plugin.sizes[i] == host.sizes[i]) continue;
    return fmt::format("type {} of the interface has {} bytes in it and {} here; rebuild the plugin", i,
                       plugin.sizes[i], host.sizes[i]);
  }
  return {};
}

PluginHost PluginHost::load(const std::vector<fs::path>& folders) {
  return load_libraries(plugin_libraries(folders));
}

PluginHost PluginHost::load_libraries(const std::vector<fs::path>& libraries) {
  PluginHost host;
  for (const fs::path& library : libraries) host.load_library(library);
  return host;
}

const LoadedPlugin* PluginHost::find(std::string_view name) const {
  for (const LoadedPlugin& plugin : plugins_) {
    if (plugin.info.name == name) return &plugin;
  }
  return nullptr;
}

void PluginHost::load_library(const fs::path& library) {
  const auto refuse = [&](const std::string& reason) {
    refused_.push_back({library, promised_name(library), reason});
  };
  if (const std::string reason = file_problem(library); !reason.empty()) return refuse(reason);
  auto holder = std::make_shared<Holder>();
  std::error_code error;
  holder->library.load(library, error,
                       boost::dll::load_mode::rtld_lazy | boost::dll::load_mode::rtld_local);
  if (!holder->library.is_loaded()) {
    // Boost.DLL keeps only a number; the dynamic linker's own sentence names the missing symbol or file.
    const char* detail = dlerror();
    if (dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL) == nullptr) detail = dlerror();
    return refuse(fmt::format("it cannot be loaded: {}", detail != nullptr ? detail : error.message()));
  }
  if (!holder->library.has("benchctl_abi_stamp") || !holder->library.has("benchctl_create_plugin")) {
    return refuse(
        "not a benchctl plugin: it does not export benchctl_abi_stamp and benchctl_create_plugin");
  }
  const auto& stamp = holder->library.get<const AbiStamp>("benchctl_abi_stamp");
  static constexpr AbiStamp host_stamp = make_abi_stamp();
  if (const std::string reason = abi_mismatch(host_stamp, stamp); !reason.empty()) return refuse(reason);
  try {
    holder->plugin.reset(holder->library.get<Factory>("benchctl_create_plugin")());
    if (holder->plugin == nullptr) return refuse("its factory returned nothing");
    LoadedPlugin loaded;
    loaded.info = holder->plugin->info();
    if (const std::string reason = info_problem(loaded.info); !reason.empty()) return refuse(reason);
    if (const LoadedPlugin* other = find(loaded.info.name)) {
      return refuse(
          fmt::format("plugin '{}' was loaded already from {}", loaded.info.name, other->library));
    }
    loaded.library = library;
    loaded.kernel_directory = kernel_directory_of(library, loaded.info.name);
    if (const std::string reason = distrust_of_all(loaded.kernel_directory); !reason.empty())
      return refuse(reason);
    loaded.backend = holder->plugin->backend();
    loaded.observer = holder->plugin->observer();
    if (loaded.backend == nullptr && loaded.observer == nullptr) {
      return refuse("it offers neither a backend nor an observer");
    }
    loaded.keep_alive = holder;
    plugins_.push_back(std::move(loaded));
  } catch (const std::exception& problem) {
    refuse(fmt::format("its factory failed: {}", problem.what()));
  }
}

}  // namespace benchctl
