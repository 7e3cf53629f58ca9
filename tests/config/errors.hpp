// What a config text is refused with.
#pragma once

#include "config/config.hpp"

#include <initializer_list>
#include <string>
#include <vector>

namespace benchctl::test {

/// Lines 1 to 4 of most test configs: keys of the sweep follow from line 5 on.
inline const std::string sweep_head = "[experiment]\nname = \"x\"\n[[sweep]]\nworkload = \"w\"\n";

inline std::vector<Diagnostic> errors_of(const std::string& text) {
  try {
    static_cast<void>(parse_config(text, "x.toml"));
  } catch (const ConfigErrors& errors) {
    return errors.diagnostics();
  }
  return {};
}

/// All findings of what `read` reads, as text; empty if there is none.
template <class Read>
std::string refusal(const Read& read) {
  try {
    static_cast<void>(read());
  } catch (const ConfigErrors& errors) {
    return errors.what();
  }
  return {};
}

inline std::vector<Value> integers(std::initializer_list<std::int64_t> numbers) {
  return {numbers.begin(), numbers.end()};
}

/// The first line of every finding, `line:column: error: …`.
inline std::vector<std::string> first_lines(const std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : diagnostics) {
    const std::string text = to_text(diagnostic);
    const std::string line = text.substr(0, text.find('\n'));
    lines.push_back(line.substr(diagnostic.file.size() + 1));
  }
  return lines;
}

inline std::vector<std::string> error_lines(const std::string& text) {
  return first_lines(errors_of(text));
}

/// The same for keys of the one sweep, from line 5 on.
inline std::vector<std::string> sweep_errors(const std::string& keys) {
  return error_lines(sweep_head + keys);
}

using Lines = std::vector<std::string>;

}  // namespace benchctl::test
