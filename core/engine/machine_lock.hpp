// One measuring benchctl per machine: two would time each other.
#pragma once

#include <filesystem>
#include <stdexcept>

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
  /// Takes the lock, waiting for it if `wait`. Throws MachineBusy, or std::runtime_error when the file
  /// cannot be made.
  MachineLock(const std::filesystem::path& file, bool wait);
  MachineLock(const MachineLock&) = delete;
  MachineLock& operator=(const MachineLock&) = delete;
  ~MachineLock();

 private:
  int descriptor_;
};

}  // namespace benchctl
