#include "cli/command.hpp"
#include "model/visible.hpp"
#include "observe/environment.hpp"

#include <fmt/format.h>

namespace benchctl::cli {

namespace {

std::string plugin_lines(const PluginTable& plugins) {
  std::string text;
  const auto begin_line = [&] { text += text.empty() ? "plugins   " : "          "; };
  for (const PluginEntry& plugin : plugins.plugins()) {
    begin_line();
    text += fmt::format("{} {} ({})\n", plugin.info.name, visible(plugin.info.version),
                        visible(plugin.info.build));
  }
  for (const RefusedPlugin& plugin : plugins.refused()) {
    begin_line();
    text += fmt::format("{} cannot be used: {} ({})\n", visible(plugin.name), visible_lines(plugin.reason),
                        visible(plugin.library.string()));
  }
  return text.empty() ? "plugins   none found\n" : text;
}

}  // namespace

std::string version_text(const Common& common) {
  std::string text =
      fmt::format("benchctl {}\nrevision  {}\ncompiler  {}, {}\n{}", BENCHCTL_VERSION, revision,
                  build_compiler(), BENCHCTL_BUILD_TYPE, plugin_lines(Workers().plugins(common)));
  text.pop_back();  // the parser ends the line
  return text;
}

}  // namespace benchctl::cli
