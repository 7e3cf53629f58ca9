// Texts that keep to the columns of a terminal: lines end between words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// Columns that a line of UTF-8 takes: one for each code point (what reports write, µ, ± and ×, takes one
/// each), none for escape sequences that set colours.
[[nodiscard]] std::size_t columns_of(std::string_view line);

/// The columns of the longest of a line's words.
[[nodiscard]] std::size_t longest_word(std::string_view line);

/// A line in pieces that end at spaces: the first of at most `first` columns, the others of at most
/// `width`. A longer word stays whole. No piece for an empty line.
[[nodiscard]] std::vector<std::string> pieces_within(std::string_view line, std::size_t first,
                                                     std::size_t width);

/// A text whose lines have at most `width` columns; 0: as it is. What goes on in another line is indented
/// by `indent` columns, or by two more than its line.
[[nodiscard]] std::string fit_lines(std::string_view text, std::size_t width,
                                    std::optional<std::size_t> indent = std::nullopt);

/// The beginning of a line, of at most so many columns, in whole code points.
[[nodiscard]] std::string_view first_columns(std::string_view line, std::size_t columns);

}  // namespace benchctl
