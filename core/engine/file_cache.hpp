// Files that outlive a run: references, which resumed and refined points, searches and runs with a fixed
// seed need again, and what plugins said of themselves.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace benchctl {

/// A folder of files, each found by the key that it was kept under. A file is returned only if its contents
/// are those that were kept. Several processes may use one folder. Every failure only means that a file has
/// to be made once more.
class FileCache {
 public:
  /// In bytes, of all files together: what was not used for longest goes first.
  static constexpr std::uint64_t default_most_bytes = std::uint64_t{512} << 20;

  /// An empty folder name means: keep nothing. `maker` says what makes the files: a part of every key.
  explicit FileCache(std::filesystem::path folder, std::string maker = {},
                     std::uint64_t most_bytes = default_most_bytes)
      : folder_(std::move(folder)), maker_(std::move(maker)), most_bytes_(most_bytes) {}

  /// Makes `file` what was kept under that key, if there is something and it is intact.
  bool fetch(const std::string& key, const std::filesystem::path& file);
  /// The contents of what was kept under that key, if there is something and it is intact.
  [[nodiscard]] std::optional<std::string> read(const std::string& key);
  /// Keeps what `file` holds. More than half of what all may take is not kept.
  void keep(const std::string& key, const std::filesystem::path& file);
  /// The same of a text.
  void write(const std::string& key, std::string_view contents);
  /// Deletes what this object has kept or found under that key.
  void forget(const std::string& key);

 private:
  [[nodiscard]] std::string prefix(const std::string& key) const;
  /// Looks for a file whose digest is what `take` returns for it. Others of that key are damaged and go.
  bool find(const std::string& key, const std::function<std::string(const std::filesystem::path&)>& take);
  /// Makes room for so many bytes, and lets `put_at` make the file of a key and a digest.
  void add(const std::string& key, const std::string& digest, std::uint64_t bytes,
           const std::function<void(const std::filesystem::path&)>& put_at);
  void make_room(std::uint64_t bytes) const;

  std::filesystem::path folder_;
  std::string maker_;
  std::uint64_t most_bytes_;
  std::map<std::string, std::filesystem::path> used_;  ///< by key
};

/// The digest of this program's file; empty if it cannot be read.
[[nodiscard]] std::string digest_of_program();

}  // namespace benchctl
