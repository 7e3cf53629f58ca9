#include "config/t1_values.hpp"

#include "config/document.hpp"
#include "config/expressions.hpp"
#include "config/import_t1.hpp"
#include "expr/node.hpp"
#include "model/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace benchctl::t1 {

namespace {

/// A part of the text, without spaces at its ends.
struct Part {
  std::size_t begin;
  std::size_t end;
};

class ListReader {
 public:
  ListReader(std::string_view text, std::size_t& room) : text_(text), room_(room) {}

  std::vector<Value> whole() { return sum(trimmed({0, text_.size()})); }

 private:
  [[noreturn]] static void fail(Part part, const std::string& message) {
    throw ExpressionError(message, part.begin, part.end - part.begin);
  }

  [[nodiscard]] std::string_view text(Part part) const {
    return text_.substr(part.begin, part.end - part.begin);
  }

  [[nodiscard]] Part trimmed(Part part) const {
    const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    while (part.begin < part.end && is_space(text_[part.begin])) ++part.begin;
    while (part.begin < part.end && is_space(text_[part.end - 1])) --part.end;
    return part;
  }

  /// The first place of a symbol or a whole word outside quotes and brackets, or the part's end.
  [[nodiscard]] std::size_t find(Part part, std::string_view what) const {
    const auto is_word = [&](std::size_t i) { return is_identifier("_" + std::string(1, text_[i])); };
    int depth = 0;
    char quote = '\0';
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const char c = text_[i];
      if (quote != '\0') {
        if (c == quote) quote = '\0';
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '(' || c == '[') {
        ++depth;
      } else if (c == ')' || c == ']') {
        --depth;
      } else if (depth == 0 && c == what.front() && text({i, part.end}).starts_with(what)) {
        const std::size_t end = i + what.size();
        const bool joined =
            what.size() > 1 && ((i > part.begin && is_word(i - 1)) || (end < part.end && is_word(end)));
        if (!joined) return i;
      }
    }
    return part.end;
  }

  [[nodiscard]] std::vector<Part> split(Part part, std::string_view separator) const {
    std::vector<Part> parts;
    while (true) {
      const std::size_t end = find(part, separator);
      parts.push_back(trimmed({part.begin, end}));
      if (end == part.end) return parts;
      part.begin = end + separator.size();
    }
  }

  /// What stands between, if the part begins and ends so.
  [[nodiscard]] std::optional<Part> between(Part part, std::string_view open, char close) const {
    const std::string_view all = text(part);
    if (all.size() <= open.size() || !all.starts_with(open) || all.back() != close) return std::nullopt;
    return trimmed({part.begin + open.size(), part.end - 1});
  }

  void add(std::vector<Value>& values, Value value, Part part) {
    if (room_ == 0) fail(part, "the lists of this file have too many values");
    --room_;
    values.push_back(std::move(value));
  }

  /// What `use` gives, errors being placed in the whole text.
  template <class Use>
  auto placed(Part part, Use use) const {
    try {
      return use();
    } catch (const ExpressionError& error) {
      throw ExpressionError(error.what(), part.begin + error.offset(), error.length());
    }
  }
  [[nodiscard]] Expression parsed(Part part) const {
    return placed(part, [&] { return Expression::parse(text(part)); });
  }
  [[nodiscard]] Value value(Part part) const {
    const Expression expression = parsed(part);
    return placed(part, [&] { return expression.evaluate(names_); });
  }

  std::vector<Value> sum(Part part) {
    if (++depth_ > max_nesting) fail(part, "lists are nested too deeply");
    std::vector<Value> values;
    for (const Part one : split(part, "+")) {
      std::vector<Value> more = list(one);
      values.insert(values.end(), std::make_move_iterator(more.begin()),
                    std::make_move_iterator(more.end()));
    }
    --depth_;
    return values;
  }

  std::vector<Value> list(Part part) {
    if (const auto inner = between(part, "list(", ')')) return sum(*inner);
    if (const auto inner = between(part, "range(", ')')) return range(*inner);
    const auto inner = between(part, "[", ']');
    if (!inner) fail(part, "expected a list of values, range(…) or [… for … in …]");
    const std::size_t word = find(*inner, "for");
    return word == inner->end ? elements(*inner) : comprehension(*inner, word);
  }

  std::vector<Value> elements(Part part) {
    std::vector<Value> values;
    std::vector<Part> parts = split(part, ",");
    if (parts.back().begin == parts.back().end) parts.pop_back();  // an empty list, or a comma at its end
    for (const Part one : parts) add(values, value(one), one);
    return values;
  }

  std::vector<Value> range(Part part) {
    std::vector<std::int64_t> numbers;
    for (const Part one : split(part, ",")) {
      const Value number = value(one);
      if (!std::holds_alternative<std::int64_t>(number)) fail(one, "range() takes integers");
      numbers.push_back(std::get<std::int64_t>(number));
    }
    if (numbers.size() > 3) fail(part, "range() takes one to three numbers");
    const std::int64_t from = numbers.size() > 1 ? numbers.front() : 0;
    const std::int64_t to = numbers.at(numbers.size() > 1 ? 1 : 0);
    const std::int64_t step = numbers.size() > 2 ? numbers.back() : 1;
    if (step == 0) fail(part, "range() with step 0");
    std::vector<Value> values;
    for (std::int64_t number = from; step > 0 ? number < to : number > to; number += step) {
      add(values, number, part);
    }
    return values;
  }

  /// EXPRESSION for NAME in LIST, and maybe if CONDITION.
  std::vector<Value> comprehension(Part part, std::size_t word) {
    const Part rest{word + 3, part.end};
    const std::size_t in = find(rest, "in");
    if (in == rest.end) fail(rest, "expected 'for NAME in LIST'");
    const Part name = trimmed({rest.begin, in});
    if (!is_identifier(text(name))) fail(name, "expected one name between 'for' and 'in'");
    const std::size_t question = find({in + 2, part.end}, "if");
    const std::vector<Value> source = sum(trimmed({in + 2, question}));
    const Part result = trimmed({part.begin, word});
    const Expression expression = parsed(result);
    std::optional<Expression> condition;
    const Part when = trimmed({std::min(question + 2, part.end), part.end});
    if (question != part.end) condition = parsed(when);
    Parameters names = names_;
    std::vector<Value> values;
    for (const Value& one : source) {
      names.insert_or_assign(std::string(text(name)), one);
      if (condition && !placed(when, [&] { return condition->holds(names); })) continue;
      add(values, placed(result, [&] { return expression.evaluate(names); }), result);
    }
    return values;
  }

  std::string_view text_;
  std::size_t& room_;
  std::size_t depth_ = 0;
  const Parameters names_{{"True", true}, {"False", false}};
};

}  // namespace

std::vector<Value> python_list(std::string_view text, std::size_t& room) {
  return ListReader(text, room).whole();
}

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
