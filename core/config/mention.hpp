// Where an expression in a config mentions a name.
#pragma once

#include "config/diagnostic.hpp"
#include "expr/expression.hpp"

#include <string>

namespace benchctl {

/// The place of the first mention of a name, the expression's opening quote being at `quote`.
[[nodiscard]] Position mention_position(const Reporter& reporter, Position quote,
                                        const Expression& expression, const std::string& name);

}  // namespace benchctl
