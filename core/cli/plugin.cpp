// `benchctl plugin check`: does a plugin keep the contract? `benchctl plugin new`: a folder with a plugin
// that loads and keeps it, to be filled in. What that is made of lies in core/cli/scaffold and,
// installed, in share/benchctl/scaffold: files in which @NAME@ stands for the plugin's name and @SDK@ for
// the version of the SDK.
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "config/kernel_tables.hpp"
#include "conformance/runner.hpp"
#include "model/json.hpp"
#include "model/words.hpp"
#include "plugins/plugin_host.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

using conformance::CheckReport;
using conformance::Remark;
using nlohmann::json;

struct PluginCheckArguments {
  std::string plugin;
  bool full = false;
  bool verbose = false;
  std::vector<std::string> only;
  std::vector<std::string> devices;
  double timeout_seconds = 60;
  std::string format;
};

/// Along the search path; empty if it is not there.
fs::path library_named(const std::string& name, const Common& common) {
  for (const fs::path& folder : common.search_path()) {
    const fs::path file = folder / library_name(name);
    if (fs::is_regular_file(file)) return file;
  }
  return {};
}

/// What is checked.
struct Subject {
  fs::path library;
  fs::path kernels = {};  ///< a plugin of kernels, for the backend of the library
};

Subject kernels_in(const fs::path& folder, const Common& common) {
  const std::string backend = backend_of_tables(folder);
  if (backend.empty()) {
    throw UsageError(
        fmt::format("{} is a folder, not a plugin's file; a plugin of kernels has a common.toml whose "
                    "[common] says `backend = …`",
                    folder));
  }
  const fs::path library = library_named(backend, common);
  if (library.empty()) {
    throw UsageError(fmt::format("{} has kernels for backend '{}', but there is no {} in {}", folder,
                                 backend, library_name(backend), fmt::join(common.search_path(), ", ")));
  }
  return {library, folder};
}

/// What a word on the command line means.
Subject subject_of(const std::string& text, const Common& common) {
  if (text.find('/') != std::string::npos || fs::path(text).has_extension()) {
    const fs::path path = fs::absolute(text).lexically_normal();
    if (fs::is_regular_file(path) && path.extension() != ".so")
      throw UsageError(
          fmt::format("{} is not a library: expected a file libbenchctl_NAME.so", visible(text)));
    if (fs::is_regular_file(path)) return {path};
    if (fs::is_directory(path)) return kernels_in(path.has_filename() ? path : path.parent_path(), common);
    throw UsageError(fmt::format("there is no file {}", visible(text)));
  }
  if (const fs::path library = library_named(text, common); !library.empty()) return {library};
  const std::vector<fs::path> folders = common.search_path();
  for (const fs::path& folder : kernel_folders(folders)) {
    if (folder.filename() == text) return kernels_in(folder, common);
  }
  throw UsageError(fmt::format(
      "there is no plugin libbenchctl_{}.so in {}; give its file, or its folder with --plugin-path",
      visible(text), fmt::join(folders, ", ")));
}

/// Reasons of several lines (compilers' logs) stay below their trial.
std::string indented(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += c;
    if (c == '\n') result += "        ";
  }
  return result;
}

void print_check(const CheckReport& check, bool verbose) {
  std::size_t failed = 0;
  std::size_t skipped = 0;
  for (const Remark& remark : check.remarks)
    ++(remark.outcome == conformance::Outcome::failed ? failed : skipped);
  std::string counts = fmt::format("{} passed", check.passed);
  if (failed > 0) counts += fmt::format(", {} failed", failed);
  if (skipped > 0) counts += fmt::format(", {} skipped", skipped);
  const std::string title =
      check.device.empty() ? check.check : fmt::format("{} on {}", check.check, check.device);
  print_plain("{:<8} {:<28} {}\n", to_string(check.outcome), visible(title), counts);
  for (const Remark& remark : check.remarks) {
    // Why something could not be tried is shown if the check tried nothing else.
    const bool shown = remark.outcome == conformance::Outcome::failed || verbose ||
                       check.outcome == conformance::Outcome::skipped;
    if (shown)
      print_plain("    {}: {}: {}\n", to_string(remark.outcome), visible(remark.what),
                  indented(visible_lines(remark.reason)));
  }
  std::cout.flush();
}

