#include "model/values.hpp"

#include <fmt/format.h>

namespace benchctl {

std::string to_text(const Value& value) {
  struct Visitor {
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t integer) const { return fmt::format_int(integer).str(); }
    std::string operator()(double real) const { return fmt::format("{}", real); }
    std::string operator()(const std::string& text) const { return text; }
  };
  return std::visit(Visitor{}, value);
}

std::string to_text(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) {
    if (!text.empty()) text += ' ';
    text.append(name).append(1, '=').append(to_text(value));
  }
  return text;
}

KeyText& KeyText::add(std::string_view part) {
  text_ += fmt::format_int(part.size()).c_str();
  (text_ += ':') += part;
  return *this;
}

KeyText& KeyText::add(const Parameters& parameters) {
  add(fmt::format_int(parameters.size()).c_str());
  for (const auto& [name, value] : parameters) add(name).add(to_text(value));
  return *this;
}

}  // namespace benchctl
