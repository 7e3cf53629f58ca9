// What the subcommands share. One file per subcommand or for a few of one kind; each command adds itself to
// the program's parser and sets the exit code when it is called.
#pragma once

#include "engine/host.hpp"
#include "store/store.hpp"

#include <CLI/App.hpp>

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
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
  bool quiet = false;
  int exit_code = success;

  /// --db, BENCHCTL_DB or ./benchctl.db.
  [[nodiscard]] std::filesystem::path store_file() const;
  /// The store, to be read. Throws StoreError.
  [[nodiscard]] Store store() const { return Store::open(store_file(), Store::Access::read_only); }
  [[nodiscard]] std::vector<std::filesystem::path> search_path() const;
};

/// Adds a command that calls `act`: the command, and its arguments, which live as long as it does.
template <class Arguments>
[[nodiscard]] auto add_command(CLI::App& app, Common& common, const std::string& name,
                               const std::string& doc, void (*act)(Common&, Arguments&)) {
  CLI::App* command = app.add_subcommand(name, doc);
  auto options = std::make_shared<std::remove_const_t<Arguments>>();
  command->callback([&common, act, options] { act(common, *options); });
  return std::pair<CLI::App&, std::remove_const_t<Arguments>&>(*command, *options);
}

/// For CLI11's `check`: refuses what begins with a minus sign.
[[nodiscard]] std::string not_negative(const std::string& text);

/// Adds an option or an argument; `type` stands for its value in help texts.
template <class Value>
CLI::Option* add_value(CLI::App& command, const std::string& name, Value& value, const std::string& type,
                       const std::string& doc) {
  CLI::Option* option = command.add_option(name, value, doc)->type_name(type);
  if constexpr (std::is_unsigned_v<Value>) option->check(not_negative);  // CLI11 would wrap it round
  return option;
}
/// Adds an option that may be repeated, one value each time.
CLI::Option* add_values(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                        const std::string& type, const std::string& doc);
/// The same, also with several values at once: `A,B`.
CLI::Option* add_names(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                       const std::string& type, const std::string& doc);

/// Adds `--db`.
void add_store_option(CLI::App& command, Common& common);
/// Adds `--format` with these formats, the first being the default.
void add_format_option(CLI::App& command, std::string& format, const std::vector<std::string>& formats);
/// Adds `--output`.
void add_output_option(CLI::App& command, std::string& file);
/// Adds `--backend`.
void add_backend_option(CLI::App& command, std::vector<std::string>& backends);
/// Adds `--timeout` with what it limits.
void add_timeout_option(CLI::App& command, double& seconds,
                        const std::string& doc = "Watchdog: seconds that one step of one point may take");
/// Adds `--allow-outside`.
void add_outside_option(CLI::App& command, bool& allow_outside);
void add_programs_option(CLI::App& command, bool& allow_programs);
/// Adds `--wait`.
void add_wait_option(CLI::App& command, bool& wait);
/// Adds `--quiet`.
void add_quiet_option(CLI::App& command, Common& common);

/// The ids of the checks, which are values of an option.
template <class Checks>
[[nodiscard]] std::vector<std::string> check_names(const Checks& checks) {
  std::vector<std::string> names;
  for (const auto& check : checks) names.emplace_back(check.id);
  return names;
}

/// For CLI11's `check`: refuses what is not a number above 0. (CLI::PositiveNumber names a limit of 309
/// digits.)
[[nodiscard]] std::string above_zero(const std::string& text);

/// `90`, `90s`, `2m`, `1h` in seconds. Throws UsageError, which names the option.
[[nodiscard]] double seconds_from(std::string_view option, const std::string& text);
/// Where compiled kernels are kept: BENCHCTL_CACHE_DIR, $XDG_CACHE_HOME/benchctl or ~/.cache/benchctl.
/// Empty if nothing is to be kept there, since somebody else may write there.
[[nodiscard]] std::filesystem::path default_cache();

/// The contents of a file of at most 16 MiB. Throws UsageError.
[[nodiscard]] std::string read_file(const std::filesystem::path& file);

/// What is wrong with a JSON document, without the library's name and number of the error.
[[nodiscard]] std::string json_fault(const std::exception& error);

/// Can the file be written that an option names? Changes nothing. Throws UsageError. Call it before work
/// that would be lost.
void try_output(const std::string& option, const std::string& file);
/// Writes a document to a file, or to standard output if there is no name. Throws std::runtime_error.
void write_output(const std::string& text, const std::string& file);

/// This program's own file, for starting workers.
[[nodiscard]] std::filesystem::path own_program();
/// A file or folder of share/benchctl in the tree that this program is in.
[[nodiscard]] std::filesystem::path shared_file(const std::string& name);

/// A folder for a run's own files in the system's temporary folder, removed with all that is in it. Those
/// of processes that were killed are removed by the next one: folders of this user alone, named as mkdtemp
/// names them, with the mark that is written here and that no process holds a lock on. Nothing else is
/// touched.
class RunFolder {
 public:
  /// Throws std::runtime_error where no folder can be made.
  RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  ~RunFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int owner_ = -1;
};

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

/// Libraries that are not loaded, with the reasons, as `list` gives them in JSON.
[[nodiscard]] nlohmann::json refused_json(const PluginTable& plugins);
/// Prints the devices of all backends. Fails if one cannot be asked, or if they differ from those in the
/// JSON file `expected`, where one is named.
void list_devices(Common& common, const std::string& expected, bool as_json);

/// The text with each of the places (first) replaced by its value (second). Values are not searched.
[[nodiscard]] std::string replaced(std::string_view text,
                                   const std::vector<std::pair<std::string, std::string>>& places);

/// A word of Bash's command line, in quotes where it needs them; what `visible` would change is written as
/// escapes.
[[nodiscard]] std::string shell_word(std::string_view text);

/// Runs a program of the PATH to its end, its standard output in `out`. Throws std::runtime_error when it
/// cannot be started or fails; its own messages go where ours go.
void run_program(const std::vector<std::string>& command, const std::filesystem::path& out);

/// `git describe` of the sources, or "unknown" outside of a clone.
extern const char* const revision;

void add_run(CLI::App& app, Common& common);
void add_plan(CLI::App& app, Common& common);
void add_check(CLI::App& app, Common& common);
void add_list(CLI::App& app, Common& common);
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
void add_selftest(CLI::App& app, Common& common);
void add_doctor(CLI::App& app, Common& common);
void add_plugin(CLI::App& app, Common& common);
void add_tune(CLI::App& app, Common& common);
// Not in the list of --help.
void add_reference(CLI::App& app);
void add_simulate(CLI::App& app);

}  // namespace benchctl::cli
