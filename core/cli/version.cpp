#include "cli/command.hpp"
#include "model/visible.hpp"
#include "observe/environment.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl::cli {

/// Of the generated source build/generated/revision.cpp: `git describe`, or "unknown" outside of a clone.
extern const char* const revision;

namespace {

std::string plugin_lines(const std::vector<std::filesystem::path>& folders) {
  std::string text;
  std::vector<std::string> found;
  for (const std::filesystem::path& library : plugin_libraries(folders)) {
    PluginSummary plugin = describe_plugin(library);
    if (plugin.reason.empty() && std::ranges::find(found, plugin.name) != found.end())
      plugin.reason = "another plugin of this name was found before";
    text += text.empty() ? "plugins   " : "          ";
    if (plugin.reason.empty()) {
      found.push_back(plugin.name);
      text +=
          fmt::format("{} {} ({})\n", visible(plugin.name), visible(plugin.version), visible(plugin.build));
    } else {
      text += fmt::format("{} cannot be used: {} ({})\n", visible(plugin.name),
                          visible_lines(plugin.reason), visible(library.string()));
    }
  }
  return text.empty() ? "plugins   none found\n" : text;
}

}  // namespace

std::string version_text(const Common& common) {
  std::string text =
      fmt::format("benchctl {}\nrevision  {}\ncompiler  {}, {}\n{}", BENCHCTL_VERSION, revision,
                  build_compiler(), BENCHCTL_BUILD_TYPE, plugin_lines(common.search_path()));
  text.pop_back();  // the parser ends the line
  return text;
}

}  // namespace benchctl::cli
