// What the help of a command says of a table of checks: `selftest`, `plugin check`.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

namespace benchctl::cli {

/// The ids of the checks, which are values of an option.
template <class Checks>
[[nodiscard]] std::vector<std::string> check_names(const Checks& checks) {
  std::vector<std::string> names;
  for (const auto& check : checks) names.emplace_back(check.id);
  return names;
}

/// The names of the checks, as the text of an option.
template <class Checks>
[[nodiscard]] std::string checks_doc(const Checks& checks) {
  return fmt::format("Only these checks: {}", fmt::join(check_names(checks), ", "));
}

}  // namespace benchctl::cli
