#include "config/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

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
  std::string text(max_source_bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > max_source_bytes) {
    throw SourceError(fmt::format("'{}' is larger than {} MiB; this is no kernel source", file.string(),
                                  max_source_bytes >> 20));
  }
  return text;
}

/// The text as a compiler reads it before it looks for directives: lines that end in a backslash joined,
/// comments replaced by a blank each.
std::string without_comments(const std::string& text) {
  std::string joined;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      std::size_t end = i + 1;
      while (end < text.size() && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r')) ++end;
      if (end < text.size() && text[end] == '\n') {
        i = end;
        continue;
      }
    }
    joined += text[i];
  }
  std::string plain;
  char quote = '\0';
  for (std::size_t i = 0; i < joined.size(); ++i) {
    const std::string_view two = std::string_view(joined).substr(i, 2);
    if (quote != '\0') {
      // A quote that its line does not close is none (an apostrophe in a directive).
      if (joined[i] == '\n' || joined[i] == quote) quote = '\0';
      if (joined[i] == '\\' && i + 1 < joined.size()) plain += joined[i++];
      plain += joined[i];
    } else if (two == "//") {
      while (i < joined.size() && joined[i] != '\n') ++i;
      plain += '\n';
    } else if (two == "/*") {
      const std::size_t end = joined.find("*/", i + 2);
      i = end == std::string::npos ? joined.size() : end + 1;
      plain += ' ';
    } else {
      if (joined[i] == '"' || joined[i] == '\'') quote = joined[i];
      plain += joined[i];
    }
  }
  return plain;
}

/// What stands behind an include directive, if the line is one: `"name"`, `<name>`, a macro.
std::optional<std::string> included(std::string_view line) {
  const auto skip_blanks = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r\f\v"), line.size()));
  };
  skip_blanks();
  const std::string_view mark = line.starts_with("#") ? "#" : line.starts_with("%:") ? "%:" : "";
  if (mark.empty()) return std::nullopt;
  line.remove_prefix(mark.size());
  skip_blanks();
  for (const std::string_view word : {"include_next", "include", "import", "embed"}) {
    if (!line.starts_with(word)) continue;
    line.remove_prefix(word.size());
    skip_blanks();
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r')) {
      line.remove_suffix(1);
    }
    return std::string(line);
  }
  return std::nullopt;
}

class Collector {
 public:
  Collector(const FileRules& rules, std::vector<SourceFile>& files)
      : rules_(rules), folder_(plain(rules.folder)), files_(files) {}

  void add(const fs::path& file, const fs::path& first_folder) {
    const std::string name = file.lexically_relative(folder_).generic_string();
    if (std::ranges::find(files_, name, &SourceFile::name) != files_.end()) return;
    if (files_.size() >= max_source_files) {
      throw SourceError(fmt::format("more than {} source files", max_source_files));
    }
    files_.push_back({name, read_text(file)});
    std::istringstream lines(without_comments(files_.back().text));
    for (std::string line; std::getline(lines, line);) {
      if (const auto what = included(line)) follow(name, *what, file.parent_path(), first_folder);
    }
  }

 private:
  void follow(const std::string& from, const std::string& what, const fs::path& own_folder,
              const fs::path& first_folder) {
    const std::size_t close = what.empty() || what.front() != '"' ? std::string::npos : what.find('"', 1);
    if (close == std::string::npos) {
      if (rules_.allow_outside) return;
      throw SourceError(fmt::format(
          "{} includes {}, which could be any file{}: a kernel of a config includes \"files\" of "
          "the config's folder",
          from, what.empty() ? "nothing that is named" : what, advice));
    }
    const std::string name = what.substr(1, close - 1);
    for (const fs::path& folder : {own_folder, first_folder}) {
      const fs::path file = (folder / name).lexically_normal();
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
  std::vector<SourceFile>& files_;
};

}  // namespace

fs::path locate_file(const std::string& name, const FileRules& rules) {
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

void collect_sources(const std::string& name, const FileRules& rules, std::vector<SourceFile>& files) {
  const fs::path file = locate_file(name, rules);
  Collector(rules, files).add(file, file.parent_path());
}

}  // namespace benchctl
