// What `run`, `plan` and `check` share: a config, what the command line changes about it, and the points
// that come of it on this machine.
#pragma once

#include "cli/command.hpp"
#include "config/config.hpp"
#include "engine/compile_pool.hpp"
#include "sweep/expand.hpp"

#include <memory>
#include <optional>

namespace benchctl::cli {

struct SelectionOptions {
  std::string config;
  std::vector<std::string> set;
  std::vector<std::string> filters;
  std::vector<std::string> backends;
  std::vector<std::string> devices;
  std::vector<std::string> require;
  bool allow_outside = false;
  bool allow_programs = false;
  double timeout_seconds = 120;
};

/// Adds CONFIG, --set, --filter, --backend, --device, --require, --allow-outside, --timeout.
void add_selection_options(CLI::App& command, SelectionOptions& options);

/// Throws UsageError for a word of `--backend` that no backend has as its name.
void refuse_unknown_backends(const std::vector<std::string>& names, const PluginTable& plugins);

/// A config made ready for this machine.
struct Selection {
  PluginTable plugins;
  Catalogue catalogue;
  Config config;
  LaneTable lanes;
  Expansion expansion;                 ///< its warnings hold what is odd in the config, too
  std::vector<std::string> unmet;      ///< requirements that this machine does not meet
  std::unique_ptr<RunFolder> sources;  ///< files of kernels whose source stands in the config
};

/// Validates a config, enumerates devices and expands. Loads it, unless `read` is what the file said.
/// Throws ConfigErrors, UsageError, WorkerNotStarted. Where a backend's devices could not be
/// listed, `exit_code` becomes point_failed.
[[nodiscard]] Selection select_points(const SelectionOptions& options, ChannelFactory& factory,
                                      PluginTable plugins, int* exit_code, std::optional<Config> read = {});

/// The first half of it, which asks no device: `lanes`, `expansion` and `unmet` stay empty; its warnings
/// are in `expansion`.
[[nodiscard]] Selection read_selection(const SelectionOptions& options, PluginTable plugins,
                                       std::optional<Config> read = {});

/// Says which requirements are not met, and makes the exit code point_failed; false if all are.
bool tell_unmet(const Selection& selection, Common& common);

/// Which parts of the command line decide about points, for recognising an interrupted run.
[[nodiscard]] std::string identity_of(const SelectionOptions& options);

// Configs by name: those that are installed with the program, in share/benchctl/configs, can be run from
// any folder.

/// The file that a CONFIG on the command line means. A file that exists, a path that ends in `.toml` and
/// one that begins with `/` or `.` are taken as they are; any other is the name of an installed config.
/// Throws UsageError with the nearest names when there is none.
[[nodiscard]] std::string find_config(const std::string& name);

/// Says which of these files, by which kernels are chosen or compiled, belongs to another user. Throws
/// UsageError as root, unless `allow_outside`: a kernel on a processor is native code.
void tell_foreign_owner(const std::vector<std::filesystem::path>& files, bool allow_outside);

/// Reads that file, and tells the foreign owner of it or of a kernel's source. Throws ConfigErrors,
/// UsageError.
[[nodiscard]] Config read_config(const std::string& name, bool allow_outside);

/// Prints the names and titles of the installed configs. Throws UsageError if there are none.
void list_configs(bool as_json);

// `check --compile`.

struct CompiledPoint {
  std::string kernel;  ///< `matmul/mine TILE=16`
  std::string backend;
  std::string architecture;
  CompileOutcome outcome;
};

/// Compiles every kernel that the selection's config launches, those that searches begin with included, for
/// `architecture` or, if that is empty, for those of the devices that are here. Points with the same code
/// are one. Throws UsageError where nothing can be compiled.
[[nodiscard]] std::vector<CompiledPoint> compile_points(const Selection& selection,
                                                        const SelectionOptions& options,
                                                        const std::string& architecture,
                                                        ChannelFactory& factory);

/// A table of what kernels need, then logs: of those that failed, of all if there is one.
[[nodiscard]] std::string compiled_text(const std::vector<CompiledPoint>& points, std::size_t width);
[[nodiscard]] nlohmann::json compiled_json(const std::vector<CompiledPoint>& points);

}  // namespace benchctl::cli
