// Files that outlive a run, found by what they were made from: references, compiled kernels, what plugins
// said of themselves. Host and plugins share it. Include it yourself; plugin.hpp does not.
#pragma once

#include "benchctl/digest.hpp"
#include "benchctl/file_draft.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace benchctl {

/// A folder of files, each found by the key that it was kept under. A file is returned only if its contents
/// are those that were kept. Several processes may use one folder. Every failure only means that a file has
/// to be made once more.
class DiskCache {
 public:
  /// In bytes, of all files together: what was not used for longest goes first.
  static constexpr std::uint64_t default_most_bytes = std::uint64_t{512} << 20;

  /// An empty folder name means: keep nothing. `maker` says what makes the files: a part of every key.
  explicit DiskCache(std::filesystem::path folder, std::string maker = {},
                     std::uint64_t most_bytes = default_most_bytes)
      : folder_(std::move(folder)), maker_(std::move(maker)), most_bytes_(most_bytes) {}

  /// Makes `file` what was kept under that key, if there is something and it is intact.
  bool fetch(std::string_view key, const std::filesystem::path& file) const {
    return find(key, [&](const std::filesystem::path& kept) {
      const std::string digest = put(kept, file) ? digest_or_nothing(file) : std::string();
      std::error_code ignored;
      if (kept.filename() != digest) std::filesystem::remove(file, ignored);
      return digest;
    });
  }

  /// The contents of what was kept under that key, if there is something and it is intact.
  [[nodiscard]] std::optional<std::string> read(std::string_view key) const {
    std::string contents;
    const bool found = find(key, [&](const std::filesystem::path& kept) {
      std::ifstream in(kept, std::ios::binary);
      contents = std::string(std::istreambuf_iterator<char>(in), {});
      return digest_text(contents);
    });
    return found ? std::optional(std::move(contents)) : std::nullopt;
  }

  /// Keeps what `file` holds. More than half of what all may take is not kept.
  void keep(std::string_view key, const std::filesystem::path& file) const {
    std::error_code error;
    const std::uint64_t bytes = std::filesystem::file_size(file, error);
    const std::string digest = digest_or_nothing(file);
    if (error || digest.empty()) return;
    static_cast<void>(add(key, digest, bytes, [&](const std::filesystem::path& kept) {
      // Under its own name only when it is whole.
      const FileDraft draft(kept);
      if (!put(file, draft.path())) return;
      make_private(draft.path());
      draft.commit();
    }));
  }

  /// The same of a text. Returns why it could not be written, or an empty text.
  std::string write(std::string_view key, std::string_view contents) const {
    return add(key, digest_text(contents), contents.size(),
               [&](const std::filesystem::path& kept) { replace_file(kept, contents, true); });
  }

  /// Deletes what was kept under that key.
  void forget(std::string_view key) const {
    static_cast<void>(find(key, [](const std::filesystem::path&) { return std::string(); }));
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove(folder_of(key), ignored);  // if nothing else is in it
  }

 private:
  [[nodiscard]] static std::string digest_or_nothing(const std::filesystem::path& file) {
    try {
      return digest_file(file);
    } catch (const std::system_error&) {
      return {};
    }
  }

  /// A second name for a file, or a copy of it where the folders are on different file systems.
  static bool put(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::error_code error;
    std::filesystem::remove(to, error);
    std::filesystem::create_hard_link(from, to, error);
    if (error) std::filesystem::copy_file(from, to, error);
    return !error;
  }

  static bool is_digest(std::string_view text) {
    return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  }

  /// Files of a key, or folders of all keys, with their drafts. What has another name is not the cache's to
  /// delete.
  [[nodiscard]] static std::vector<std::filesystem::path> named_by_digest(
      const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> found;
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error)) {
      if (is_digest(at->path().filename().string().substr(0, 32))) found.push_back(at->path());
    }
    return found;
  }

  /// A key has a folder, so that nobody has to look through all that is kept; a file in it is named by the
  /// digest of its contents. A draft has more behind a dot.
  [[nodiscard]] std::filesystem::path folder_of(std::string_view key) const {
    return folder_ / digest_text(std::to_string(maker_.size()) + ':' + maker_ + std::string(key));
  }

  /// Looks for a file whose digest is what `take` returns for it. Others of that key are damaged and go.
  bool find(std::string_view key,
            const std::function<std::string(const std::filesystem::path&)>& take) const {
    if (folder_.empty()) return false;
    std::error_code ignored;
    for (const std::filesystem::path& kept : named_by_digest(folder_of(key))) {
      if (kept.has_extension()) continue;
      if (take(kept) == kept.filename()) {
        std::filesystem::last_write_time(kept, std::filesystem::file_time_type::clock::now(), ignored);
        return true;
      }
      std::filesystem::remove(kept, ignored);
    }
    return false;
  }

  /// Makes room for so many bytes, and lets `put_at` make the file of a key and a digest. Returns why it
  /// could not, or an empty text.
  std::string add(std::string_view key, const std::string& digest, std::uint64_t bytes,
                  const std::function<void(const std::filesystem::path&)>& put_at) const {
    if (folder_.empty() || bytes > most_bytes_ / 2) return {};
    make_room(bytes);
    make_private_folder(folder_of(key));
    try {
      put_at(folder_of(key) / digest);
    } catch (const std::runtime_error& error) {
      return error.what();  // no room, or no right to write
    }
    return {};
  }

  void make_room(std::uint64_t bytes) const {
    struct Kept {
      std::filesystem::file_time_type used;
      std::uint64_t bytes = 0;
      std::filesystem::path file;
    };
    std::vector<Kept> all;
    std::uint64_t sum = bytes;
    std::error_code ignored;
    for (const std::filesystem::path& folder : named_by_digest(folder_)) {
      for (const std::filesystem::path& file : named_by_digest(folder)) {
        std::error_code gone;
        const std::uint64_t size = std::filesystem::file_size(file, gone);
        if (gone) continue;
        all.push_back({std::filesystem::last_write_time(file, ignored), size, file});
        sum += size;
      }
    }
    std::ranges::sort(all, {}, &Kept::used);
    for (const Kept& oldest : all) {
      if (sum <= most_bytes_) return;
      std::filesystem::remove(oldest.file, ignored);
      std::filesystem::remove(oldest.file.parent_path(), ignored);  // if nothing else is in it
      sum -= oldest.bytes;
    }
  }

  std::filesystem::path folder_;
  std::string maker_;
  std::uint64_t most_bytes_;
};

}  // namespace benchctl
