#include "report/format.hpp"

#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

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

/// Significant digits that the range of a time leaves.
int digits_within(const Measurement& m) {
  const TimeRange range = range_of(m);
  const double width = (range.high_ns - range.low_ns) / m.median_ns;
  if (m.n_samples < 2) return 3;
  return width > 0.2 ? 2 : width > 0.01 ? 3 : 4;
}

}  // namespace

std::string format_figure(double figure, Hint hint) {
  if (std::isnan(figure)) return {};
  switch (hint) {
    case Hint::rate:
      break;
    case Hint::number:
      return format_significant(figure, 3);
    case Hint::ratio:
      return format_significant(figure, 3) + "×";
    case Hint::share:
      return format_percent(figure);
    case Hint::time:
      return format_duration(figure);
    case Hint::count:
      return format_count(static_cast<std::uint64_t>(figure));
  }
  return format_significant(figure);
}

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

std::string format_range(const Measurement& m) {
  if (m.n_samples < 2) return {};
  const TimeRange range = range_of(m);
  const int digits = digits_within(m);
  return fmt::format("{}–{}", in_unit_of(m.median_ns, range.low_ns, digits),
                     in_unit_of(m.median_ns, range.high_ns, digits));
}

std::string format_time(const Measurement& m) {
  const std::string median = format_duration(m.median_ns, std::max(3, digits_within(m)));
  const std::string range = format_range(m);
  if (range_of(m).kind != TimeRange::Kind::extremes) return fmt::format("{} ({})", median, range);
  return fmt::format("{} ({}n={})", median, range.empty() ? "" : range + ", ", m.n_samples);
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

std::string counted(std::uint64_t count, std::string_view what, std::string_view plural) {
  return fmt::format("{} {}{}", format_count(count), what, count == 1 ? "" : plural);
}

std::string format_percent(double ratio) {
  if (!std::isfinite(ratio)) return format_significant(ratio);
  const double percent = ratio * 100;
  if (percent == 0) return "0 %";
  const int decimals = std::clamp(1 - rounded_exponent(percent, 2), 0, 2);
  return fmt::format("{:.{}f} %", percent, decimals);
}

std::string first_line(std::string_view text) {
  const std::size_t end = text.find('\n');
  std::string_view first = text.substr(0, end);
  if (first.ends_with('\r')) first.remove_suffix(1);
  std::string line = visible(first);
  if (end != std::string_view::npos && text.find_first_not_of(" \t\r\n", end) != std::string_view::npos) {
    line += " …";
  }
  return line;
}

std::string gist_of(Status status, std::string_view reason) {
  if (reason.empty() && status == Status::not_run) return std::string(info(status).doc);
  if (status == Status::compile_error) {
    for (const std::string_view mark : {"error:", "error"}) {
      const std::size_t place = reason.find(mark);
      if (place == std::string_view::npos) continue;
      const std::size_t begin = reason.rfind('\n', place) + 1;  // npos + 1 is 0
      std::string_view line = reason.substr(begin, reason.find('\n', place) - begin);
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      return first_line(line);
    }
  }
  return first_line(reason);
}

}  // namespace benchctl
