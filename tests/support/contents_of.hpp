// What is in a file.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace benchctl::test {

/// All bytes of a file; none if it cannot be read.
inline std::string contents_of(const std::filesystem::path& file) {
  std::ostringstream bytes;
  bytes << std::ifstream(file, std::ios::binary).rdbuf();
  return bytes.str();
}

}  // namespace benchctl::test
