// Runs benchctl as a user would, and reads what it stored.
#pragma once

#include "support/paths.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace benchctl::test {

struct Outcome {
  int exit_code = 0;  ///< 128 + signal when it was killed
  std::string out;
  std::string err;
};

using Variables = std::map<std::string, std::string>;

/// Which plugins a program finds. To know all those beside it takes three times as long as most calls.
enum class Plugins { of_tests, all };

/// A folder with a store, and the program called in it. Finds the fake plugin; the lock of the machine
/// is one of its own, so that tests may run side by side.
class Sandbox {
 public:
  explicit Sandbox(Plugins plugins = Plugins::of_tests);

  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text);
  }
  /// The contents of a file in it.
  [[nodiscard]] std::string read(const std::string& name) const;
  /// Sets an environment variable for all later calls.
  void set(const std::string& name, const std::string& value) { variables_[name] = value; }

  /// Runs to the end.
  [[nodiscard]] Outcome call(const std::vector<std::string>& arguments) const;
  /// The same, and checks the exit code.
  Outcome expect(int exit_code, const std::vector<std::string>& arguments) const;
  /// Writes the config as c.toml, runs it with more arguments, and checks the exit code.
  Outcome run(const std::string& config, int exit_code = 0,
              const std::vector<std::string>& more = {}) const;
  /// The output of a command with `--format json`; checks its exit code.
  [[nodiscard]] nlohmann::json parsed(std::vector<std::string> arguments, int exit_code = 0) const;
  /// Runs to the end with another program in front of it, found along PATH.
  [[nodiscard]] Outcome call_under(const std::vector<std::string>& wrapper,
                                   const std::vector<std::string>& arguments) const;
  /// Runs to the end on a terminal of so many columns: both outputs together, as the terminal gets them.
  [[nodiscard]] Outcome on_terminal(const std::vector<std::string>& arguments,
                                    unsigned short columns = 80) const;
  /// Starts in the background; the process leads a group of its own.
  [[nodiscard]] pid_t start(const std::vector<std::string>& arguments) const;
  /// Waits for a started process; its exit code, or 128 + signal.
  [[nodiscard]] static int wait(pid_t process);

  /// `export --format json` of the newest run.
  [[nodiscard]] nlohmann::json exported(const std::vector<std::string>& more = {}) const;
  /// Its rows.
  [[nodiscard]] nlohmann::json rows(const std::vector<std::string>& more = {}) const {
    return exported(more).at("rows");
  }
  /// Those of one variant.
  [[nodiscard]] nlohmann::json rows_of(const std::string& variant) const;
  /// Lines that the fake plugin has logged so far.
  [[nodiscard]] std::vector<std::string> log() const;
  /// How often a line is in the log.
  [[nodiscard]] std::size_t logged(const std::string& line) const;

 private:
  /// `command` starts with the program.
  [[noreturn]] void become(std::vector<std::string> command) const;
  [[nodiscard]] pid_t spawn(std::vector<std::string> command, const std::filesystem::path& out,
                            const std::filesystem::path& err) const;
  TemporaryDirectory folder_;
  std::filesystem::path program_;
  Variables variables_;
};

/// Waits until the fake plugin has logged a line so often; throws after a minute.
void wait_for(const Sandbox& sandbox, const std::string& line, std::size_t times);

/// The line of a sweep that names its variants.
[[nodiscard]] std::string list_of(const std::vector<std::string>& names);

/// A config for the fake backend: one sweep of matmul with these lines in it. Problems come as written, and
/// rounds cover no span of time unless `measure_lines` name one.
[[nodiscard]] std::string fake_config(const std::string& sweep_lines, const std::string& parameter_lines,
                                      const std::string& measure_lines = "max_seconds = 0.5");

/// A `[[kernel]]` for the fake backend, whose tunables are those of its variants: one of the same name
/// behaves like that. What words in its source do says tests/fake/plugin.cpp.
[[nodiscard]] std::string fake_kernel(const std::string& name, const std::string& workload,
                                      const std::string& source = "mine.k", const std::string& more = "");
/// A config of tables with kernels, and one sweep of the fake backend. `kernels` may begin with measure
/// settings.
[[nodiscard]] std::string own_config(const std::string& kernels, const std::string& sweep);

/// A workload `sized` of a config, which this trusted kernel checks: a copy of as many elements as the
/// kernel's tunable TILE says.
[[nodiscard]] std::string sized_workload(const std::string& trusted);

}  // namespace benchctl::test
