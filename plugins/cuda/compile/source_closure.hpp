// The text of a kernel file and of everything local that it includes: what a compiled kernel depends on.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace benchctl::cuda {

struct SourceClosure {
  std::string text;  ///< text of the kernel file itself
  /// Text of every included file that was found, by path relative to the kernel's folder; an include that
  /// was not found maps to no text (it may stand in a branch that is not compiled), so that the key changes
  /// when the file appears.
  std::map<std::string, std::string, std::less<>> included;
};

/// Follows `#include "x"` and `#include <x>` through files under the including file's folder and the
/// kernel's own folder, whatever conditions surround them. Includes through a macro are not seen. Throws
/// Failure(compile_error) when the kernel file cannot be read.
[[nodiscard]] SourceClosure read_source_closure(const std::filesystem::path& source);

}  // namespace benchctl::cuda
