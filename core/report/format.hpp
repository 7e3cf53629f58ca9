// Numbers as people read them, and lines of text on a terminal.
#pragma once

#include "model/figures.hpp"
#include "model/measure.hpp"
#include "model/status.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// What a figure is. It decides how people read it; no writer looks at a metric's name.
enum class Hint : std::uint8_t {
  rate,    ///< four significant digits: `524.3`
  number,  ///< three: `4.00`
  ratio,   ///< `1.25×`
  share,   ///< `12 %`
  time     ///< nanoseconds: `12.30 µs`
};

/// A figure as its hint says; empty for NaN.
[[nodiscard]] std::string format_figure(double figure, Hint hint);

/// What a time is shown with, in the unit of the median: `91–131`. Empty for one sample.
[[nodiscard]] std::string format_range(const Measurement& measurement);

/// The median and its range, with the digits that the range leaves: `99.8 ms (91–131)`, of fewer than six
/// samples `99.8 ms (91–131, n=3)`.
[[nodiscard]] std::string format_time(const Measurement& measurement);

/// `1 point`, `3,000 points`.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view what,
                                  std::string_view plural = "s");

/// At most so many names, with the others counted: `4, 16 and 3 more`.
[[nodiscard]] std::string few_of(const std::vector<std::string>& names, std::size_t most,
                                 std::string_view separator = ", ");

/// The first line of a text, with control characters made visible and `…` at its end if there is more.
[[nodiscard]] std::string first_line(std::string_view text);

/// The line of a reason that says most: of a compiler's log the first with an error, else the first of all;
/// what the status means if a point that was not measured has none.
[[nodiscard]] std::string gist_of(Status status, std::string_view reason);

// Texts that keep to the columns of a terminal: lines end between words.

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