json to_json(const CheckReport& check) {
  const json remarks = list_of(check.remarks, [](const Remark& remark) {
    return json{{"trial", remark.what}, {"outcome", to_string(remark.outcome)}, {"reason", remark.reason}};
  });
  return {{"check", check.check},   {"doc", conformance::find_check(check.check)->doc},
          {"device", check.device}, {"outcome", to_string(check.outcome)},
          {"passed", check.passed}, {"remarks", remarks}};
}

void print_json(const conformance::Report& report) {
  write_json(
      json{{"version", BENCHCTL_VERSION},
           {"sdk", fmt::format("{}.{}", BENCHCTL_SDK_MAJOR, BENCHCTL_SDK_MINOR)},
           {"extent", report.full ? "full" : "quick"},
           {"library", report.library.string()},
           {"plugin", report.name},
           {"plugin_version", report.version},
           {"plugin_build", report.build},
           {"checks", list_of(report.checks, [](const CheckReport& check) { return to_json(check); })}});
}

void check_plugin(Common& common, const PluginCheckArguments& options) {
  const RunFolder folder;
  conformance::Options kit;
  kit.program = own_program();
  const Subject subject = subject_of(options.plugin, common);
  kit.library = subject.library;
  kit.kernels = subject.kernels;
  kit.folder = folder.path();
  kit.only = options.only;
  kit.devices = options.devices;
  kit.full = options.full;
  kit.timeout_seconds = options.timeout_seconds;
  const bool text = options.format == "text";
  if (text) print_plain("{}\n", subject.kernels.empty() ? subject.library : subject.kernels);
  const auto told = [&](const CheckReport& check) {
    if (text) print_check(check, options.verbose);
  };
  conformance::Report report;
  try {
    report = conformance::run_checks(kit, told);
  } catch (const conformance::NoSuchDevice& error) {
    throw UsageError(error.what());
  }
  if (text) {
    print_plain("{} checks passed, {} failed, {} skipped\n", report.count(conformance::Outcome::passed),
                report.count(conformance::Outcome::failed), report.count(conformance::Outcome::skipped));
  } else {
    print_json(report);
  }
  if (report.count(conformance::Outcome::failed) > 0) common.exit_code = point_failed;
}

constexpr std::size_t longest_name = 32;

struct PluginNewArguments {
  std::string name;
  std::string kind;
  std::string folder;
};

/// It becomes a part of file names and of a C++ namespace, and what users write in front of a device.
void check_name(const std::string& name, const Common& common) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  const bool begins = !name.empty() && name.front() >= 'a' && name.front() <= 'z';
  if (!begins || !std::ranges::all_of(name, fits) || name.ends_with('_') ||
      name.find("__") != std::string::npos || name.size() > longest_name) {
    throw UsageError(
        fmt::format("'{}' cannot be a plugin's name: up to {} lower-case letters, digits and single '_', a "
                    "letter first",
                    name, longest_name));
  }
  for (const fs::path& folder : common.search_path()) {
    const fs::path library = folder / library_name(name);
    for (const fs::path& file : {library, kernel_directory_of(library, name)}) {
      if (!fs::exists(file)) continue;
      throw UsageError(
          fmt::format("there is a plugin '{}' already ({}); of two with one name only the first is loaded, "
                      "so choose another",
                      name, file));
    }
  }
}

/// Writes every file of a template folder into `target`. Names lose their last `.in`.
std::vector<fs::path> write_folder(const fs::path& source, const fs::path& target,
                                   const std::string& name) {
  std::vector<fs::path> written;
  const std::vector<std::pair<std::string, std::string>> places{
      {"@NAME@", name}, {"@SDK@", fmt::format("{}.{}", BENCHCTL_SDK_MAJOR, BENCHCTL_SDK_MINOR)}};
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".in") continue;
    const std::string text = read_file(entry.path());
    fs::path relative = replaced(fs::relative(entry.path(), source).string(), places);
    relative.replace_extension();
    fs::create_directories((target / relative).parent_path());
    write_output(replaced(text, places), (target / relative).string());
    written.push_back(relative);
  }
  return written;
}

