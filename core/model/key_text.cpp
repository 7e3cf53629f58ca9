#include "model/key_text.hpp"

#include "model/point.hpp"

#include <fmt/format.h>

namespace benchctl {

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
