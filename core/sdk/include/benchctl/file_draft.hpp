// Files that are replaced whole: readers see the old contents or the new ones, whatever happens while they
// are written. Host and plugins share it. Include it yourself; plugin.hpp does not.
#pragma once

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace benchctl {

/// A path as a message shows it, on one line: control characters as `\x0a`.
[[nodiscard]] inline std::string shown(const std::filesystem::path& path) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char c : path.string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      text += c;
    } else {
      (text += "\\x") += digits[byte >> 4U];
      text += digits[byte & 0xfU];
    }
  }
  return text;
}

/// The next contents of a file: written to path(), then put in place by commit(), else deleted. Each draft
/// has a random name, so several processes on several machines may replace one file at once; the last one
/// stays. For anything that writes files; see replace_file for a text.
class FileDraft {
 public:
  /// `target`: the file to replace, in a folder that exists.
  explicit FileDraft(std::filesystem::path target) : target_(std::move(target)), path_(target_) {
    std::random_device random;
    path_ += '.' + std::to_string(random()) + std::to_string(random()) + ".new";
  }
  FileDraft(const FileDraft&) = delete;
  FileDraft& operator=(const FileDraft&) = delete;
  ~FileDraft() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  /// In the target's folder; no file yet.
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  /// The target is now what is at path(). Throws std::runtime_error with the target and the reason.
  void commit() const {
    std::error_code error;
    std::filesystem::rename(path_, target_, error);
    if (error) throw std::runtime_error("cannot write " + shown(target_) + ": " + error.message());
  }

 private:
  std::filesystem::path target_;
  std::filesystem::path path_;
};

/// Only its owner may read and write a file from now on.
inline void make_private(const std::filesystem::path& file) {
  std::error_code ignored;
  std::filesystem::permissions(
      file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, ignored);
}

/// Makes `contents` the contents of a file, of this user alone if `is_private`. Throws std::runtime_error
/// with the file and the reason; the file is then as it was.
inline void replace_file(const std::filesystem::path& file, std::string_view contents,
                         bool is_private = false) {
  const FileDraft draft(file);
  errno = 0;
  std::ofstream out(draft.path(), std::ios::binary | std::ios::trunc);
  out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  out.close();
  if (!out) throw std::runtime_error("cannot write " + shown(file) + ": " + std::strerror(errno));
  if (is_private) make_private(draft.path());
  draft.commit();
}

/// Makes a folder and those above it that are missing, of this user alone whatever the umask is: what is in
/// a cache is executed later. A folder that is there stays as it is.
inline void make_private_folder(const std::filesystem::path& folder) {
  std::filesystem::path made;
  for (const std::filesystem::path& name : folder) {
    made /= name;
    static_cast<void>(mkdir(made.c_str(), S_IRWXU));
  }
}

}  // namespace benchctl
