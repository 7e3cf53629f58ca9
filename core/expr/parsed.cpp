#include "expr/parsed.hpp"

#include <unordered_map>

namespace benchctl {

const Expression& parsed_expression(const std::string& text) {
  thread_local std::unordered_map<std::string, Expression> kept;
  const auto found = kept.find(text);
  if (found != kept.end()) return found->second;
  return kept.emplace(text, Expression::parse(text)).first->second;
}

void derive(const std::vector<std::pair<std::string, std::string>>& derived, Parameters& values) {
  for (const auto& [name, text] : derived) {
    try {
      values.insert_or_assign(name, parsed_expression(text).evaluate(values));
    } catch (const ExpressionError& error) {
      throw ExpressionError("derived value " + name + " = \"" + text + "\": " + error.what(),
                            error.offset(), error.length());
    }
  }
}

}  // namespace benchctl
