#include "cli/command.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view folder_prefix = "benchctl-";
constexpr std::size_t random_letters = 6;  // that mkdtemp puts in place of XXXXXX
/// In a run's folder: locked as long as the process lives that made the folder.
constexpr const char* owner_file = "owner";
/// Its content, which marks the folder as ours.
constexpr std::string_view owner_mark = "folder of a run of benchctl; the next run removes it\n";

bool is_name_of_ours(std::string_view name) {
  if (!name.starts_with(folder_prefix)) return false;
  name.remove_prefix(folder_prefix.size());
  return name.size() == random_letters && std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
         });
}

bool is_own(const struct stat& state, mode_t type, mode_t mode) {
  return (state.st_mode & S_IFMT) == type && state.st_uid == geteuid() && (state.st_mode & 0777) == mode;
}

/// Has the mark, which no living process has locked.
bool is_abandoned(const fs::path& folder) {
  struct stat state {};
  if (lstat(folder.c_str(), &state) != 0 || !is_own(state, S_IFDIR, 0700)) return false;
  const int owner = open((folder / owner_file).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (owner < 0) return false;
  std::array<char, owner_mark.size() + 1> text{};
  const bool is_ours = fstat(owner, &state) == 0 && is_own(state, S_IFREG, 0600) &&
                       ::read(owner, text.data(), text.size()) == static_cast<ssize_t>(owner_mark.size()) &&
                       std::string_view(text.data(), owner_mark.size()) == owner_mark &&
                       flock(owner, LOCK_EX | LOCK_NB) == 0;
  close(owner);
  return is_ours;
}

/// Removes folders of processes that were killed: they may hold references of gigabytes. What cannot be
/// removed stays.
void remove_abandoned(const fs::path& parent) {
  std::error_code error;
  for (auto entry = fs::directory_iterator(parent, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const fs::path& folder = entry->path();
    std::error_code ignored;
    if (is_name_of_ours(folder.filename().string()) && is_abandoned(folder))
      fs::remove_all(folder, ignored);
  }
}

/// A locked file with the mark, or -1: then this folder is not removed after a crash. It is locked before
/// it has the mark that others look for.
int make_owner_file(const fs::path& folder) {
  const int owner =
      open((folder / owner_file).c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (owner < 0) return owner;
  if (fchmod(owner, 0600) == 0 && flock(owner, LOCK_EX | LOCK_NB) == 0 &&
      write(owner, owner_mark.data(), owner_mark.size()) == static_cast<ssize_t>(owner_mark.size())) {
    return owner;
  }
  close(owner);
  return -1;
}

}  // namespace

RunFolder::RunFolder() {
  const fs::path parent = fs::temp_directory_path();
  remove_abandoned(parent);
  std::string name = (parent / (std::string(folder_prefix) + std::string(random_letters, 'X'))).string();
  if (mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("cannot make a folder in " + parent.string() +
                             "; set TMPDIR to a folder that you may write to");
  }
  path_ = name;
  owner_ = make_owner_file(path_);
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (owner_ >= 0) close(owner_);
}

}  // namespace benchctl::cli
