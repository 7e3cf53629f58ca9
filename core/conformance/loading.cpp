#include "conformance/checks.hpp"

#include <fmt/format.h>

namespace benchctl::conformance {

namespace {

/// `mine` of libbenchctl_mine.so.
std::string promised_name(const std::filesystem::path& library) {
  const std::string stem = library.stem().string();
  const std::size_t prefix = std::string_view("libbenchctl_").size();
  return stem.size() > prefix ? stem.substr(prefix) : stem;
}

void describes_itself(const PluginInfo& info, const std::filesystem::path& library) {
  if (info.name != promised_name(library)) {
    throw Broken(fmt::format("info().name is '{}', the file is {}: they must be equal", info.name,
                             library.filename().string()));
  }
  for (const auto& [field, text] : {std::pair("title", info.title), std::pair("version", info.version),
                                    std::pair("build", info.build)}) {
    if (text.empty())
      throw Broken(fmt::format("info().{} is empty; it is stored with every result", field));
  }
}

}  // namespace

void check_loading(Subject& subject, Trials& trials) {
  const std::filesystem::path& library = subject.task().library;
  trials.run("the library is accepted", [&] {
    const PluginHost host = PluginHost::load_libraries({library});
    if (host.plugins().empty()) throw Broken(host.refused().at(0).reason);
  });
  trials.run("it says what it is", [&] { describes_itself(subject.plugin().info, library); });
  trials.run("it offers a backend or an observer", [&] {
    const LoadedPlugin& plugin = subject.plugin();
    if (plugin.backend == nullptr && plugin.observer == nullptr)
      throw Broken("neither backend() nor observer()");
  });
  trials.run("it is unloaded and loaded once more", [&] {
    for (int i = 0; i < 2; ++i) {
      const PluginHost host = PluginHost::load_libraries({library});
      if (host.plugins().empty()) throw Broken("the second time: " + host.refused().at(0).reason);
    }
  });
}

}  // namespace benchctl::conformance
