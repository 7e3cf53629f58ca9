// References that outlive the group, and the run, that they were made for: points that are resumed or
// refined, searches, and runs with a fixed seed need the same ones again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace benchctl {

/// A folder of reference files. Every failure only means that a reference is computed once more.
class ReferenceCache {
 public:
  /// In bytes, of all files together: what was not used for longest goes first.
  static constexpr std::uint64_t default_most_bytes = std::uint64_t{512} << 20;

  explicit ReferenceCache(std::filesystem::path folder, std::uint64_t most_bytes = default_most_bytes);

  /// Makes `file` the reference that was kept under that key, if there is one and it is intact.
  bool fetch(const std::string& key, const std::filesystem::path& file);
  /// Keeps what `file` holds. Files of more than half of what all may take are not kept.
  void keep(const std::string& key, const std::filesystem::path& file);
  /// Deletes the entry of that key, which is not needed any more.
  void forget(const std::string& key);

 private:
  [[nodiscard]] std::string prefix(const std::string& key) const;
  void make_room(std::uint64_t bytes) const;

  std::filesystem::path folder_;
  std::uint64_t most_bytes_;
  std::string program_;  ///< digest of this program, which computes the references
  std::map<std::string, std::filesystem::path> used_;  ///< by key
};

}  // namespace benchctl
