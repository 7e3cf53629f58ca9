// `benchctl tune --t1`: tuning problems of other programs as configs.
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "config/import_t1.hpp"

#include <fmt/format.h>

#include <iostream>

namespace benchctl::cli {

void print_imported(const std::filesystem::path& file) {
  const std::filesystem::path here = std::filesystem::current_path();
  const std::filesystem::path from = std::filesystem::absolute(file).lexically_normal().parent_path();
  try {
    const ImportedConfig config =
        import_t1(read_file(file), from == here ? std::filesystem::path() : from.lexically_relative(here));
    std::cout << config.toml;
    for (const std::string& sentence : config.left_out) tell("benchctl: {}\n", sentence);
  } catch (const ImportError& error) {
    throw UsageError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

}  // namespace benchctl::cli
