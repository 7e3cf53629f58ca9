// What the subcommands share. One file per subcommand; each adds itself to the program's parser and sets
// the exit code when it is called.
#pragma once

#include "cli/run_folder.hpp"
#include "engine/host.hpp"

#include <fmt/format.h>
#include <CLI/App.hpp>

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace benchctl::cli {

/// Exit codes of the program; documented in the README and in `--help`.
enum ExitCode : int {
  success = 0,
  point_failed = 1,
  usage_error = 2,
  regressed = 3,
  not_comparable = 4,
  not_resolved = 5,
  incomplete = 6,
  interrupted = 130,
};

/// Wrong use of the command line: printed as it is, exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Common {
  std::vector<std::string> plugin_path;
  std::string db;
  std::string command;  ///< as it was typed, for the record
  int exit_code = success;

  /// --db, BENCHCTL_DB or ./benchctl.db.
  [[nodiscard]] std::filesystem::path store_file() const;
  [[nodiscard]] std::vector<std::filesystem::path> search_path() const;
};

/// Adds `--db`.
void add_store_option(CLI::App& command, Common& common);
/// Adds `--format` with these formats, the first being the default.
void add_format_option(CLI::App& command, std::string& format, const std::vector<std::string>& formats);

/// The ids of the checks, which are values of an option.
template <class Checks>
[[nodiscard]] std::vector<std::string> check_names(const Checks& checks) {
  std::vector<std::string> names;
  for (const auto& check : checks) names.emplace_back(check.id);
  return names;
}

/// The names of the checks, as the text of an option.
template <class Checks>
[[nodiscard]] std::string checks_doc(const Checks& checks) {
  return fmt::format("Only these checks: {}", fmt::join(check_names(checks), ", "));
}

/// For CLI11's `check`: refuses what is not a number above 0. (CLI::PositiveNumber names a limit of 309
/// digits.)
[[nodiscard]] std::string above_zero(const std::string& text);

/// `0.02` or `2%`; nothing for what is not a share from 0 to 1.
[[nodiscard]] std::optional<double> share_from(const std::string& text);

/// `90`, `90s`, `2m`, `1h` in seconds. Throws UsageError, which names the option.
[[nodiscard]] double seconds_from(std::string_view option, const std::string& text);
/// Where compiled kernels are kept: BENCHCTL_CACHE_DIR, $XDG_CACHE_HOME/benchctl or ~/.cache/benchctl.
[[nodiscard]] std::filesystem::path default_cache();

/// The contents of a file of at most 16 MiB. Throws UsageError.
[[nodiscard]] std::string read_file(const std::filesystem::path& file);

/// Writes a document to a file, or to standard output if there is no name. Throws std::runtime_error.
void write_output(const std::string& text, const std::string& file);

/// This program's own file, for starting workers.
[[nodiscard]] std::filesystem::path own_program();

/// Worker processes of this program, with a folder for their files.
class Workers {
 public:
  Workers() : factory_(own_program()) {}
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }
  [[nodiscard]] ChannelFactory& factory() { return factory_; }
  /// The plugins of the search path, none of them loaded here. Throws WorkerNotStarted.
  [[nodiscard]] PluginTable plugins(const Common& common);

 private:
  RunFolder folder_;
  ProcessChannelFactory factory_;
};

/// Templates of files that this program writes: share/benchctl/scaffold of the tree that it is in.
[[nodiscard]] std::filesystem::path scaffold_folder();
/// The text with every `what` in it replaced.
[[nodiscard]] std::string replaced(std::string text, const std::string& what, const std::string& by);

/// Runs a program of the PATH to its end, its standard output in `out`. Throws std::runtime_error when it
/// cannot be started or fails; its own messages go where ours go.
void run_program(const std::vector<std::string>& command, const std::filesystem::path& out);

/// share/benchctl/report/page.html of the tree that this program is in.
[[nodiscard]] std::filesystem::path page_template();

/// `git describe` of the sources, or "unknown" outside of a clone.
extern const char* const revision;

/// What `--version` prints: version, Git revision, compiler, and the plugins found with their versions.
/// Each plugin is opened in a process of its own, and no driver.
[[nodiscard]] std::string version_text(const Common& common);

void add_run(CLI::App& app, Common& common);
void add_plan(CLI::App& app, Common& common);
void add_check(CLI::App& app, Common& common);
void add_list(CLI::App& app, Common& common);
void add_devices(CLI::App& app, Common& common);
void add_runs(CLI::App& app, Common& common);
void add_show(CLI::App& app, Common& common);
void add_export(CLI::App& app, Common& common);
void add_report(CLI::App& app, Common& common);
void add_compare(CLI::App& app, Common& common);
void add_ab(CLI::App& app, Common& common);
void add_history(CLI::App& app, Common& common);
void add_collect(CLI::App& app, Common& common);
void add_submit(CLI::App& app, Common& common);
void add_explain(CLI::App& app, Common& common);
void add_replay(CLI::App& app, Common& common);
void add_worker(CLI::App& app, Common& common);
void add_selftest(CLI::App& app, Common& common);
void add_doctor(CLI::App& app, Common& common);
void add_plugin(CLI::App& app, Common& common);
void add_plugin_check(CLI::App& plugin, Common& common);
void add_conformance_worker(CLI::App& app, Common& common);
/// Options of the program itself: each prints its text and ends the program.
void add_completion(CLI::App& app);
void add_reference(CLI::App& app);
/// Prints the words that may stand at the end of a command line, each with its description behind a tab.
/// Returns 1 if the names of files may stand there, too.
int complete(const CLI::App& app, const Common& common, const std::string& line);
void add_tune(CLI::App& app, Common& common);

}  // namespace benchctl::cli
