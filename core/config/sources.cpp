#include "config/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

constexpr const char* advice = "; --allow-outside permits it";

/// Without `.` and without a slash at its end, which would count as one more level.
fs::path plain(const fs::path& folder) {
  const fs::path normal = fs::absolute(folder).lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

bool is_inside(const fs::path& file, const fs::path& folder) {
  const fs::path relative = file.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw SourceError(fmt::format("'{}' cannot be read; check its permissions", file.string()));
  std::string text;
  std::array<char, 65536> piece;
  while (in.read(piece.data(), piece.size()) || in.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > max_source_bytes) {
      throw SourceError(fmt::format("'{}' is larger than {} MiB; this is no kernel source", file.string(),
                                    max_source_bytes >> 20));
    }
  }
  text.shrink_to_fit();
  return text;
}

/// Line ends as one character each, trigraphs replaced where a compiler knows them, and lines that end in a
/// backslash joined. A lone carriage return ends a line for some compilers and is a blank for others.
std::string joined_lines(std::string_view text, bool trigraphs, char carriage_return) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (trigraphs && (rest.starts_with("?\?=") || rest.starts_with("?\?/"))) {
      plain += rest[2] == '=' ? '#' : '\\';
      i += 2;
    } else if (rest.starts_with("\r\n")) {
      continue;
    } else {
      plain += text[i] == '\r' ? carriage_return : text[i];
    }
  }
  std::string joined;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const std::size_t end =
        plain[i] == '\\' ? plain.find_first_not_of(" \t\f\v", i + 1) : std::string::npos;
    if (end != std::string::npos && plain[end] == '\n') {
      i = end;
    } else {
      joined += plain[i];
    }
  }
  return joined;
}

/// Finds what stands behind blanks and comments, which may go over several lines. Looked up for every place
/// at once, from the end: a text of many comments would otherwise be gone through once for each of them.
class BlankSkipper {
 public:
  explicit BlankSkipper(std::string_view text) : behind_(text.size() + 1) {
    std::size_t close = text.size();  // behind the end of a comment that begins at `at`
    behind_.back() = static_cast<std::uint32_t>(text.size());
    for (std::size_t at = text.size(); at-- > 0;) {
      if (text.substr(std::min(at + 2, text.size())).starts_with("*/")) close = at + 4;
      if (std::string_view(" \t\r\f\v").find(text[at]) != std::string_view::npos) {
        behind_[at] = behind_[at + 1];
      } else if (text.substr(at).starts_with("/*")) {
        behind_[at] = behind_[close];
      } else {
        behind_[at] = static_cast<std::uint32_t>(at);
      }
    }
  }

  [[nodiscard]] std::size_t operator()(std::size_t at) const {
    return behind_[std::min(at, behind_.size() - 1)];
  }

 private:
  std::vector<std::uint32_t> behind_;
};

/// Can a directive begin here: is there nothing on the line before it, or the end of a comment?
bool begins_line(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const std::size_t last = before.find_last_not_of(" \t\r\f\v");
  return last == std::string_view::npos || before[last] == '\n' ||
         before.substr(0, last + 1).ends_with("*/");
}

/// What stands behind the include directive at this mark, if it is one: `"name"`, `<name>`, a macro.
std::optional<std::string> included(std::string_view text, const BlankSkipper& skip_blanks, std::size_t at,
                                    std::size_t mark) {
  if (!begins_line(text, at)) return std::nullopt;
  std::size_t begin = skip_blanks(at + mark);
  for (const std::string_view word : {"include_next", "include", "import", "embed"}) {
    if (!text.substr(begin).starts_with(word)) continue;
    begin = skip_blanks(begin + word.size());
    // No name of a file is longer; a line may be.
    std::string_view what = text.substr(begin, 4096);
    what = what.substr(0, what.find('\n'));
    what = what.substr(0, what.find_last_not_of(" \t\r") + 1);
    return std::string(what);
  }
  return std::nullopt;
}

/// What all lines that may be include directives name. Where comments and strings end is a matter of the
/// language (raw strings, digit separators), so that they are not looked for: what stands in one counts,
/// too.
std::vector<std::string> all_included(const std::string& text) {
  std::vector<std::string> found;
  std::unordered_set<std::string> known;
  const bool any_trigraph = text.find("??") != std::string::npos;
  const bool any_return = text.find('\r') != std::string::npos;
  for (const bool trigraphs : {false, true}) {
    if (trigraphs && !any_trigraph) continue;
    for (const char carriage_return : {'\n', ' '}) {
      if (carriage_return == ' ' && !any_return) continue;
      const std::string joined = joined_lines(text, trigraphs, carriage_return);
      const BlankSkipper skip_blanks(joined);
      for (const std::string_view mark : {"#", "%:"}) {
        for (std::size_t at = 0; (at = joined.find(mark, at)) != std::string::npos; at += mark.size()) {
          auto what = included(joined, skip_blanks, at, mark.size());
          if (what && known.insert(*what).second) found.push_back(std::move(*what));
          if (found.size() > max_includes) return found;  // refused when they are followed
        }
      }
    }
  }
  return found;
}

