#include "engine/machine_lock.hpp"

#include "engine/interrupt.hpp"
#include "model/words.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longest_content = 31;

std::string content_of(int descriptor) {
  std::array<char, longest_content + 1> text{};
  const ssize_t length = pread(descriptor, text.data(), text.size(), 0);
  return length > 0 ? std::string(text.data(), static_cast<std::size_t>(length)) : std::string();
}

/// Empty, or the number of a process: nothing else was ever written to a lock file, so that a file with
/// anything else is not one.
bool is_lock_file(int descriptor) {
  struct stat state {};
  if (fstat(descriptor, &state) != 0 || !S_ISREG(state.st_mode)) return false;
  const std::string content = content_of(descriptor);
  return content.size() <= longest_content &&
         std::ranges::all_of(content, [](char c) { return c >= '0' && c <= '9'; });
}

/// Opens the file or makes it. Only a file that is made here gets a mode: every user of the machine shares
/// it, whatever umask is set.
int open_or_make(const fs::path& file) {
  constexpr int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  for (;;) {
    // Without O_CREAT: of another user's file in a sticky folder the kernel may refuse that.
    const int found = open(file.c_str(), flags);
    if (found >= 0 || errno != ENOENT) return found;
    const int made = open(file.c_str(), flags | O_CREAT | O_EXCL, 0666);
    if (made >= 0) static_cast<void>(fchmod(made, 0666));
    if (made >= 0 || errno != EEXIST) return made;
  }
}

/// Throws std::runtime_error.
int open_lock_file(const fs::path& file) {
  const int descriptor = open_or_make(file);
  if (descriptor < 0) {
    throw std::runtime_error(
        fmt::format("cannot open the lock file {}: {}; set BENCHCTL_LOCK_FILE to a file of yours", file,
                    std::strerror(errno)));
  }
  if (!is_lock_file(descriptor)) {
    close(descriptor);
    throw std::runtime_error(
        fmt::format("{} is not a benchctl lock file: it is not a regular file, or has other contents. Set "
                    "BENCHCTL_LOCK_FILE to a different path",
                    file));
  }
  return descriptor;
}

}  // namespace

fs::path MachineLock::default_file() {
  if (const char* file = std::getenv("BENCHCTL_LOCK_FILE")) return file;
  // The same for every user, job and service of the machine: TMPDIR may differ.
  constexpr mode_t shared = S_IFDIR | S_ISVTX | S_IWOTH;
  struct stat state {};
  const bool fits =
      stat("/run/lock", &state) == 0 && state.st_uid == 0 && (state.st_mode & shared) == shared;
  return fits ? "/run/lock/benchctl.lock" : "/tmp/benchctl.lock";
}

fs::path MachineLock::file_of_card(const fs::path& file, std::string_view card) {
  std::string name = file.string() + '.';
  for (const char c : card) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
    name += plain ? c : '-';
  }
  return name;
}

void LockNeeds::add(const Lane& lane, Basis basis) {
  const std::string card = card_of(lane);
  if (card.empty() || basis != Basis::device) processors = true;
  if (!card.empty()) cards.insert(card);
}

LockNeeds lock_needs(std::span<const Point> points, const Workloads& workloads, const LaneTable& lanes) {
  LockNeeds needs;
  for (const Point& point : points) {
    if (point.status != Status::not_run) continue;
    const Lane* lane = find_lane(lanes, point.device);
    if (lane != nullptr) needs.add(*lane, point.measure.basis);
    // The kernel that says what is right may run on any lane.
    needs.processors =
        needs.processors || lane == nullptr || !workloads.find(point.workload)->trusted_kernel().empty();
  }
  return needs;
}

std::string MachineLock::Lock::holder() const {
  const std::string owner = content_of(descriptor_);
  return owner.empty() ? "" : fmt::format(" (process {})", owner);
}

MachineLock::Lock::Lock(const fs::path& file, Kind kind, const std::string& what, bool wait,
                        const std::function<void(const std::string&)>& tell)
    : descriptor_(open_lock_file(file)), kind_(kind) {
  bool told = false;
  while (flock(descriptor_, (kind == Kind::alone ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0) {
    const int error = errno;
    const bool stopped = wait && InterruptGuard::requested();
    const std::string other = holder();
    if (!wait || error != EWOULDBLOCK || stopped) {
      close(descriptor_);
      if (error != EWOULDBLOCK) {
        throw std::runtime_error(
            fmt::format("cannot lock {}: {}; set BENCHCTL_LOCK_FILE to a file of yours on a local disk",
                        file, std::strerror(error)));
      }
      if (stopped) throw Interrupted("interrupted while waiting for another benchctl" + other);
      throw MachineBusy(
          fmt::format("another benchctl{} is measuring {}, and two at once would disturb each other. "
                      "Add --wait to queue behind it, or stop it",
                      other, what));
    }
    if (!told) tell(fmt::format("waiting for another benchctl{} that is measuring {}", other, what));
    told = true;
    // Asked again and again: a signal just before a call that blocks would not end it.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  // Whoever shares it is not the only one: a number there would be that of a process that ended.
  const std::string self = kind == Kind::alone ? fmt::format("{}", getpid()) : "";
  static_cast<void>(ftruncate(descriptor_, 0));
  static_cast<void>(pwrite(descriptor_, self.data(), self.size(), 0));
}

MachineLock::Lock::Lock(Lock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), kind_(other.kind_) {}

MachineLock::Lock::~Lock() {
  if (descriptor_ < 0) return;
  if (kind_ == Kind::alone) static_cast<void>(ftruncate(descriptor_, 0));
  close(descriptor_);
}

MachineLock::MachineLock(const fs::path& file, const LockNeeds& needs, bool wait,
                         const std::function<void(const std::string&)>& tell) {
  // In the same order in every process: no two wait for each other.
  locks_.reserve(1 + needs.cards.size());
  locks_.emplace_back(file, needs.processors ? Lock::Kind::alone : Lock::Kind::shared, "on this machine",
                      wait, tell);
  for (const std::string& card : needs.cards) {
    locks_.emplace_back(file_of_card(file, card), Lock::Kind::alone, "on card " + card, wait, tell);
  }
}

}  // namespace benchctl
