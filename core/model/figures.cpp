#include "model/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace benchctl {

namespace {

/// Decimal exponent of a number after rounding to that many significant digits: 9.9996 has 1 with four.
int rounded_exponent(double number, int digits) {
  const std::string text = fmt::format("{:.{}e}", number, digits - 1);
  return std::atoi(text.c_str() + text.find('e') + 1);
}

struct Unit {
  double ns;
  std::string_view name;
};
constexpr std::array<Unit, 4> units{{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}};

/// The largest unit that leaves at least 1.
const Unit& unit_of(double ns, int digits) {
  if (ns == 0 || !std::isfinite(ns)) return units.back();
  const auto* unit = std::ranges::find_if(
      units, [&](const Unit& each) { return rounded_exponent(ns / each.ns, digits) >= 0; });
  return unit != units.end() ? *unit : units.back();
}

}  // namespace

std::string format_significant(double number, int digits) {
  if (std::isnan(number)) return "–";
  if (number == 0) return "0";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  const int decimals = std::max(0, digits - 1 - rounded_exponent(number, digits));
  return fmt::format("{:.{}f}", number, decimals);
}

std::string format_duration(double ns, int digits) {
  if (std::isnan(ns)) return format_significant(ns);
  const Unit& unit = unit_of(ns, digits);
  return fmt::format("{} {}", format_significant(ns / unit.ns, digits), unit.name);
}

std::string in_unit_of(double of, double ns, int digits) {
  return format_significant(ns / unit_of(of, digits).ns, digits);
}

std::string format_count(std::uint64_t count) {
  const std::string digits = fmt::format("{}", count);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string format_percent(double ratio) {
  if (!std::isfinite(ratio)) return format_significant(ratio);
  const double percent = ratio * 100;
  if (percent == 0) return "0 %";
  const int decimals = std::clamp(1 - rounded_exponent(percent, 2), 0, 2);
  return fmt::format("{:.{}f} %", percent, decimals);
}

}  // namespace benchctl
