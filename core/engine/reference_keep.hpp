// Reference files that outlive the group they were made for: a search measures one problem in many small
// groups.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace benchctl {

class ReferenceKeep {
 public:
  ReferenceKeep() = default;
  ReferenceKeep(const ReferenceKeep&) = delete;
  ReferenceKeep& operator=(const ReferenceKeep&) = delete;
  ~ReferenceKeep() { forget(); }

  /// The file kept under that name; empty if there is none.
  [[nodiscard]] std::filesystem::path find(const std::string& key) const {
    const auto found = files_.find(key);
    return found != files_.end() ? found->second : std::filesystem::path();
  }
  void keep(const std::string& key, const std::filesystem::path& file) { files_[key] = file; }
  /// Deletes all of them.
  void forget() {
    std::error_code ignored;
    for (const auto& [key, file] : files_) std::filesystem::remove(file, ignored);
    files_.clear();
  }

 private:
  std::map<std::string, std::filesystem::path> files_;
};

}  // namespace benchctl
