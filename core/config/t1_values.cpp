#include "config/t1_values.hpp"

#include "config/import_t1.hpp"
#include "expr/expression.hpp"
#include "model/json_depth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace benchctl::t1 {

using nlohmann::json;

namespace {

bool is_identifier(const std::string& text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && is_letter(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\n") - first + 1));
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(trimmed(std::string_view(text).substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

/// Python's `range(…)`, the one function that is understood: numbers, not code.
std::vector<Value> range_of(const std::string& arguments, const std::string& place) {
  constexpr std::size_t most = 100'000;
  std::vector<std::int64_t> numbers;
  for (const std::string& part : split(arguments)) {
    try {
      const Value value = Expression::parse(part).evaluate({});
      if (!std::holds_alternative<std::int64_t>(value))
        refuse(place, fmt::format("'{}' in range() is not an integer", part));
      numbers.push_back(std::get<std::int64_t>(value));
    } catch (const ExpressionError& error) {
      refuse(place, fmt::format("'{}' in range(): {}", part, error.what()));
    }
  }
  if (numbers.empty() || numbers.size() > 3) refuse(place, "range() takes one to three numbers");
  const std::int64_t from = numbers.size() > 1 ? numbers.front() : 0;
  const std::int64_t to = numbers.at(numbers.size() > 1 ? 1 : 0);
  const std::int64_t step = numbers.size() > 2 ? numbers.back() : 1;
  if (step == 0) refuse(place, "range() with step 0");
  std::vector<Value> values;
  for (std::int64_t value = from; step > 0 ? value < to : value > to; value += step) {
    if (values.size() == most) refuse(place, fmt::format("range() of more than {} values", most));
    values.emplace_back(value);
  }
  return values;
}

}  // namespace

void refuse(const std::string& place, const std::string& why) {
  throw ImportError(fmt::format("{}: {}", place, why));
}

const json& member(const json& object, const char* key, const std::string& place) {
  if (!object.is_object()) refuse(place, "is not an object");
  const auto found = object.find(key);
  if (found == object.end()) refuse(place, fmt::format("has no '{}'", key));
  return *found;
}

std::string text_of(const json& value, const std::string& place) {
  if (!value.is_string()) refuse(place, "is not a string");
  return value.get<std::string>();
}

std::string name_of(const json& value, const std::string& place) {
  std::string name = text_of(value, place);
  if (!is_identifier(name))
    refuse(place, fmt::format("'{}' is not a name of letters, digits and '_'", name));
  return name;
}

Value scalar_of(const json& value, const std::string& place) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_unsigned() && !std::in_range<std::int64_t>(value.get<std::uint64_t>())) {
    refuse(place, fmt::format("{} is too large", value.get<std::uint64_t>()));
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  refuse(place, "is neither a number nor a word");
}

std::string expression_of(const json& value, const std::string& place,
                          const std::vector<std::string>& names) {
  if (value.is_number()) return to_text(scalar_of(value, place));
  std::string text = text_of(value, place);
  try {
    const Expression expression = Expression::parse(text);
    for (const std::string& name : expression.names()) {
      if (std::ranges::find(names, name) == names.end()) {
        refuse(place, fmt::format("\"{}\" mentions '{}', which is not a tuning parameter", text, name));
      }
    }
    return text;
  } catch (const ExpressionError& error) {
    std::string hint;
    if (text.find("//") != std::string::npos) hint = "; write floor_div(a, b) for Python's a // b";
    if (text.find("**") != std::string::npos) hint = "; there is no power operator: write a product";
    for (const char* word : {" in ", "lambda", "[", "math."}) {
      if (text.find(word) != std::string::npos) hint = "; Python is not evaluated here";
    }
    refuse(place, fmt::format("\"{}\" is not a valid expression: {}{}", text, error.what(), hint));
  }
}

std::vector<Value> values_of(const json& given, const std::string& place) {
  std::vector<Value> values;
  json list = given;
  if (given.is_string()) {
    std::string text = trimmed(given.get<std::string>());
    if (text.starts_with("list(") && text.ends_with(")")) text = trimmed(text.substr(5, text.size() - 6));
    if (text.starts_with("range(") && text.ends_with(")"))
      return range_of(text.substr(6, text.size() - 7), place);
    // Python writes words in single quotes, JSON in double ones.
    std::ranges::replace(text, '\'', '"');
    try {
      refuse_deep_json(text);
    } catch (const std::invalid_argument& error) {
      refuse(place, error.what());
    }
    list = json::parse(text, nullptr, false);
    if (!list.is_array()) {
      refuse(place,
             fmt::format("\"{}\" is neither a list of values nor range(…); Python is not evaluated here",
                         given.get<std::string>()));
    }
  }
  if (!list.is_array()) refuse(place, "is not a list");
  for (const json& element : list) values.push_back(scalar_of(element, place));
  return values;
}

std::string type_of(const std::string& name, const std::string& place) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> types{
      {{"float", "f32"}, {"double", "f64"}, {"int32", "i32"}, {"uint32", "u32"}, {"uint8", "u8"}}};
  for (const auto& [theirs, ours] : types) {
    if (theirs == name) return std::string(ours);
  }
  refuse(place,
         fmt::format("element type '{}' is not supported, only float, double, int32, uint32, uint8", name));
}

}  // namespace benchctl::t1
