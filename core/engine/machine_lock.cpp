#include "engine/machine_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace benchctl {

namespace fs = std::filesystem;

fs::path MachineLock::default_file() {
  if (const char* file = std::getenv("BENCHCTL_LOCK_FILE")) return file;
  return fs::temp_directory_path() / "benchctl.lock";
}

MachineLock::MachineLock(const fs::path& file, bool wait)
    : descriptor_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666)) {
  if (descriptor_ < 0) {
    throw std::runtime_error(
        fmt::format("cannot open the lock file {}: {}; set BENCHCTL_LOCK_FILE to a file of yours",
                    file.string(), std::strerror(errno)));
  }
  // Every user of the machine shares the file, whatever umask made it.
  static_cast<void>(fchmod(descriptor_, 0666));
  int result = flock(descriptor_, LOCK_EX | LOCK_NB);
  if (result != 0 && errno == EWOULDBLOCK && wait) {
    do {
      result = flock(descriptor_, LOCK_EX);
    } while (result != 0 && errno == EINTR);
  }
  if (result != 0) {
    std::array<char, 32> owner{};
    const ssize_t length = pread(descriptor_, owner.data(), owner.size() - 1, 0);
    close(descriptor_);
    throw MachineBusy(
        fmt::format("another benchctl{} is measuring on this machine, and two would time each other; "
                    "wait for it (--wait) or stop it",
                    length > 0 ? fmt::format(" (process {})", owner.data()) : ""));
  }
  const std::string self = fmt::format("{}", getpid());
  static_cast<void>(ftruncate(descriptor_, 0));
  static_cast<void>(pwrite(descriptor_, self.data(), self.size(), 0));
}

MachineLock::~MachineLock() {
  static_cast<void>(ftruncate(descriptor_, 0));
  close(descriptor_);
}

}  // namespace benchctl
