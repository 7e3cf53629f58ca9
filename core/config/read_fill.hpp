// Reading `fill` of `[[workload.NAME.buffer]]`. Internal to this room.
#pragma once

#include "config/document.hpp"
#include "config/expressions.hpp"
#include "workloads/declared.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// More numbers in a list are refused.
inline constexpr std::size_t max_fill_numbers = 4096;

/// The fill of a kind whose numbers are not given, of elements of `type`.
[[nodiscard]] FillSpec default_fill(FillSpec::Kind kind, std::string_view type);
/// `"uniform"`, `{ uniform = [0, 1] }`. `parameters` are those that a layout may name. The file of
/// `{ file = … }` and the buffer of `{ like = … }` are left to the caller. Errors are reported.
void read_fill(Reporter& reporter, ExpressionReader& expressions, const Node& node, const std::string& what,
               const std::vector<std::string>& parameters, BufferDeclaration& buffer);

}  // namespace benchctl
