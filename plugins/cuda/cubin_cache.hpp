// Compiled kernels on disk, by content. Several processes may use one folder: an entry appears whole or not
// at all, and one that does not check out counts as absent.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl::cuda {

struct CompiledModule {
  std::vector<char> cubin;
  std::string log;      ///< of the compiler
  bool cached = false;  ///< came from the disk
};

/// 32 hexadecimal digits of a hash over the parts and their borders.
[[nodiscard]] std::string content_key(std::span<const std::string> parts);

class CubinCache {
 public:
  /// An empty folder name means: keep nothing.
  explicit CubinCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Whether anything is kept.
  [[nodiscard]] bool keeps() const { return !folder_.empty(); }
  /// The entry, or nothing: absent, truncated, damaged, of another key or format.
  [[nodiscard]] std::optional<CompiledModule> find(const std::string& key) const;
  /// Writes the entry through a temporary file. Returns an empty text, or why it could not be written,
  /// which costs time the next time and nothing else.
  [[nodiscard]] std::string store(const std::string& key, const CompiledModule& module) const;

 private:
  [[nodiscard]] std::filesystem::path file(const std::string& key) const;
  std::filesystem::path folder_;
};

}  // namespace benchctl::cuda
