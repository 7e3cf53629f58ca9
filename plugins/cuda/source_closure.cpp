#include "source_closure.hpp"

#include <benchctl/failure.hpp>

#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
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

std::string_view skip_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

/// The file name of an include line, or nothing.
std::optional<std::string> included_name(std::string_view line) {
  line = skip_blanks(line);
  if (!line.starts_with('#')) return std::nullopt;
  line = skip_blanks(line.substr(1));
  constexpr std::string_view keyword = "include";
  if (!line.starts_with(keyword)) return std::nullopt;
  line = skip_blanks(line.substr(keyword.size()));
  if (line.empty() || (line.front() != '"' && line.front() != '<')) return std::nullopt;
  const std::size_t end = line.find(line.front() == '"' ? '"' : '>', 1);
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(line.substr(1, end - 1));
}

std::vector<std::string> included_names(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (auto name = included_name(line)) names.push_back(std::move(*name));
  }
  return names;
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
    fs::path folder;  ///< of the file that includes
    std::string name;
  };
  std::vector<Pending> pending;
  const auto note_includes = [&](const fs::path& from, const std::string& text) {
    for (std::string& name : included_names(text)) pending.push_back({from, std::move(name)});
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
