#include "config/toml_text.hpp"

#include "model/point.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

bool is_bare_key(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string toml_of(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return quoted(*text);
  std::string text = to_text(value);
  const bool real = std::holds_alternative<double>(value);
  if (real && text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

std::string toml_table(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", is_bare_key(name) ? name : quoted(name),
                        toml_of(value));
  }
  return text.empty() ? "{}" : "{ " + text + " }";
}

}  // namespace benchctl
