// Declarations of workloads as JSON text.
#pragma once

#include <string>
#include <string_view>

#include "workloads/declared.hpp"

namespace benchctl {

[[nodiscard]] std::string to_json_text(const WorkloadDeclaration& declaration);
/// Throws std::invalid_argument.
[[nodiscard]] WorkloadDeclaration workload_declaration_from_json_text(std::string_view text);

}  // namespace benchctl
