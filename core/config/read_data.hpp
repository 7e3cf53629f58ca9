// Files and programs that a `[workload.NAME]` names: inputs, truths, judges. Internal to this room.
#pragma once

#include "config/document.hpp"
#include "config/kernels.hpp"
#include "workloads/declared.hpp"

#include <optional>
#include <string>
#include <vector>

namespace benchctl {

class DataFileReader {
 public:
  /// What is read is added to `kept`, if it is not too large to be kept with a run.
  DataFileReader(Reporter& reporter, const FileRules& rules, std::vector<SourceFile>& kept)
      : reporter_(reporter), rules_(rules), kept_(kept) {}

  /// The file for a buffer that a member names; nothing where that was reported.
  [[nodiscard]] std::optional<ArrayFile> read_array(const Node& member, const std::string& buffer,
                                                    const std::string& place);
  /// The words of a program; `what` names them in messages. Words that name files of the config's folder
  /// become absolute. Without words where something was reported.
  [[nodiscard]] DataProgram read_program(const Node& run, const std::string& what);

 private:
  void keep(const std::string& name, const std::filesystem::path& file);

  Reporter& reporter_;
  const FileRules& rules_;
  std::vector<SourceFile>& kept_;
};

}  // namespace benchctl