void write_plugin(Common& common, const PluginNewArguments& options) {
  check_name(options.name, common);
  const fs::path target = options.folder.empty() ? fs::path(options.name) : fs::path(options.folder);
  if (fs::exists(target) && !(fs::is_directory(target) && fs::is_empty(target))) {
    throw UsageError(
        fmt::format("{} is there already; nothing is overwritten, give another folder with -o", target));
  }
  const fs::path templates = shared_file("scaffold");
  if (!fs::is_directory(templates / options.kind)) {
    throw UsageError(
        fmt::format("this installation has no {}; reinstall benchctl", templates / options.kind));
  }
  const bool has_library = options.kind != "kernels";
  std::vector<fs::path> files = write_folder(templates / options.kind, target, options.name);
  if (has_library)
    std::ranges::move(write_folder(templates / "common", target, options.name), std::back_inserter(files));
  std::ranges::sort(files);
  for (const fs::path& file : files) print_plain("{}\n", target / file);
  const std::string folder = shell_word(target.string());
  if (!has_library) {
    print_plain(
        "\nNext:\n"
        "  benchctl --plugin-path {0} list vector_add\n"
        "  benchctl plugin check {0}/kernels/{1}\n"
        "  grep -rn \"FILL IN\" {0}\n",
        folder, options.name);
    return;
  }
  print_plain(
      "\nNext:\n"
      "  cmake -S {0} -B {0}/build -DCMAKE_PREFIX_PATH={1}\n"
      "  cmake --build {0}/build\n"
      "  ctest --test-dir {0}/build --output-on-failure\n"
      "  grep -rn \"FILL IN\" {0}\n",
      folder, shell_word(own_program().parent_path().parent_path().string()));
}

void add_plugin_check(CLI::App& plugin, Common& common) {
  const auto [command, options] =
      add_command(plugin, common, "check", "Check whether a plugin keeps the contract", &check_plugin);
  add_value(command, "plugin", options.plugin, "LIB|FOLDER|NAME",
            "A plugin's file, the folder of one of kernels, or its name along the search path")
      ->required();
  command.add_flag("--full", options.full, "All problems, all variants, many cycles");
  command.add_flag("--verbose", options.verbose, "Also what was skipped, with the reason");
  const std::vector<std::string> checks = check_names(conformance::all_checks());
  add_names(command, "--only", options.only, "CHECK",
            fmt::format("Only these checks: {}", fmt::join(checks, ", ")))
      ->check(CLI::IsMember(checks).description(""));  // the text has them
  add_names(command, "--device", options.devices, "GLOB",
            "Only these devices, by name or pattern: BACKEND:0, 'BACKEND:*' (several: A,B; default: all "
            "but simulators)");
  add_timeout_option(command, options.timeout_seconds, "Seconds that one trial may take");
  add_format_option(command, options.format, {"text", "json"});
}

void add_plugin_new(CLI::App& plugin, Common& common) {
  const auto [command, options] = add_command(
      plugin, common, "new", "Write a folder with a working plugin to start from", &write_plugin);
  add_value(command, "name", options.name, "NAME", "Name of the plugin, and of its backend if it has one")
      ->required();
  command
      .add_option("--kind", options.kind,
                  "native: variants are functions of the plugin; jit: they are kernel files, compiled at "
                  "run time; kernels: they are kernel files for a backend that exists, without any C++")
      ->required()
      ->check(CLI::IsMember({"native", "jit", "kernels"}));
  add_value(command, "-o,--output", options.folder, "FOLDER", "Folder to write (default: ./NAME)");
}

}  // namespace

void add_plugin(CLI::App& app, Common& common) {
  CLI::App* plugin = app.add_subcommand("plugin", "Start or check a plugin");
  plugin->require_subcommand(1);
  add_plugin_check(*plugin, common);
  add_plugin_new(*plugin, common);
}

}  // namespace benchctl::cli
