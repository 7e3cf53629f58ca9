#include "plugins/trusted_path.hpp"

#include "model/words.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <set>
#include <utility>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

constexpr int most_links = 40;  // as many as the kernel follows

std::string user_text(uid_t user) {
  const passwd* entry = getpwuid(user);
  return entry != nullptr ? fmt::format("user '{}'", entry->pw_name) : fmt::format("user {}", user);
}

std::string group_text(gid_t group) {
  const ::group* entry = getgrgid(group);
  return entry != nullptr ? fmt::format("group '{}'", entry->gr_name) : fmt::format("group {}", group);
}

bool is_own_group(gid_t group) {
  const passwd* user = getpwuid(geteuid());
  if (user == nullptr || user->pw_gid != group) return false;
  const std::string name = user->pw_name;
  const ::group* entry = getgrgid(group);
  if (entry == nullptr || name != entry->gr_name) return false;
  for (char** member = entry->gr_mem; *member != nullptr; ++member) {
    if (name != *member) return false;
  }
  return true;
}

bool has_access_list(const fs::path& path) {
  return getxattr(path.c_str(), "system.posix_acl_access", nullptr, 0) > 0;
}

bool is_sticky_of_root(const struct stat& state) {
  return S_ISDIR(state.st_mode) && (state.st_mode & S_ISVTX) != 0 && state.st_uid == 0;
}

std::string foreign_owner(const fs::path& path, const struct stat& state) {
  if (state.st_uid == 0 || state.st_uid == geteuid()) return {};
  return fmt::format(
      "{} belongs to {}, who is neither root nor you; make it yours (chown) or copy it to a folder of "
      "yours",
      path, user_text(state.st_uid));
}

/// Who else may write to it, and the advice.
std::string foreign_writer(const fs::path& path, const struct stat& state) {
  if ((state.st_mode & S_IWOTH) != 0) {
    return fmt::format("{} may be written by every user of this machine; make it yours alone (chmod o-w)",
                       path);
  }
  if ((state.st_mode & S_IWGRP) == 0) return {};
  if (has_access_list(path)) {
    return fmt::format(
        "{} may be written by others, as its access list says; make it yours alone (setfacl -b, "
        "chmod g-w)",
        path);
  }
  if (is_own_group(state.st_gid)) return {};
  return fmt::format("{} may be written by {}; make it yours alone (chmod g-w)", path,
                     group_text(state.st_gid));
}

/// A way through folders and links, step by step.
class Walk {
 public:
  explicit Walk(const fs::path& file) { push_in_front(file); }

  std::string distrust() {
    std::string reason = distrust_of_folder(here_);
    while (reason.empty() && !left_.empty()) reason = step();
    return reason;
  }

 private:
  void push_in_front(const fs::path& way) {
    const fs::path names = way.relative_path();
    left_.insert(left_.begin(), names.begin(), names.end());
  }

  std::string distrust_of_folder(const fs::path& folder) {
    struct stat state {};
    if (lstat(folder.c_str(), &state) != 0) return {};
    open_to_all_ = is_sticky_of_root(state) && !foreign_writer(folder, state).empty();
    if (std::string reason = foreign_owner(folder, state); !reason.empty()) return reason;
    return open_to_all_ ? std::string() : foreign_writer(folder, state);
  }

  std::string step() {
    const fs::path name = left_.front();
    left_.pop_front();
    if (name.empty() || name == ".") return {};
    if (name == "..") {
      here_ = here_.parent_path();
      return distrust_of_folder(here_);
    }
    const fs::path path = here_ / name;
    struct stat state {};
    if (lstat(path.c_str(), &state) != 0) {
      const int error = errno;
      left_.clear();
      if (error == ENOENT || error == ENOTDIR) return {};
      return fmt::format("{} cannot be inspected: {}", path, std::strerror(error));
    }
    if (S_ISDIR(state.st_mode)) {
      here_ = path;
      return distrust_of_folder(here_);
    }
    if (left_.empty() && open_to_all_) {
      return fmt::format("{} is in a folder where every user may put files; move it to a folder of yours",
                         path);
    }
    if (std::string reason = foreign_owner(path, state); !reason.empty()) return reason;
    return S_ISLNK(state.st_mode) ? follow(path) : foreign_writer(path, state);
  }

  std::string follow(const fs::path& link) {
    std::error_code error;
    const fs::path target = fs::read_symlink(link, error);
    if (error || ++links_ > most_links) {
      return fmt::format("{} cannot be followed: {}", link,
                         error ? error.message() : "too many symbolic links");
    }
    push_in_front(target);
    if (target.is_relative()) return {};
    here_ = "/";
    return distrust_of_folder(here_);
  }

  fs::path here_ = "/";        ///< no part of it is a link
  bool open_to_all_ = false;   ///< `here_` is a sticky folder in which others may write
  std::deque<fs::path> left_;  ///< names that are still to come
  int links_ = 0;
};

}  // namespace

std::string distrust_of(const fs::path& file) {
  std::error_code error;
  const fs::path absolute = fs::absolute(file, error);
  if (error) return fmt::format("{} cannot be inspected: {}", file, error.message());
  return Walk(absolute).distrust();
}

namespace {

/// `seen`: folders by device and number, since links may lead in circles.
std::string distrust_below(const fs::path& folder, std::set<std::pair<dev_t, ino_t>>& seen) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const fs::path& path = at->path();
    struct stat state {};
    if (lstat(path.c_str(), &state) != 0) continue;  // gone meanwhile
    std::string reason;
    if (S_ISLNK(state.st_mode)) {
      reason = distrust_of(path);
      if (stat(path.c_str(), &state) != 0) continue;
    } else {
      reason = foreign_owner(path, state);
      if (reason.empty()) reason = foreign_writer(path, state);
    }
    if (reason.empty() && S_ISDIR(state.st_mode) && seen.emplace(state.st_dev, state.st_ino).second)
      reason = distrust_below(path, seen);
    if (!reason.empty()) return reason;
  }
  return error ? fmt::format("{} cannot be inspected: {}", folder, error.message()) : "";
}

}  // namespace

std::string distrust_of_all(const fs::path& folder) {
  if (folder.empty()) return {};
  std::string reason = distrust_of(folder);
  std::error_code error;
  std::set<std::pair<dev_t, ino_t>> seen;
  return reason.empty() && fs::is_directory(folder, error) ? distrust_below(folder, seen) : reason;
}

std::string foreign_owner_of(const fs::path& file) {
  struct stat state {};
  return stat(file.c_str(), &state) == 0 ? foreign_owner(file, state) : "";
}

}  // namespace benchctl
