// Finds the files that a kernel's source may include: the dependencies of a compiled kernel. Host and
// plugins share this scanner. Include it yourself; plugin.hpp does not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace benchctl {

namespace detail {

/// Line ends as one character each, trigraphs replaced where a compiler knows them, and lines that end in a
/// backslash joined. A lone carriage return ends a line for some compilers and is a blank for others.
inline std::string joined_lines(std::string_view text, bool trigraphs, char carriage_return) {
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
inline bool begins_line(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const std::size_t last = before.find_last_not_of(" \t\r\f\v");
  return last == std::string_view::npos || before[last] == '\n' ||
         before.substr(0, last + 1).ends_with("*/");
}

/// What stands behind the include directive at this mark, if it is one: `"name"`, `<name>`, a macro.
inline std::optional<std::string> included(std::string_view text, const BlankSkipper& skip_blanks,
                                           std::size_t at, std::size_t mark) {
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

/// What stands between two marks at the begin of a text.
inline std::optional<std::string> between(std::string_view what, char open, char close) {
  if (!what.starts_with(open)) return std::nullopt;
  const std::size_t end = what.find(close, 1);
  if (end == std::string_view::npos) return std::nullopt;
  // Compilers and the system take a name up to a NUL byte.
  return std::string(what.substr(1, std::min(end, what.find('\0')) - 1));
}

}  // namespace detail

/// Names in all lines that may be include directives, each once: `"file"`, `<file>`, or a macro, with the
/// rest of the line. Lines in comments and strings count, too, because their ends depend on the language
/// (raw strings, digit separators). Stops when there
/// are more than `most`.
[[nodiscard]] inline std::vector<std::string> included_names(std::string_view text,
                                                             std::size_t most = SIZE_MAX) {
  std::vector<std::string> found;
  std::unordered_set<std::string> known;
  const bool any_trigraph = text.find("??") != std::string::npos;
  const bool any_return = text.find('\r') != std::string::npos;
  for (const bool trigraphs : {false, true}) {
    if (trigraphs && !any_trigraph) continue;
    for (const char carriage_return : {'\n', ' '}) {
      if (carriage_return == ' ' && !any_return) continue;
      const std::string joined = detail::joined_lines(text, trigraphs, carriage_return);
      const detail::BlankSkipper skip_blanks(joined);
      for (const std::string_view mark : {"#", "%:"}) {
        for (std::size_t at = 0; (at = joined.find(mark, at)) != std::string::npos; at += mark.size()) {
          auto what = detail::included(joined, skip_blanks, at, mark.size());
          if (what && known.insert(*what).second) found.push_back(std::move(*what));
          if (found.size() > most) return found;
        }
      }
    }
  }
  return found;
}

/// The file in `"file"` or `<file>` as included_names gives them; nothing if it is a macro.
[[nodiscard]] inline std::optional<std::string> file_name(std::string_view what) {
  std::optional<std::string> name = detail::between(what, '"', '"');
  return name ? name : detail::between(what, '<', '>');
}

namespace detail {

template <class Visit>
void visit_sources(const std::filesystem::path& file, const std::filesystem::path& first_folder,
                   std::string_view included_as, std::set<std::filesystem::path>& seen,
                   const Visit& visit) {
  if (!seen.insert(file.lexically_normal()).second) return;
  std::optional<std::string> text;
  std::error_code error;
  if (std::filesystem::is_regular_file(file, error)) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream contents;
    contents << in.rdbuf();
    if (in) text = std::move(contents).str();
  }
  visit(file.lexically_normal(), text, included_as);
  if (!text) return;
  for (const std::string& what : included_names(*text)) {
    const std::optional<std::string> name = file_name(what);
    if (!name) continue;
    bool found = false;
    for (const std::filesystem::path& folder : {file.parent_path(), first_folder}) {
      if (!std::filesystem::is_regular_file(folder / *name, error)) continue;
      visit_sources(folder / *name, first_folder, what, seen, visit);
      found = true;
      if (what.starts_with('"')) break;
    }
    if (!found) visit_sources(first_folder / *name, first_folder, what, seen, visit);
  }
}

}  // namespace detail

/// Calls `visit(path, text, included_as)` for a kernel's source and for each file that it may include,
/// once, whatever conditions surround the directives. `text` is empty where no such file lies beside the
/// file that includes it or beside the source: it may stand in a branch that is not compiled, or be the
/// compiler's own. Compilers disagree on where they look for `<file>` first, so both places are visited.
/// `included_as` is `"file"` or `<file>`, and empty for the source. Macros are not followed.
template <class Visit>
void visit_sources(const std::filesystem::path& source, const Visit& visit) {
  std::set<std::filesystem::path> seen;
  detail::visit_sources(source, source.parent_path(), {}, seen, visit);
}

}  // namespace benchctl
