// References in files that every worker of a run reads.
#pragma once

#include "workloads/workload.hpp"

#include <filesystem>

namespace benchctl {

/// Writes the file whole or not at all. Throws std::runtime_error with the path.
void save_reference(const Reference& reference, const std::filesystem::path& file);
/// Throws std::runtime_error when the file is missing or damaged.
[[nodiscard]] Reference load_reference(const std::filesystem::path& file);

}  // namespace benchctl
