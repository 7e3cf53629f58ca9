// Configs by name: those that are installed with the program, in share/benchctl/configs, can be run from
// any folder.
#pragma once

#include "config/config.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace benchctl::cli {

/// The file that a CONFIG on the command line means. A file that exists, a path that ends in `.toml` and
/// one that begins with `/` or `.` are taken as they are; any other is the name of an installed config.
/// Throws UsageError with the nearest names when there is none.
[[nodiscard]] std::string find_config(const std::string& name);

/// Says which of these files, by which kernels are chosen or compiled, belongs to another user. Throws
/// UsageError as root, unless `allow_outside`: a kernel on a processor is native code.
void tell_foreign_owner(const std::vector<std::filesystem::path>& files, bool allow_outside);

/// Reads that file, and tells the foreign owner of it or of a kernel's source. Throws ConfigErrors,
/// UsageError.
[[nodiscard]] Config read_config(const std::string& name, bool allow_outside);

/// Prints the names and titles of the installed configs. Throws UsageError if there are none.
void list_configs(bool as_json);

}  // namespace benchctl::cli
