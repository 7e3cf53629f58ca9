// `benchctl import`: tuning problems of other programs as configs.
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "config/import_t1.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>

namespace benchctl::cli {

namespace {

namespace fs = std::filesystem;

fs::path folder_of(const std::string& file) {
  return file.empty() ? fs::current_path() : fs::absolute(file).lexically_normal().parent_path();
}

}  // namespace

void add_import(CLI::App& app, Common& common) {
  static_cast<void>(common);
  CLI::App* command = app.add_subcommand(
      "import", "Convert a tuning problem in T1, the JSON format of Kernel Tuner and KTT, to a config");
  auto file = std::make_shared<std::string>();
  auto output = std::make_shared<std::string>();
  command->add_option("file", *file, "T1 file")->required()->type_name("T1.json");
  command->add_option("-o,--output", *output, "Config to write (default: standard output)")
      ->type_name("CONFIG");
  command->callback([file, output] {
    const fs::path from = folder_of(*file);
    const fs::path to = folder_of(*output);
    try {
      const ImportedConfig config =
          import_t1(read_file(*file), from == to ? fs::path() : from.lexically_relative(to));
      write_output(config.toml, *output);
      for (const std::string& sentence : config.left_out) tell("benchctl: {}\n", sentence);
    } catch (const ImportError& error) {
      throw UsageError(fmt::format("{}: {}", *file, error.what()));
    }
  });
}

}  // namespace benchctl::cli
