// A stored run's config with the files that it brought, as it was when it ran.
#pragma once

#include "config/config.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace benchctl {

/// Name relative to the config's folder, and contents.
using NamedContents = std::vector<std::pair<std::string, std::string>>;

/// Every file that the config's kernels and checks were made from.
[[nodiscard]] NamedContents files_of(const Config& config);

/// Writes the files below `folder`, which must be empty; returns what stands for the config's folder then.
/// Throws std::runtime_error when a file cannot be written.
[[nodiscard]] std::filesystem::path place_files(const NamedContents& files,
                                                const std::filesystem::path& folder);

/// Places the files, and reads the config as if it stood among them.
/// Throws ConfigErrors, or std::runtime_error when a file cannot be written.
[[nodiscard]] Config restore_config(const std::string& text, const NamedContents& files,
                                    const std::filesystem::path& folder);

}  // namespace benchctl
