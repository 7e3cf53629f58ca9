#include "compile/source_closure.hpp"

#include <benchctl/failure.hpp>
#include <benchctl/includes.hpp>

#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

namespace benchctl::cuda {

namespace {

namespace fs = std::filesystem;

std::optional<std::string> read_text(const fs::path& file) {
  if (!fs::is_regular_file(file)) return std::nullopt;
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) return std::nullopt;
  return text.str();
}

}  // namespace

SourceClosure read_source_closure(const fs::path& source) {
  SourceClosure closure;
  if (auto text = read_text(source)) {
    closure.text = std::move(*text);
  } else {
    throw Failure(FailureKind::compile_error, "the kernel file " + source.string() + " cannot be read");
  }
  const fs::path folder = source.parent_path();
  struct Pending {
    fs::path folder;  ///< folder of the file that includes
    std::string name;
  };
  std::vector<Pending> pending;
  const auto note_includes = [&](const fs::path& from, const std::string& text) {
    for (const std::string& what : included_names(text)) {
      if (auto name = file_name(what)) pending.push_back({from, std::move(*name)});
    }
  };
  note_includes(folder, closure.text);
  while (!pending.empty()) {
    const Pending next = std::move(pending.back());
    pending.pop_back();
    fs::path file = (next.folder / next.name).lexically_normal();
    std::optional<std::string> text = read_text(file);
    if (!text) {
      file = (folder / next.name).lexically_normal();
      text = read_text(file);
    }
    const bool is_new =
        closure.included.emplace(file.lexically_relative(folder).string(), text.value_or("")).second;
    if (is_new && text) note_includes(file.parent_path(), *text);
  }
  return closure;
}

}  // namespace benchctl::cuda
