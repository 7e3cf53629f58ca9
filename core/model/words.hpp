// Words of users and words for them: lists of names, patterns, the nearest of several, what a compiler's
// option may hold, and what a terminal may be shown.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace benchctl {

/// Names in the order in which they came.
using Names = std::vector<std::string>;

[[nodiscard]] inline bool contains(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Appends a name that is not there yet.
inline void add_once(Names& names, const std::string& name) {
  if (!contains(names, name)) names.push_back(name);
}

/// What tells namesakes apart: of the facts of each (as many for all, the same in the same place) those in
/// which they differ, as few of the first ones as will do. Empty lists if they do not differ.
[[nodiscard]] std::vector<Names> differing(std::span<const Names> facts);

/// The first of a range whose `name`, a member or a function of an element, is that; null without one.
template <class Range, class Wanted, class Name>
[[nodiscard]] auto find_by(Range&& range, const Wanted& wanted, Name name)
    -> decltype(&*std::ranges::begin(range)) {
  const auto found = std::ranges::find(range, wanted, name);
  return found == std::ranges::end(range) ? nullptr : &*found;
}

/// Those of all in a range; `name` is a member or a function of an element.
template <class Range, class Name>
[[nodiscard]] Names names_of(const Range& range, Name name) {
  Names names;
  for (const auto& one : range) names.emplace_back(std::invoke(name, one));
  return names;
}

/// What the whole text is, if that is a number.
template <class Number>
[[nodiscard]] std::optional<Number> number_from(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

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

/// Does the whole text match? `*` stands for any number of bytes, `?` for exactly one; everything else
/// for itself. Linear in practice, never worse than pattern × text.
[[nodiscard]] bool glob_match(std::string_view pattern, std::string_view text);
/// Does it match one of the patterns?
[[nodiscard]] bool any_matches(std::span<const std::string> patterns, std::string_view text);

/// Damerau-Levenshtein distance in its optimal-string-alignment form: the least number of inserted,
/// deleted, replaced or swapped adjacent bytes, no byte being edited twice.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `name`, the first of several; nothing when even that one is too far away to
/// be a slip: more than a third of the longer word (at least 1, at most 3), or another word altogether.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view name,
                                                      std::span<const std::string> candidates);

/// A pattern (`glob_match`) that matches one of the texts, made from one that matches none: with a star
/// at both ends, or with those of its words that stand in no text replaced by the nearest that do.
[[nodiscard]] std::optional<std::string> nearest_pattern(const std::string& pattern,
                                                         std::span<const std::string> texts);

/// ` (did you mean 'tiled'?)`, or nothing.
[[nodiscard]] std::string did_you_mean(const std::optional<std::string>& nearest);

/// A text from outside (names of devices, kernels and plugins, logs, words of configs) on its way to a
/// terminal, which would obey the control characters in it: these are written out (`\x1b`, `\x0a`; those of
/// C1, too), as are line separators and marks of direction (`\u202e`), with U+FFFD for each byte that is
/// not UTF-8. Applied twice it changes nothing more.
[[nodiscard]] std::string visible(std::string_view text);

/// The same for a text of several lines: line ends and tabs stay.
[[nodiscard]] std::string visible_lines(std::string_view text);

/// The same in text of JSON or TOML, as their escapes (`\u001b`): what is read back is what it was. `kept`
/// stays.
[[nodiscard]] std::string with_escapes(std::string_view text, std::string_view kept = {});

/// `512 KiB`, `1.5 GiB`: bytes for a reason.
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

}  // namespace benchctl

/// A path in a message is written as `visible` shows it: names of files may hold line ends, too.
template <>
struct fmt::formatter<std::filesystem::path> : fmt::formatter<std::string_view> {
  auto format(const std::filesystem::path& path, fmt::format_context& context) const {
    return fmt::formatter<std::string_view>::format(benchctl::visible(path.string()), context);
  }
};
