#include "config/t1_json.hpp"

#include "config/expressions.hpp"
#include "config/import_t1.hpp"
#include "config/t1_values.hpp"
#include "expr/node.hpp"
#include "model/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace benchctl::t1 {

using nlohmann::json;

namespace {

/// An expression that is not one of ours, with the place in it.
[[noreturn]] void refuse_expression(const std::string& place, const std::string& text,
                                    const ExpressionError& error) {
  const std::string before = text.substr(0, error.offset());
  const auto characters = std::ranges::count_if(before, [](char c) { return (c & '\xc0') != '\x80'; });
  refuse(place, fmt::format("\"{}\", column {}: {}; Python beyond our own expressions is not evaluated",
                            text, characters + 1, error.what()));
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

}  // namespace

const Parameter* Space::find(const std::string& name) const {
  const auto found = std::ranges::find(parameters, name, &Parameter::name);
  return found == parameters.end() ? nullptr : &*found;
}

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

std::string expression_of(const json& value, const std::string& place, const Space& space) {
  if (value.is_number()) return to_text(scalar_of(value, place));
  std::string text = text_of(value, place);
  // A longer one is refused as it is.
  for (std::size_t i = 0; i < space.problem_size.size() && text.size() <= max_expression_length; ++i)
    replace_all(text, fmt::format("ProblemSize[{}]", i), '(' + space.problem_size[i] + ')');
  try {
    const Expression expression = Expression::parse(text);
    for (const std::string& name : expression.names()) {
      if (space.find(name) == nullptr)
        refuse(place, fmt::format("\"{}\" mentions '{}', which is not a tuning parameter", text, name));
    }
    return text;
  } catch (const ExpressionError& error) {
    refuse_expression(place, text, error);
  }
}

Value number_of(const json& value, const std::string& place, const Space& space) {
  if (value.is_number()) return scalar_of(value, place);
  std::string text = text_of(value, place);
  Parameters known;
  for (const auto& [name, values, start] : space.parameters) {
    if (values.size() == 1) known.insert_or_assign(name, values.front());
    if (text.size() > max_expression_length || !std::ranges::all_of(values, is_number)) continue;
    const auto [least, most] = std::ranges::minmax_element(values, ValueOrder());
    replace_all(text, "max(" + name + ')', to_text(*most));
    replace_all(text, "min(" + name + ')', to_text(*least));
  }
  text = expression_of(text, place, space);
  try {
    const Value number = Expression::parse(text).evaluate(known);
    if (!is_number(number)) refuse(place, fmt::format("\"{}\" is not a number", text));
    return number;
  } catch (const ExpressionError& error) {
    refuse_expression(place, text, error);
  }
}

void note_unread(std::vector<std::string>& left_out, const json& object, const std::string& place,
                 const std::vector<std::string>& read) {
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(read, key) == read.end())
      left_out.push_back(fmt::format("'{}' of {} was not imported", key, place));
  }
}

std::vector<Value> values_of(const json& given, const std::string& place, std::size_t& room) {
  std::vector<Value> values;
  if (given.is_string()) {
    const auto text = given.get<std::string>();
    try {
      values = python_list(text, room);
    } catch (const ExpressionError& error) {
      refuse_expression(place, text, error);
    }
  } else if (given.is_array()) {
    for (const json& element : given) values.push_back(scalar_of(element, place));
  } else {
    refuse(place, "is not a list");
  }
  if (values.empty()) refuse(place, "is empty");
  return values;
}

Value default_of(const json& given, const Parameter& parameter, std::size_t& room) {
  const std::string place = "Default of parameter " + parameter.name;
  if (given.is_array()) return values_of(given, place, room).front();
  const Value value = scalar_of(given, place);
  if (!given.is_string() || std::ranges::find(parameter.values, value) != parameter.values.end())
    return value;
  const auto text = given.get<std::string>();
  if (text.starts_with('[')) return values_of(given, place, room).front();
  return number_of(given, place, {});
}

}  // namespace benchctl::t1
