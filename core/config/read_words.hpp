// Words of which only some are allowed. Internal to this room.
#pragma once

#include "config/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace benchctl {

/// The words of an enum.
template <class Enum>
[[nodiscard]] std::vector<std::string> spellings() {
  std::vector<std::string> names;
  for (const auto& entry : detail::Spellings<Enum>::table) names.emplace_back(entry.second);
  return names;
}

/// Words of an enum, each checked.
template <class Enum>
[[nodiscard]] std::vector<Enum> read_enums(Reporter& reporter, const Node& node, const std::string& what) {
  std::vector<Enum> values;
  const auto words = read_words(reporter, node, what);
  if (!words) return values;
  for (const Word& word : *words) {
    if (const auto value = parse_enum<Enum>(word.text)) {
      values.push_back(*value);
    } else {
      reporter.unknown_name(word.position, word.text, fmt::format("{} has '{}'", what, word.text),
                            spellings<Enum>());
    }
  }
  return values;
}

/// A list of words.
[[nodiscard]] std::vector<std::string> read_texts(Reporter& reporter, const Node& node,
                                                  const std::string& what);
/// One of `choices`; `value` stays as it is when it was reported.
void read_choice(Reporter& reporter, const Node& node, const std::string& what,
                 const std::vector<std::string>& choices, std::string& value);

}  // namespace benchctl
