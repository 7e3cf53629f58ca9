#include "store/records.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <utility>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

/// A lock of the open file, not of the process: a closed copy does not end it.
constexpr struct flock whole_file {
  .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0, .l_pid = 0
};

}  // namespace

bool is_locked(const fs::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return errno != ENOENT;
  struct flock range = whole_file;
  const bool asked = fcntl(descriptor, F_OFD_GETLK, &range) == 0;
  close(descriptor);
  return !asked || range.l_type != F_UNLCK;
}

fs::path OwnerLock::file_of(const fs::path& store, RunId run) {
  return fmt::format("{}-run-{}", store.string(), to_number(run));
}

OwnerLock::OwnerLock(fs::path file) : file_(std::move(file)) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor_ < 0) return;
    struct flock range = whole_file;
    refused_ = fcntl(descriptor_, F_OFD_SETLK, &range) != 0 && (errno == EAGAIN || errno == EACCES);
    // Its former owner may have removed it just now.
    struct stat held {};
    struct stat there {};
    const bool same = fstat(descriptor_, &held) == 0 && stat(file_.c_str(), &there) == 0 &&
                      held.st_dev == there.st_dev && held.st_ino == there.st_ino;
    if (refused_ || same) return;
    close(std::exchange(descriptor_, -1));
  }
}

OwnerLock::~OwnerLock() {
  if (descriptor_ < 0) return;
  if (!refused_) static_cast<void>(unlink(file_.c_str()));
  close(descriptor_);
}

RunState state_now(const RunRow& run) {
  return run.state == RunState::running && !run.owner_lives ? RunState::interrupted : run.state;
}

std::vector<double> used_ns(const std::vector<SampleRow>& rows) {
  std::vector<double> samples;
  for (const SampleRow& row : rows) {
    if (row.used) samples.insert(samples.end(), row.block.ns.begin(), row.block.ns.end());
  }
  return samples;
}

std::string utc_now() {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)), (now - seconds).count());
}

bool is_baseline_name(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto fits = [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  };
  return !name.empty() && name.size() <= 64 && letter(name.front()) && std::ranges::all_of(name, fits) &&
         name != "all" && !name.ends_with(".db") && !name.ends_with(".json");
}

}  // namespace benchctl