class Collector {
 public:
  Collector(const FileRules& rules, SourceRoom& room, std::vector<SourceFile>& files)
      : rules_(rules), folder_(plain(rules.folder)), room_(room), files_(files) {}

  void add(const fs::path& file, const fs::path& first_folder) {
    if (is_read(file)) return;
    const std::string name = name_of(file);
    if (files_.size() >= max_source_files) {
      throw SourceError(fmt::format("more than {} source files", max_source_files));
    }
    std::string text = read_text(file);
    if (text.size() > room_.bytes) {
      throw SourceError(
          fmt::format("the sources of this config are larger than {} MiB together; include less, "
                      "or use several configs",
                      max_all_source_bytes >> 20));
    }
    room_.bytes -= text.size();
    files_.push_back({name, std::move(text)});
    const std::vector<std::string> included_files = all_included(files_.back().text);
    for (const std::string& what : included_files) {
      if (room_.includes-- == 0) {
        room_.includes = 0;
        throw SourceError(
            fmt::format("the sources of this config have more than {} include lines", max_includes));
      }
      follow(name, what, file.parent_path(), first_folder);
    }
  }

 private:
  [[nodiscard]] std::string name_of(const fs::path& file) const {
    return file.lexically_relative(folder_).generic_string();
  }

  [[nodiscard]] bool is_read(const fs::path& file) const {
    return std::ranges::find(files_, name_of(file), &SourceFile::name) != files_.end();
  }

  void follow(const std::string& from, const std::string& what, const fs::path& own_folder,
              const fs::path& first_folder) {
    const std::size_t close = what.empty() || what.front() != '"' ? std::string::npos : what.find('"', 1);
    if (close == std::string::npos) {
      if (rules_.allow_outside) return;
      throw SourceError(
          fmt::format("{} includes {}, which could be any file; a kernel of a config includes \"files\" of "
                      "the config's folder{}",
                      from, what.empty() ? "nothing that is named" : what, advice));
    }
    // Compilers and the system take a name up to a NUL byte.
    const std::string name = what.substr(1, std::min(close, what.find('\0')) - 1);
    for (const fs::path& folder : {own_folder, first_folder}) {
      const fs::path file = (folder / name).lexically_normal();
      if (is_read(file)) return;
      std::error_code error;
      if (!fs::exists(file, error)) continue;
      add(locate(file, from), first_folder);
      return;
    }
  }

  [[nodiscard]] fs::path locate(const fs::path& file, const std::string& from) const {
    try {
      return locate_file(file.lexically_relative(folder_).string(), {folder_, rules_.allow_outside});
    } catch (const SourceError& error) {
      throw SourceError(fmt::format("{} includes a file that may not be read: {}", from, error.what()));
    }
  }

  const FileRules& rules_;
  fs::path folder_;
  SourceRoom& room_;
  std::vector<SourceFile>& files_;
};

}  // namespace

fs::path locate_file(const std::string& name, const FileRules& rules) {
  if (name.find('\0') != std::string::npos) {
    throw SourceError(fmt::format("'{}' has a NUL byte, which no file's name has", name));
  }
  const fs::path folder = plain(rules.folder);
  const fs::path file = (folder / name).lexically_normal();
  std::error_code error;
  if (!rules.allow_outside && !is_inside(file, folder)) {
    throw SourceError(fmt::format("'{}' lies outside the config's folder{}", name, advice));
  }
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) throw SourceError(fmt::format("there is no file '{}'", file.string()));
  if (!fs::is_regular_file(status)) throw SourceError(fmt::format("'{}' is no file", file.string()));
  if (!rules.allow_outside && !is_inside(fs::canonical(file), fs::canonical(folder))) {
    throw SourceError(fmt::format("'{}' is a link to a place outside the config's folder{}", name, advice));
  }
  return file;
}

void collect_sources(const std::string& name, const FileRules& rules, SourceRoom& room,
                     std::vector<SourceFile>& files) {
  const fs::path file = locate_file(name, rules);
  Collector(rules, room, files).add(file, file.parent_path());
}

}  // namespace benchctl
