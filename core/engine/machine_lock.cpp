#include "engine/machine_lock.hpp"

#include "engine/interrupt.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace benchctl {

namespace fs = std::filesystem;

fs::path MachineLock::default_file() {
  if (const char* file = std::getenv("BENCHCTL_LOCK_FILE")) return file;
  return fs::temp_directory_path() / "benchctl.lock";
}

std::string MachineLock::holder() const {
  std::array<char, 32> owner{};
  const ssize_t length = pread(descriptor_, owner.data(), owner.size() - 1, 0);
  return length > 0 ? fmt::format(" (process {})", owner.data()) : "";
}

MachineLock::MachineLock(const fs::path& file, bool wait,
                         const std::function<void(const std::string&)>& tell)
    : descriptor_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666)) {
  if (descriptor_ < 0) {
    throw std::runtime_error(
        fmt::format("cannot open the lock file {}: {}; set BENCHCTL_LOCK_FILE to a file of yours",
                    file.string(), std::strerror(errno)));
  }
  // Every user of the machine shares the file, whatever umask made it.
  static_cast<void>(fchmod(descriptor_, 0666));
  bool told = false;
  while (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    const bool stopped = wait && InterruptGuard::requested();
    const std::string other = holder();
    if (!wait || error != EWOULDBLOCK || stopped) {
      close(descriptor_);
      if (error != EWOULDBLOCK) {
        throw std::runtime_error(
            fmt::format("cannot lock {}: {}; set BENCHCTL_LOCK_FILE to a file of yours on a local disk",
                        file.string(), std::strerror(error)));
      }
      if (stopped) throw Interrupted("interrupted while waiting for another benchctl" + other);
      throw MachineBusy(
          fmt::format("another benchctl{} is measuring on this machine, and two would time each other; "
                      "wait for it (--wait) or stop it",
                      other));
    }
    if (!told) tell(fmt::format("waiting for another benchctl{} that is measuring", other));
    told = true;
    // Asked again and again: a signal just before a call that blocks would not end it.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
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
