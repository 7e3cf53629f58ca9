// `fill` of a declared workload's buffer. Internal to this room.
#pragma once

#include "config/expressions.hpp"
#include "config/read.hpp"
#include "workloads/declared.hpp"

namespace benchctl {

/// `"uniform"`, or `{ uniform = [0, 1] }`. What is wrong is reported, and the buffer stays as it is.
void read_fill(Reporter& reporter, ExpressionReader& expressions, const Node& node, const std::string& what,
               BufferDeclaration& buffer);

}  // namespace benchctl
