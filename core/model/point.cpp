#include "model/point.hpp"

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

std::string Point::label() const {
  std::string text = workload + '/' + variant + " @ " + device;
  if (!problem.empty()) text += ' ' + to_text(problem);
  if (!layout.empty()) text += " layout=" + layout;
  if (!tunables.empty()) text += ' ' + to_text(tunables);
  const MeasureSettings usual;
  const auto add = [&](std::string_view name, auto value, auto otherwise) {
    if (value != otherwise) text.append(" ").append(name).append("=").append(to_string(value));
  };
  add("basis", measure.basis, usual.basis);
  add("cache", measure.cache, usual.cache);
  add("launch", measure.launch, usual.launch);
  return text;
}

}  // namespace benchctl
