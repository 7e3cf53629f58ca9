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

/// One sentence with the id and the purpose of each check.
template <class Checks>
[[nodiscard]] std::string checks_doc(const Checks& checks) {
  std::string text = "Only these checks: ";
  for (const auto& check : checks) {
    text += fmt::format("{}{} ({})", text.back() == ' ' ? "" : "; ", check.id, check.doc);
  }
  return text;
}

}  // namespace benchctl::cli
