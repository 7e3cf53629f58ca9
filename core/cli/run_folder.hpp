#pragma once

#include <filesystem>

namespace benchctl::cli {

/// A folder for a run's own files in the system's temporary folder, removed with all that is in it. Those
/// of processes that were killed are removed by the next one: folders of this user alone, named as mkdtemp
/// names them, with the mark that is written here and that no process holds a lock on. Nothing else is
/// touched.
class RunFolder {
 public:
  /// Throws std::runtime_error where no folder can be made.
  RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  ~RunFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int owner_ = -1;
};

}  // namespace benchctl::cli
