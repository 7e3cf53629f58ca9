#include "source_text.hpp"

#include <benchctl/failure.hpp>
#include <benchctl/includes.hpp>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

namespace benchctl::gpu {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_depth = 64;

std::optional<std::string> read_text(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string line_directive(std::size_t line, const fs::path& file) {
  std::string quoted;
  for (const char c : file.string()) {
    if (c == '"' || c == '\\') quoted += '\\';
    // A newline would end the directive. The name is for messages alone.
    quoted += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '?' : c;
  }
  return "#line " + std::to_string(line) + " \"" + quoted + "\"\n";
}

/// Takes the word that starts `text` (after blanks) off it, if it is `word`.
bool take(std::string_view& text, std::string_view word) {
  const std::size_t start = std::min(text.find_first_not_of(" \t"), text.size());
  if (!text.substr(start).starts_with(word)) return false;
  text.remove_prefix(start + word.size());
  return true;
}

bool is_pragma_once(std::string_view line) {
  return take(line, "#") && take(line, "pragma") && take(line, "once");
}

/// Follows /* … */ from line to line, so that an include that is commented out stays so.
class CommentState {
 public:
  [[nodiscard]] bool inside() const { return inside_; }
  void read(std::string_view line) {
    bool in_string = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string_view two = line.substr(i, 2);
      if (inside_) {
        if (two == "*/") inside_ = false, ++i;
      } else if (in_string) {
        if (line[i] == '\\') {
          ++i;
        } else if (line[i] == '"') {
          in_string = false;
        }
      } else if (two == "//") {
        return;
      } else if (two == "/*") {
        inside_ = true;
        ++i;
      } else if (line[i] == '"') {
        in_string = true;
      }
    }
  }

 private:
  bool inside_ = false;
};

class Inliner {
 public:
  void append(const fs::path& file, const std::string& text) {
    if (open_.size() >= max_depth) {
      throw Failure(FailureKind::compile_error, file.string() + ": #include is nested more than " +
                                                    std::to_string(max_depth) + " deep");
    }
    open_.push_back(file);
    out_ += line_directive(1, file);
    CommentState comment;
    std::istringstream lines(text);
    bool guarded = false;
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      // A byte-order mark is one at the beginning of a file alone.
      if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
      const bool code = !comment.inside();
      comment.read(line);
      if (!code) {
        // The check of the whole text cannot tell that a directive stands in a comment.
        out_ += included_names(line).empty() ? line : line.substr(std::min(line.find("*/"), line.size()));
        out_ += '\n';
      } else if (is_pragma_once(line)) {
        out_ += guard(file);
        out_ += line_directive(number + 1, file);
        guarded = true;
      } else if (!append_include(file, line, number)) {
        out_ += line;
        out_ += '\n';
      }
    }
    if (guarded) out_ += "#endif\n";
    open_.pop_back();
  }

  std::string take_text() { return std::move(out_); }
  void append_text(const std::string& text) { out_ += text; }

 private:
  bool append_include(const fs::path& file, const std::string& line, std::size_t number) {
    const std::vector<std::string> included = included_names(line);
    if (included.empty()) return false;
    const std::string& what = included.front();
    const std::string name = file_name(what).value_or("");
    for (const fs::path& folder : {file.parent_path(), open_.front().parent_path()}) {
      const fs::path header = (folder / name).lexically_normal();
      const auto text = read_text(header);
      if (!text) continue;
      // A header that is open already would only meet its own guard.
      if (std::ranges::find(open_, header) == open_.end()) append(header, *text);
      out_ += line_directive(number + 1, file);
      return true;
    }
    // The compiler might find it elsewhere, in its working directory for example, and no key would tell.
    out_ += "#error cannot be resolved: " + what + "; put it beside the kernel\n";
    return true;
  }

  std::string guard(const fs::path& file) {
    auto found = std::ranges::find(once_, file);
    if (found == once_.end()) found = once_.insert(once_.end(), file);
    const std::string macro = "BENCHCTL_ONCE_" + std::to_string(found - once_.begin());
    return "#ifndef " + macro + "\n#define " + macro + "\n";
  }

  std::string out_;
  std::vector<fs::path> open_;
  std::vector<fs::path> once_;
};

}  // namespace

std::string read_source(const fs::path& file, const Defines& defines) {
  const auto text = read_text(file);
  if (!text) {
    throw Failure(FailureKind::compile_error, "cannot read the kernel source " + file.string());
  }
  Inliner inliner;
  for (const auto& [name, value] : defines) inliner.append_text("#define " + name + " " + value + "\n");
  inliner.append(file.lexically_normal(), *text);
  std::string whole = inliner.take_text();
  std::vector<std::string> left = included_names(whole, 0);
  if (whole.find("__has_include") != std::string::npos) left.emplace_back("__has_include");
  if (!left.empty()) {
    throw Failure(FailureKind::compile_error,
                  file.string() + ": cannot be resolved: " + left.front() +
                      "; put it beside the kernel, with its whole #include on a line of its own");
  }
  return whole;
}

}  // namespace benchctl::gpu
