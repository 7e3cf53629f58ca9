// A kernel's source as one text, with definitions in front and local includes put in place.
//
// Drivers differ in how they take include paths and definitions with spaces in them; a text without either
// compiles the same everywhere, and its hash covers all that was read. `#line` directives keep the
// compiler's messages at the file and line that a person edits.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace benchctl::gpu {

using Defines = std::map<std::string, std::string, std::less<>>;

/// `#include "name"` and `<name>` are looked for beside the file that has them, then beside `file`. One
/// that is not there becomes `#error`, since it may be switched off: the compiler is left nothing to look
/// for. A header with `#pragma once` is guarded, one that includes itself is cut short. Failure
/// compile_error when `file` cannot be read, includes are nested too deep, or the text can still read a
/// file: by an include that is split over lines or by `__has_include`.
[[nodiscard]] std::string read_source(const std::filesystem::path& file, const Defines& defines);

}  // namespace benchctl::gpu
