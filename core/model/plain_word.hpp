// Words that may become part of a compiler's options.
#pragma once

#include <algorithm>
#include <string_view>

namespace benchctl {

/// Letters, digits, `_`, `.`, `+` and `-`, but no `-` in front: such a word cannot carry another option.
[[nodiscard]] inline bool is_plain_word(std::string_view text) {
  return !text.starts_with('-') && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '+' || c == '-';
  });
}

inline constexpr std::string_view plain_word_rule =
    "a word of letters, digits, '_', '.', '+' and '-' that does not begin with '-', since it becomes a "
    "definition for a compiler";

}  // namespace benchctl
