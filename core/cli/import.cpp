// `benchctl import`: a tuning problem of another program as a config.
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "config/import_t1.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>

namespace benchctl::cli {

namespace {

namespace fs = std::filesystem;

struct ImportArguments {
  std::string problem;
  std::string file;
};

fs::path folder_of(const fs::path& file) { return fs::absolute(file).lexically_normal().parent_path(); }

/// Kernel files are named as seen from the folder of the config. Throws UsageError.
void import_problem(Common&, const ImportArguments& options) {
  const fs::path here = options.file.empty() ? fs::current_path() : folder_of(options.file);
  const fs::path from = folder_of(options.problem);
  try {
    const ImportedConfig config =
        import_t1(read_file(options.problem), from == here ? fs::path() : from.lexically_relative(here));
    write_output(config.toml, options.file);
    for (const std::string& sentence : config.left_out) tell("benchctl: {}\n", sentence);
  } catch (const ImportError& error) {
    throw UsageError(fmt::format("{}: {}", visible(options.problem), error.what()));
  }
}

}  // namespace

void add_import(CLI::App& app, Common& common) {
  const auto [command, options] =
      add_command(app, common, "import",
                  "Convert a tuning problem in T1, the JSON format of Kernel Tuner and KTT, to a config",
                  &import_problem);
  add_value(command, "problem", options.problem, "FILE", "Tuning problem")->required();
  add_output_option(command, options.file);
}

}  // namespace benchctl::cli
