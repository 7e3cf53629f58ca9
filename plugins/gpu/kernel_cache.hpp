// Compiled kernels on disk, found by the content that they were made from.
#pragma once

#include <benchctl/disk_cache.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl::gpu {

struct CompiledKernel {
  std::vector<char> code;  ///< in the driver's format
  std::string log;         ///< the compiler's log, which contains the resource usage
  bool cached = false;     ///< came from the disk
};

class KernelCache {
 public:
  /// An empty folder name means: keep nothing. `heeded`: how the names of the environment variables begin
  /// that the compiler heeds; those that are set now are a part of every key.
  KernelCache(const std::string& backend, const std::filesystem::path& folder,
              const std::vector<std::string>& heeded = {});

  /// The entry for a key: everything that went into the compilation, but for the environment. Nothing when
  /// there is none or when it is damaged in any way.
  [[nodiscard]] std::optional<CompiledKernel> load(std::string_view key) const;
  /// Returns why it could not be kept, or an empty text: a full disk costs a compilation, not a result.
  [[nodiscard]] std::string store(std::string_view key, const CompiledKernel& kernel) const;

 private:
  DiskCache files_;
};

}  // namespace benchctl::gpu
