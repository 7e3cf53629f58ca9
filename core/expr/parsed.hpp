// Expressions that come again for every point: those of variant tables and workloads.
#pragma once

#include "expr/expression.hpp"

#include <string>
#include <utility>
#include <vector>

namespace benchctl {

/// The parsed text, parsed once per thread and kept. For texts out of tables, of which there are few; not
/// for what users write. Throws ExpressionError.
[[nodiscard]] const Expression& parsed_expression(const std::string& text);

/// Adds to `values` what KernelSpec::derived derives from them. Throws ExpressionError.
void derive(const std::vector<std::pair<std::string, std::string>>& derived, Parameters& values);

}  // namespace benchctl
