// One measuring benchctl per machine: two would time each other.
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

namespace benchctl {

/// Another benchctl is measuring; the text names its process.
class MachineBusy : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class MachineLock {
 public:
  /// BENCHCTL_LOCK_FILE, or `benchctl.lock` in the system's temporary folder.
  [[nodiscard]] static std::filesystem::path default_file();
  /// Takes the lock, waiting for it if `wait`; `tell` gets a sentence when waiting begins. Throws
  /// MachineBusy, Interrupted when an InterruptGuard sees Ctrl-C meanwhile, or std::runtime_error when the
  /// file cannot be made or is not a lock file: such a file stays as it is.
  MachineLock(
      const std::filesystem::path& file, bool wait,
      const std::function<void(const std::string&)>& tell = [](const std::string&) {});
  MachineLock(const MachineLock&) = delete;
  MachineLock& operator=(const MachineLock&) = delete;
  ~MachineLock();

 private:
  /// ` (process 123)`, as far as its holder is known.
  [[nodiscard]] std::string holder() const;
  int descriptor_;
};

}  // namespace benchctl
