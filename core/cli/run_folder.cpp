#include "cli/run_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view folder_prefix = "benchctl-";
constexpr std::size_t random_letters = 6;  // that mkdtemp puts in place of XXXXXX
/// In a run's folder: locked as long as the process lives that made the folder.
constexpr const char* owner_file = "owner";
/// Its content, which marks the folder as ours.
constexpr std::string_view owner_mark = "folder of a run of benchctl; the next run removes it\n";

class Descriptor {
 public:
  explicit Descriptor(int file) : file_(file) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (file_ >= 0) close(file_);
  }
  [[nodiscard]] int get() const { return file_; }
  [[nodiscard]] bool is_open() const { return file_ >= 0; }

 private:
  int file_;
};

bool is_name_of_ours(std::string_view name) {
  if (!name.starts_with(folder_prefix)) return false;
  name.remove_prefix(folder_prefix.size());
  return name.size() == random_letters && std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
         });
}

bool is_own(int file, mode_t type, mode_t mode) {
  struct stat state {};
  return fstat(file, &state) == 0 && (state.st_mode & S_IFMT) == type && state.st_uid == geteuid() &&
         (state.st_mode & 0777) == mode;
}

/// Has the mark, which no living process has locked.
bool is_abandoned(int folder) {
  if (!is_own(folder, S_IFDIR, 0700)) return false;
  const Descriptor owner(openat(folder, owner_file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!owner.is_open() || !is_own(owner.get(), S_IFREG, 0600)) return false;
  std::array<char, owner_mark.size() + 1> text{};
  const ssize_t length = ::read(owner.get(), text.data(), text.size());
  if (length < 0 || std::string_view(text.data(), static_cast<std::size_t>(length)) != owner_mark)
    return false;
  return flock(owner.get(), LOCK_EX | LOCK_NB) == 0;
}

std::vector<std::string> names_in(int folder) {
  std::vector<std::string> names;
  const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* entries = copy >= 0 ? fdopendir(copy) : nullptr;
  if (entries == nullptr) {
    if (copy >= 0) close(copy);
    return names;
  }
  while (const dirent* entry = readdir(entries)) {
    const std::string name(static_cast<const char*>(entry->d_name));
    if (name != "." && name != "..") names.push_back(name);
  }
  closedir(entries);
  return names;
}

/// Removes what is in an open folder. Links are removed, not followed.
void empty_folder(int folder) {
  for (const std::string& name : names_in(folder)) {
    if (unlinkat(folder, name.c_str(), 0) == 0) continue;
    {
      const Descriptor inner(openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
      if (!inner.is_open()) continue;
      empty_folder(inner.get());
    }
    unlinkat(folder, name.c_str(), AT_REMOVEDIR);
  }
}

/// Removes folders of processes that were killed: they may hold references of gigabytes.
void remove_abandoned(const fs::path& parent) {
  const Descriptor all(open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!all.is_open()) return;
  for (const std::string& name : names_in(all.get())) {
    if (!is_name_of_ours(name)) continue;
    const Descriptor folder(
        openat(all.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    if (!folder.is_open() || !is_abandoned(folder.get())) continue;
    empty_folder(folder.get());
    unlinkat(all.get(), name.c_str(), AT_REMOVEDIR);
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
