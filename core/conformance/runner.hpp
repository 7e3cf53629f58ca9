// Which checks are made on which devices, each in worker processes, and what they came to. The plugin runs
// in those alone, so that it can crash or hang as it likes.
#pragma once

#include "conformance/checks.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace benchctl::conformance {

/// One trial that did not pass.
struct Remark {
  std::string what;
  Outcome outcome = Outcome::failed;
  std::string reason;
};

struct CheckReport {
  std::string check;
  std::string device;  ///< empty: the check is not of one device
  Outcome outcome = Outcome::skipped;
  std::size_t passed = 0;       ///< trials
  std::vector<Remark> remarks;  ///< failed and skipped trials, in order
};

struct Options {
  std::filesystem::path program;  ///< run as `program conformance-worker`
  std::filesystem::path library;
  std::filesystem::path kernels = {};  ///< not empty: this plugin of kernels is checked, on that library
  std::filesystem::path folder;        ///< for files of the checks
  std::vector<std::string> only;       ///< checks by id; empty: all
  std::vector<std::string> devices;    ///< patterns of lane names; empty: all but simulators
  bool full = false;
  double timeout_seconds = 60;  ///< for one trial
};

struct Report {
  std::filesystem::path library;  ///< the folder of kernels, where that is the plugin
  std::string name;               ///< empty when the library does not say
  std::string version;
  std::string build;
  bool full = false;
  std::vector<CheckReport> checks;

  [[nodiscard]] std::size_t count(Outcome outcome) const;
};

/// No device matches `devices`; the text names the available ones.
class NoSuchDevice : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Makes the checks; `done` is told of each as it ends. Throws NoSuchDevice.
[[nodiscard]] Report run_checks(const Options& options,
                                const std::function<void(const CheckReport&)>& done);

/// The worker's side: tries on `socket` what it is asked to, until the other side goes away.
void serve_check(int socket);

}  // namespace benchctl::conformance
