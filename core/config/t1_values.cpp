#include "config/t1_values.hpp"

#include "config/document.hpp"
#include "config/expressions.hpp"

#include <algorithm>
#include <optional>

namespace benchctl {

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

}  // namespace benchctl
