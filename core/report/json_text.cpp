#include "report/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <cmath>

namespace benchctl {

std::string quoted_json(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

JsonText& JsonText::open(char bracket) {
  if (comma_) text_ += ',';
  text_ += bracket;
  comma_ = false;
  return *this;
}

JsonText& JsonText::close(char bracket) {
  text_ += bracket;
  comma_ = true;
  return *this;
}

JsonText& JsonText::raw(std::string_view json) {
  if (comma_) text_ += ',';
  text_ += json;
  comma_ = true;
  return *this;
}

JsonText& JsonText::key(std::string_view name) {
  raw(quoted_json(name));
  text_ += ':';
  comma_ = false;
  return *this;
}

JsonText& JsonText::value(std::string_view text) { return raw(quoted_json(text)); }

JsonText& JsonText::value(double number) {
  return std::isfinite(number) ? raw(fmt::format("{}", number)) : null();
}

JsonText& JsonText::rounded(double number, int digits) {
  if (!std::isfinite(number)) return null();
  if (comma_) text_ += ',';
  std::array<char, 64> figures{};
  auto end = std::to_chars(figures.begin(), figures.end(), number, std::chars_format::general, digits);
  std::from_chars(figures.begin(), end.ptr, number);
  end = std::to_chars(figures.begin(), figures.end(), number);  // 100800 is shorter than 1.008e+05
  text_.append(figures.data(), end.ptr);
  comma_ = true;
  return *this;
}

}  // namespace benchctl
