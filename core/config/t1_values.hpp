// Lists of values as T1 files write them, in Python's words. What stands in them are expressions of
// core/expr.
#pragma once

#include <benchctl/types.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace benchctl {

/// The values of `[1, 2]`, `range(…)`, `list(…)`, `[2**i for i in range(4) if i != 2]` and sums of these.
/// Each value made on the way takes one from `room`. Throws ExpressionError, with the place in `text`.
[[nodiscard]] std::vector<Value> python_list(std::string_view text, std::size_t& room);

}  // namespace benchctl
