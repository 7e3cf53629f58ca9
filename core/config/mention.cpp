#include "config/mention.hpp"

namespace benchctl {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Where an expression first mentions a name, quoted words left out.
std::size_t offset_of(const std::string& expression, const std::string& name) {
  char quote = '\0';
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (is_word(c)) {
      std::size_t end = i;
      while (end < expression.size() && is_word(expression[end])) ++end;
      if (expression.substr(i, end - i) == name) return i;
      i = end - 1;
    }
  }
  return 0;
}

}  // namespace

Position mention_position(const Reporter& reporter, Position quote, const Expression& expression,
                          const std::string& name) {
  return position_in_string(reporter.source(quote.source), quote, offset_of(expression.text(), name));
}

}  // namespace benchctl
