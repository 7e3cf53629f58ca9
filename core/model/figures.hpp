// Figures as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace benchctl {

/// A number with that many significant digits, never in exponent form: `0.1234`, `52.10`, `12346` (whole
/// digits are never cut). `–` for NaN.
[[nodiscard]] std::string format_significant(double number, int digits = 4);

/// Nanoseconds with so many significant digits in the largest unit of ns, µs, ms, s that leaves at least 1:
/// `812.3 ns`, `1.000 µs`, `90.00 s`.
[[nodiscard]] std::string format_duration(double ns, int digits = 4);

/// A number of nanoseconds in the unit that `format_duration(of)` has, without the unit: `0.812` of 12.3
/// µs.
[[nodiscard]] std::string in_unit_of(double of, double ns, int digits);

/// `100,000`.
[[nodiscard]] std::string format_count(std::uint64_t count);

/// A ratio as a percentage with two significant digits and at most two decimals: `0.83 %`, `12 %`.
[[nodiscard]] std::string format_percent(double ratio);

}  // namespace benchctl
