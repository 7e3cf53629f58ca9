#include "expr/parsed.hpp"

#include <unordered_map>

namespace benchctl {

const Expression& parsed_expression(const std::string& text) {
  thread_local std::unordered_map<std::string, Expression> kept;
  const auto found = kept.find(text);
  if (found != kept.end()) return found->second;
  return kept.emplace(text, Expression::parse(text)).first->second;
}

}  // namespace benchctl
