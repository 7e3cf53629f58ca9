// Kernels that a config brings itself: `[[kernel]]` tables, as variants of a backend with their sources.
#pragma once

#include <benchctl/variant.hpp>

#include "config/diagnostic.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace benchctl {

/// A source file with its contents, or one that such a file includes.
struct SourceFile {
  std::string name;  ///< relative to the config's folder, normalised: `kernels/mine.cu`
  std::string text;

  bool operator==(const SourceFile&) const = default;
};

/// Where files that a config names may be, and where they are looked for.
struct FileRules {
  std::filesystem::path folder = ".";  ///< the config's folder
  bool allow_outside = false;          ///< files outside that folder may be read, too
};

struct KernelEntry {
  VariantInfo variant;  ///< launches name their sources relative to `folder`
  std::string backend;
  std::filesystem::path folder;   ///< absolute
  std::vector<SourceFile> files;  ///< the sources and all that they include, each once
  bool has_text = false;          ///< a source stands in the config: `folder` has no such file
  /// Tunables without a default, where the kernel first names them: every sweep must give them values.
  std::vector<Word> open_tunables;
  std::vector<Position> among_positions;  ///< where the words of `among` are
  Position position;                      ///< where the table is
  Position name_position;                 ///< where the value of `name` is
  Position workload_position;             ///< where the value of `workload` is
  Position backend_position;              ///< where the value of `backend` is
};

/// Limits of a config's own kernels; what goes beyond is refused.
inline constexpr std::size_t max_tunables = 2000;                           ///< all kernels together
inline constexpr std::size_t max_source_files = 256;                        ///< per kernel
inline constexpr std::size_t max_source_bytes = std::size_t{4} << 20;       ///< per file
inline constexpr std::size_t max_all_source_bytes = std::size_t{32} << 20;  ///< all kernels together
inline constexpr std::size_t max_includes = 50'000;  ///< includes followed, all kernels together

}  // namespace benchctl
