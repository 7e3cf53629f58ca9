#include "support/paths.hpp"

#include <unistd.h>
#include <algorithm>

#include <fstream>
#include <stdexcept>

namespace benchctl::test {

namespace fs = std::filesystem;

fs::path tree_root() {
  // <root>/libexec/benchctl/tests/test_x
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path().parent_path();
}
fs::path program() { return tree_root() / "bin/benchctl"; }
fs::path plugin_directory() { return tree_root() / "lib/benchctl/plugins"; }
fs::path test_plugin_directory() { return tree_root() / "libexec/benchctl/tests/plugins"; }
fs::path fuzz_corpus_directory() { return tree_root() / "libexec/benchctl/tests/fuzz"; }
fs::path recorded_space_directory() { return tree_root() / "libexec/benchctl/tests/spaces"; }
fs::path config_directory() { return tree_root() / "share/benchctl/configs"; }
fs::path example_directory() { return tree_root() / "share/benchctl/examples"; }
fs::path user_kernel_directory() { return example_directory() / "user_kernels"; }

TemporaryDirectory::TemporaryDirectory() {
  std::string name = (fs::temp_directory_path() / "benchctl-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed for " + name);
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path TemporaryDirectory::write(const std::string& name, const std::string& text) const {
  const fs::path file = path_ / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

std::vector<fs::path> files_under(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::recursive_directory_iterator(folder, none)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace benchctl::test
