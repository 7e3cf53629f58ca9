// Stores of every schema version so far, as revisions of that time wrote them: tests/store/versions/N.sql.
// Each has a finished run, and one that was killed when it had measured two of its six points.
#pragma once

#include "store/fixtures.hpp"

#include <algorithm>
#include <vector>

namespace benchctl::test {

inline std::filesystem::path version_folder() { return tree_root() / "libexec/benchctl/tests/versions"; }

/// In their order.
inline std::vector<int> dumped_versions() {
  std::vector<int> versions;
  for (const auto& entry : std::filesystem::directory_iterator(version_folder())) {
    if (entry.path().extension() == ".sql") versions.push_back(std::stoi(entry.path().stem().string()));
  }
  std::ranges::sort(versions);
  return versions;
}

/// Makes the store of that version.
inline void load_version(int version, const std::filesystem::path& file) {
  const std::string dump = content_of(version_folder() / (std::to_string(version) + ".sql"));
  REQUIRE_FALSE(dump.empty());
  execute(file, dump);
}

}  // namespace benchctl::test
