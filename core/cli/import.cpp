// `benchctl import`: tuning problems of other programs as configs.
#include "cli/command.hpp"
#include "config/import_t1.hpp"
#include "model/visible.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fstream>
#include <sstream>

namespace benchctl::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t max_bytes = std::uintmax_t{16} << 20;

std::string contents_of(const fs::path& file) {
  std::error_code error;
  if (fs::is_directory(file, error)) {
    throw UsageError(fmt::format("{} is a folder, not a file", file.string()));
  }
  if (!fs::is_regular_file(file, error))
    throw UsageError(fmt::format("there is no file {}", file.string()));
  if (fs::file_size(file, error) > max_bytes)
    throw UsageError(fmt::format("{} is larger than 16 MiB", file.string()));
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw UsageError(fmt::format("{} cannot be read", file.string()));
  return std::move(text).str();
}

fs::path folder_of(const std::string& file) {
  return file.empty() ? fs::current_path() : fs::absolute(file).lexically_normal().parent_path();
}

}  // namespace

void add_import(CLI::App& app, Common& common) {
  static_cast<void>(common);
  CLI::App* command = app.add_subcommand(
      "import", "Make a config of a tuning problem in T1, the JSON format of Kernel Tuner and KTT");
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
          import_t1(contents_of(*file), from == to ? fs::path() : from.lexically_relative(to));
      write_output(config.toml, *output);
      for (const std::string& sentence : config.left_out)
        fmt::print(stderr, "benchctl: {}\n", visible_lines(sentence));
    } catch (const ImportError& error) {
      throw UsageError(fmt::format("{}: {}", *file, error.what()));
    }
  });
}

}  // namespace benchctl::cli
