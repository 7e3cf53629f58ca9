// Tuning problems in T1, the JSON format that Kernel Tuner and KTT read, as configs of ours.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace benchctl {

/// A file that is not T1, or that needs something we do not have. The text says what and where in the
/// document.
class ImportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct ImportedConfig {
  std::string toml;
  std::vector<std::string> left_out;  ///< what the file says and the config does not, a sentence each
};

/// `text` is the T1 document. `kernel_folder`: where the folder of the T1 file is as seen from the
/// config's; empty when they are the same. Nothing of the text is ever evaluated as code: values are lists
/// (`python_list`), conditions and sizes our own expressions. Throws ImportError.
[[nodiscard]] ImportedConfig import_t1(const std::string& text, const std::filesystem::path& kernel_folder);

}  // namespace benchctl
