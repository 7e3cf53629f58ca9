// `benchctl plugin check`: does a plugin keep the contract?
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "conformance/runner.hpp"
#include "model/visible.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

using conformance::CheckReport;
using conformance::Remark;
using nlohmann::json;

struct PluginCheckArguments {
  std::string plugin;
  bool quick = false;
  bool full = false;
  bool verbose = false;
  std::vector<std::string> only;
  std::vector<std::string> devices;
  double timeout_seconds = 60;
  std::string format;
};

/// The file that a word on the command line means.
fs::path library_of(const std::string& text, const Common& common) {
  if (text.find('/') != std::string::npos || text.ends_with(".so")) {
    if (fs::is_regular_file(text)) return fs::absolute(text).lexically_normal();
    throw UsageError(fs::is_directory(text) ? fmt::format("{} is a folder, not a plugin's file", text)
                                            : fmt::format("there is no file {}", text));
  }
  std::vector<std::string> folders;
  for (const fs::path& folder : common.search_path()) {
    const fs::path file = folder / fmt::format("libbenchctl_{}.so", text);
    if (fs::is_regular_file(file)) return file;
    folders.push_back(folder.string());
  }
  throw UsageError(
      fmt::format("there is no plugin libbenchctl_{}.so in {}; give its file, or its folder with "
                  "--plugin-path",
                  text, fmt::join(folders, ", ")));
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
  fmt::print("{:<8} {:<28} {}\n", to_string(check.outcome), visible(title), counts);
  for (const Remark& remark : check.remarks) {
    // Why something could not be tried is shown if the check tried nothing else.
    const bool shown = remark.outcome == conformance::Outcome::failed || verbose ||
                       check.outcome == conformance::Outcome::skipped;
    if (shown)
      fmt::print("    {}: {}: {}\n", to_string(remark.outcome), visible(remark.what),
                 indented(visible_lines(remark.reason)));
  }
  std::cout.flush();
}

void print_json(const conformance::Report& report) {
  json checks = json::array();
  for (const CheckReport& check : report.checks) {
    json remarks = json::array();
    for (const Remark& remark : check.remarks) {
      remarks.push_back(
          {{"trial", remark.what}, {"outcome", to_string(remark.outcome)}, {"reason", remark.reason}});
    }
    checks.push_back({{"check", check.check},
                      {"doc", conformance::find_check(check.check)->doc},
                      {"device", check.device},
                      {"outcome", to_string(check.outcome)},
                      {"passed", check.passed},
                      {"remarks", std::move(remarks)}});
  }
  std::cout << json{{"version", BENCHCTL_VERSION},
                    {"sdk", fmt::format("{}.{}", BENCHCTL_SDK_MAJOR, BENCHCTL_SDK_MINOR)},
                    {"extent", report.full ? "full" : "quick"},
                    {"library", report.library.string()},
                    {"plugin", report.name},
                    {"plugin_version", report.version},
                    {"plugin_build", report.build},
                    {"checks", std::move(checks)}}
                   .dump(2, ' ', false, json::error_handler_t::replace)
            << '\n';
}

void run(Common& common, const PluginCheckArguments& options) {
  const RunFolder folder;
  conformance::Options kit;
  kit.program = own_program();
  kit.library = library_of(options.plugin, common);
  kit.folder = folder.path();
  kit.only = options.only;
  kit.devices = options.devices;
  kit.full = options.full;
  kit.timeout_seconds = options.timeout_seconds;
  const bool text = options.format == "text";
  if (text) fmt::print("{}\n", visible(kit.library.string()));
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
    fmt::print("{} checks passed, {} failed, {} skipped\n", report.count(conformance::Outcome::passed),
               report.count(conformance::Outcome::failed), report.count(conformance::Outcome::skipped));
  } else {
    print_json(report);
  }
  if (report.count(conformance::Outcome::failed) > 0) common.exit_code = point_failed;
}

}  // namespace

void add_plugin_check(CLI::App& plugin, Common& common) {
  CLI::App* command = plugin.add_subcommand("check", "Check whether a plugin keeps the contract");
  auto options = std::make_shared<PluginCheckArguments>();
  command->add_option("plugin", options->plugin, "A plugin's file, or its name along the search path")
      ->required()
      ->type_name("LIB|NAME");
  auto* quick = command->add_flag("--quick", options->quick, "Few problems and cycles (the default)");
  command->add_flag("--full", options->full, "All problems, all variants, many cycles")->excludes(quick);
  command->add_flag("--verbose", options->verbose, "Also what was skipped, with the reason");
  command->add_option("--only", options->only, checks_doc(conformance::all_checks()))
      ->type_name("CHECK")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(check_names(conformance::all_checks())).description(""));  // the text has them
  command
      ->add_option(
          "--device", options->devices,
          "Only these devices, by name or pattern: BACKEND:0, 'BACKEND:*' (several: A,B; default: all but "
          "simulators)")
      ->type_name("GLOB")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--timeout", options->timeout_seconds, "Seconds that one trial may take")
      ->type_name("SECONDS")
      ->check(above_zero)
      ->capture_default_str();
  add_format_option(*command, options->format, {"text", "json"});
  command->callback([&common, options] { run(common, *options); });
}

void add_conformance_worker(CLI::App& app, Common&) {
  CLI::App* command = app.add_subcommand(
      "conformance-worker", "Internal: makes one check of a plugin, told on file descriptor 3");
  command->group("");  // hidden from --help
  command->callback([] { conformance::serve_check(3); });
}

}  // namespace benchctl::cli
