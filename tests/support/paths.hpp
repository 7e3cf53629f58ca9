// Where a test finds the program under test and its data: relative to the test program, so that the
// same binary works in the build tree and in an unpacked bundle.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace benchctl::test {

/// Root of the tree that holds bin/, lib/ and share/.
[[nodiscard]] std::filesystem::path tree_root();
/// The benchctl program.
[[nodiscard]] std::filesystem::path program();
/// lib/benchctl/plugins.
[[nodiscard]] std::filesystem::path plugin_directory();
/// Plugins that exist for the tests only: libexec/benchctl/tests/plugins.
[[nodiscard]] std::filesystem::path test_plugin_directory();
/// Inputs of tests/fuzz, a folder for each target: libexec/benchctl/tests/fuzz.
[[nodiscard]] std::filesystem::path fuzz_corpus_directory();
/// Exports of spaces that were measured completely: libexec/benchctl/tests/recorded.
[[nodiscard]] std::filesystem::path recorded_space_directory();
/// share/benchctl/configs.
[[nodiscard]] std::filesystem::path config_directory();
/// share/benchctl/examples.
[[nodiscard]] std::filesystem::path example_directory();
/// share/benchctl/examples/user_kernels.
[[nodiscard]] std::filesystem::path user_kernel_directory();

/// A fresh folder under the system's temporary one, removed with everything in it at the end.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Writes a file into it and returns its path.
  std::filesystem::path write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

/// All files in a folder and those in it, by name; none if there is no such folder.
[[nodiscard]] std::vector<std::filesystem::path> files_under(const std::filesystem::path& folder);

}  // namespace benchctl::test
