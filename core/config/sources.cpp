#include "config/sources.hpp"

#include "model/words.hpp"

#include <benchctl/includes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <string_view>
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
  if (!in) throw SourceError(fmt::format("'{}' cannot be read; check its permissions", file));
  std::optional<std::string> text = read_up_to(in, max_source_bytes);
  if (!text) {
    throw SourceError(fmt::format("'{}' is larger than {} MiB, too large for a kernel source", file,
                                  max_source_bytes >> 20));
  }
  text->shrink_to_fit();
  return *std::move(text);
}

class Collector {
 public:
  Collector(const FileRules& rules, SourceRoom& room, std::vector<SourceFile>& files)
      : rules_(rules), folder_(plain(rules.folder)), room_(room), files_(files) {}

  void add(const fs::path& file, const fs::path& first_folder) {
    if (!is_read(file)) add_text(file, read_text(file), first_folder);
  }

  void add_text(const fs::path& file, std::string text, const fs::path& first_folder) {
    if (is_read(file)) return;
    const std::string name = name_of(file);
    if (files_.size() >= max_source_files) {
      throw SourceError(fmt::format("more than {} source files", max_source_files));
    }
    if (text.size() > room_.bytes) {
      throw SourceError(
          fmt::format("the sources of this config are larger than {} MiB together; include less, "
                      "or use several configs",
                      max_all_source_bytes >> 20));
    }
    room_.bytes -= text.size();
    files_.push_back({name, std::move(text)});
    const std::vector<std::string> included_files = included_names(files_.back().text, max_includes);
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
    const std::optional<std::string> name = file_name(what);
    if (!name) {
      throw SourceError(fmt::format(
          "{} includes {}, which cannot be resolved: only its compiler would know which file it read; "
          "write the name of the file",
          from, what.empty() ? "nothing that is named" : what));
    }
    const bool quoted = what.starts_with('"');
    const fs::path path(*name);
    // A compiler looks in folders of its own, too: no name may lead from there to any file.
    const bool leads_out = path.is_absolute() || std::ranges::find(path, fs::path("..")) != path.end();
    bool found = false;
    for (const fs::path& folder : {own_folder, first_folder}) {
      const fs::path file = (folder / *name).lexically_normal();
      std::error_code error;
      if (!is_read(file)) {
        if (!fs::exists(file, error)) continue;
        add(locate(file, from), first_folder);
      }
      found = true;
      if (quoted) return;  // compilers disagree on where they look for <file> first
    }
    if (found || !leads_out || rules_.allow_outside) return;
    throw SourceError(fmt::format(
        "{} includes {}, which could be any file; a config's kernel may include only files in the config's "
        "folder and headers of its compiler{}",
        from, what, advice));
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

std::optional<std::string> read_up_to(std::istream& in, std::size_t bytes) {
  std::string text;
  // Not by its size: a pipe has none.
  std::array<char, 65536> piece;
  while (in.read(piece.data(), piece.size()) || in.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > bytes) return std::nullopt;
  }
  return text;
}

fs::path locate_file(const std::string& name, const FileRules& rules) {
  if (name.find('\0') != std::string::npos) {
    throw SourceError(fmt::format("'{}' has a NUL byte, which a file name cannot contain", name));
  }
  const fs::path folder = plain(rules.folder);
  const fs::path file = (folder / name).lexically_normal();
  std::error_code error;
  if (!rules.allow_outside && !is_inside(file, folder)) {
    throw SourceError(fmt::format("'{}' lies outside the config's folder{}", name, advice));
  }
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) throw SourceError(fmt::format("there is no file '{}'", file));
  if (!fs::is_regular_file(status)) throw SourceError(fmt::format("'{}' is not a file", file));
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

void collect_text(const std::string& name, const std::string& text, const FileRules& rules,
                  SourceRoom& room, std::vector<SourceFile>& files) {
  const fs::path folder = plain(rules.folder);
  Collector(rules, room, files).add_text(folder / name, text, folder);
}

}  // namespace benchctl
