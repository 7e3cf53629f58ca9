// The subcommands of `benchctl plugin`.
#pragma once

#include "cli/command.hpp"

namespace benchctl::cli {

void add_plugin_check(CLI::App& plugin, Common& common);
void add_plugin_new(CLI::App& plugin, Common& common);

}  // namespace benchctl::cli
