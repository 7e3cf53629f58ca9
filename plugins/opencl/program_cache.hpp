// Compiled programs on disk, found by the content that they were made from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl::opencl {

struct CachedProgram {
  std::vector<unsigned char> binary;
  std::string log;  ///< of the compiler, which tells the use of resources
};

class ProgramCache {
 public:
  /// An empty directory name means: no cache, nothing is found and nothing is kept.
  explicit ProgramCache(std::string directory) : directory_(std::move(directory)) {}

  /// The entry for a key: everything that went into the compilation. Nothing when there is none or when it
  /// is damaged in any way.
  [[nodiscard]] std::optional<CachedProgram> load(std::string_view key) const;
  /// Writes the entry so that a reader sees the old one or the new one whole. Returns why it could not be
  /// kept, or an empty text: a full disk costs a compilation, not a result.
  [[nodiscard]] std::string store(std::string_view key, const CachedProgram& program) const;
  /// Where an entry lies.
  [[nodiscard]] std::filesystem::path file(std::string_view key) const;

 private:
  std::filesystem::path directory_;
};

}  // namespace benchctl::opencl
