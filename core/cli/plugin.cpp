// `benchctl plugin`: what authors of plugins need.
#include "cli/plugin_commands.hpp"

#include <CLI/CLI.hpp>

namespace benchctl::cli {

void add_plugin(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("plugin", "Start or check a plugin");
  command->require_subcommand(1);
  add_plugin_new(*command, common);
  add_plugin_check(*command, common);
}

}  // namespace benchctl::cli
