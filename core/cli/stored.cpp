// `benchctl show` and `export`: a run of the store.
#include "cli/run_names.hpp"
#include "cli/terminal.hpp"
#include "report/export.hpp"
#include "report/table.hpp"
#include "store/store.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>

namespace benchctl::cli {

namespace {

/// Below the folder, whatever their names say: a file that stood above the config goes into `up`.
void write_files(const std::vector<RunFile>& files, const std::filesystem::path& folder) {
  for (const RunFile& file : files) {
    std::filesystem::path inside = folder;
    for (const std::filesystem::path& part : std::filesystem::path(file.name).relative_path()) {
      inside /= part == ".." ? "up" : part;
    }
    std::filesystem::create_directories(inside.parent_path());
    write_output(file.contents, inside.string());
  }
}

void add_run_argument(CLI::App& command, std::string& run) {
  command.add_option("run", run, fmt::format("{} (default: the newest)", run_forms))->type_name("RUN");
}

}  // namespace

void add_show(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("show", "Show the result table of a run");
  auto format = std::make_shared<std::string>();
  auto name = std::make_shared<std::string>();
  auto all = std::make_shared<bool>(false);
  auto published = std::make_shared<bool>(false);
  add_run_argument(*command, *name);
  add_store_option(*command, common);
  add_format_option(*command, *format, {"text", "markdown", "json"});
  command->add_flag(
      "--all", *all,
      fmt::format("List all points with times, not only {}: the fastest of each problem and device, "
                  "then the second fastest of each, and so on",
                  rows_listed));
  command->add_flag("--published", *published, published_help);
  command->callback([&common, format, name, all, published] {
    const NamedRuns runs = open_run(common.store_file().string(), *name);
    const auto& [store, run] = runs.sources.front();
    std::cout << write_run(*format, *store, run,
                           {.table = {.colours = colours_on(STDOUT_FILENO),
                                      .all = *all,
                                      .published = *published,
                                      .width = *format == "text" ? text_width(STDOUT_FILENO) : 0}});
  });
}

void add_export(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("export", "Write the rows of a run for other programs");
  auto format = std::make_shared<std::string>();
  auto file = std::make_shared<std::string>();
  auto name = std::make_shared<std::string>();
  auto samples = std::make_shared<bool>(false);
  add_run_argument(*command, *name);
  add_store_option(*command, common);
  add_format_option(*command, *format, {"csv", "json"});
  command->add_option("-o,--output", *file, "File to write (default: standard output)")->type_name("FILE");
  auto folder = std::make_shared<std::string>();
  command
      ->add_option("--files", *folder,
                   "Also write the kernel sources and other files of the config into this folder")
      ->type_name("FOLDER");
  command->add_flag("--samples", *samples, "All raw samples, too (JSON only)");
  command->callback([&common, format, file, name, samples, folder] {
    if (*samples && *format != "json")
      throw UsageError("--samples: raw samples are exported as JSON; add --format json");
    const NamedRuns runs = open_run(common.store_file().string(), *name);
    const auto& [store, run] = runs.sources.front();
    if (!folder->empty()) write_files(store->files(run), *folder);
    write_output(write_run(*format, *store, run, {.samples = *samples}), *file);
  });
}

}  // namespace benchctl::cli
