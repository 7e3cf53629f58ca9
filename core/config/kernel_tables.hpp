// Kernels that a plugin describes in tables beside their sources: kernels/NAME/*.toml.
#pragma once

#include <benchctl/variant.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace benchctl {

struct KernelTables {
  std::vector<VariantInfo> variants;         ///< table by table, in the order of their names
  std::vector<std::filesystem::path> files;  ///< all that were read, with those that tables include
};

/// Reads the tables of a folder, whose kernels are for `backend`; a folder that is not there has none.
/// `common.toml` has what all others begin with. Throws ConfigErrors with all that is wrong with a table.
[[nodiscard]] KernelTables read_kernel_tables(const std::filesystem::path& folder,
                                              const std::string& backend);

/// The backend that `common.toml` of a folder names for all its kernels; empty: none. Throws ConfigErrors.
[[nodiscard]] std::string backend_of_tables(const std::filesystem::path& folder);

}  // namespace benchctl
