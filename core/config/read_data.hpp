// What inputs of a `[workload.NAME]` hold, and the files and programs that it names. Internal to this room.
#pragma once

#include "config/document.hpp"
#include "config/expressions.hpp"
#include "config/kernels.hpp"
#include "workloads/declared.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// More numbers in a list are refused.
inline constexpr std::size_t max_fill_numbers = 4096;

/// The fill of a kind whose numbers are not given, of elements of `type`.
[[nodiscard]] FillSpec default_fill(FillSpec::Kind kind, std::string_view type);
/// `"uniform"`, `{ uniform = [0, 1] }`. `parameters` are those that a layout may name. The file of
/// `{ file = … }` and the buffer of `{ like = … }` are left to the caller. Errors are reported.
void read_fill(Reporter& reporter, ExpressionReader& expressions, const Node& node, const std::string& what,
               const std::vector<std::string>& parameters, BufferDeclaration& buffer);

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
