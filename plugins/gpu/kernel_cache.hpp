// Compiled kernels on disk, found by the content that they were made from. Several processes may use one
// folder: an entry appears whole or not at all, and one that does not check out counts as absent.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace benchctl::gpu {

struct CompiledKernel {
  std::vector<char> code;  ///< in the driver's format
  std::string log;         ///< the compiler's log, which contains the resource usage
  bool cached = false;     ///< came from the disk
};

class KernelCache {
 public:
  /// `backend` starts the names of its files. An empty folder name means: keep nothing. `heeded`: how the
  /// names of the environment variables begin that the compiler heeds; those that are set now are a part of
  /// every key.
  KernelCache(std::string backend, std::filesystem::path folder,
              const std::vector<std::string>& heeded = {});

  /// The entry for a key: everything that went into the compilation, but for the environment. Nothing when
  /// there is none or when it is damaged in any way.
  [[nodiscard]] std::optional<CompiledKernel> load(std::string_view key) const;
  /// Writes the entry so that a reader sees the old one or the new one whole. Returns why it could not be
  /// kept, or an empty text: a full disk costs a compilation, not a result.
  [[nodiscard]] std::string store(std::string_view key, const CompiledKernel& kernel) const;
  /// Where an entry lies.
  [[nodiscard]] std::filesystem::path file(std::string_view key) const;

 private:
  std::string backend_;
  std::filesystem::path folder_;
  std::string environment_;
};

}  // namespace benchctl::gpu
