// Files that a config names: found, kept inside the config's folder, read with all that they include.
#pragma once

#include "config/kernels.hpp"

#include <iosfwd>
#include <optional>
#include <stdexcept>
#include <string>

namespace benchctl {

/// A file that may not be read, or cannot be. The text says which and why.
class SourceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The file as an absolute path. Throws SourceError when it is missing, is not a regular file, or lies
/// outside the folder (by `..`, as an absolute path or through a symbolic link) and that is not allowed.
[[nodiscard]] std::filesystem::path locate_file(const std::string& name, const FileRules& rules);

/// The rest of a stream; nothing if that has more bytes.
[[nodiscard]] std::optional<std::string> read_up_to(std::istream& in, std::size_t bytes);

/// What sources may still be read for a config.
struct SourceRoom {
  std::size_t bytes = max_all_source_bytes;
  std::size_t includes = max_includes;
};

/// Adds a kernel's source and everything it includes to `files`, each file once, as far as that is there:
/// what is not may be a header of the compiler, which says what is missing. Throws SourceError, also when
/// `room` is used up; also for a macro, and for an absolute name or one with `..` that is not there, since
/// the compiler could find any file by it, unless files outside are allowed.
void collect_sources(const std::string& name, const FileRules& rules, SourceRoom& room,
                     std::vector<SourceFile>& files);
/// The same for a source inside the config; `name` is its name in the config's
/// folder.
void collect_text(const std::string& name, const std::string& text, const FileRules& rules,
                  SourceRoom& room, std::vector<SourceFile>& files);

}  // namespace benchctl
