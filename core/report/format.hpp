// Numbers as people read them.
#pragma once

#include "model/measure.hpp"
#include "model/status.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace benchctl {

/// What a figure is. It decides how people read it; no writer looks at a metric's name.
enum class Hint : std::uint8_t {
  rate,    ///< four significant digits: `524.3`
  number,  ///< three: `4.00`
  ratio,   ///< `1.25×`
  share,   ///< `12 %`
  time,    ///< nanoseconds: `12.30 µs`
  count    ///< `100,000`
};

/// A figure as its hint says; empty for NaN.
[[nodiscard]] std::string format_figure(double figure, Hint hint);

/// A number with that many significant digits, never in exponent form: `0.1234`, `52.10`, `12346` (whole
/// digits are never cut). `–` for NaN.
[[nodiscard]] std::string format_significant(double number, int digits = 4);

/// Nanoseconds with so many significant digits in the largest unit of ns, µs, ms, s that leaves at least 1:
/// `812.3 ns`, `1.000 µs`, `90.00 s`.
[[nodiscard]] std::string format_duration(double ns, int digits = 4);

/// A number of nanoseconds in the unit that `format_duration(of)` has, without the unit: `0.812` of 12.3
/// µs.
[[nodiscard]] std::string in_unit_of(double of, double ns, int digits);

/// What a time is shown with, in the unit of the median: `91–131`. Empty for one sample.
[[nodiscard]] std::string format_range(const Measurement& measurement);

/// The median and its range, with the digits that the range leaves: `99.8 ms (91–131)`, of fewer than six
/// samples `99.8 ms (91–131, n=3)`.
[[nodiscard]] std::string format_time(const Measurement& measurement);

/// `100,000`.
[[nodiscard]] std::string format_count(std::uint64_t count);

/// `1 point`, `3,000 points`.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view what,
                                  std::string_view plural = "s");

/// A ratio as a percentage with two significant digits and at most two decimals: `0.83 %`, `12 %`.
[[nodiscard]] std::string format_percent(double ratio);

/// The first line of a text, with control characters made visible and `…` at its end if there is more.
[[nodiscard]] std::string first_line(std::string_view text);

/// The line of a reason that says most: of a compiler's log the first with an error, else the first of all; what the status
/// means if a point that was not measured has none.
[[nodiscard]] std::string gist_of(Status status, std::string_view reason);

}  // namespace benchctl
