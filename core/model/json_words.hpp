// Enumerators as words of JSON.
#pragma once

#include <benchctl/types.hpp>

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string>

namespace benchctl {

/// Throws std::invalid_argument for a word that is no spelling of one.
template <class Enum>
[[nodiscard]] Enum enum_from(const nlohmann::json& value) {
  const auto parsed = parse_enum<Enum>(value.get<std::string>());
  if (!parsed) throw std::invalid_argument("unknown word '" + value.get<std::string>() + "' in a message");
  return *parsed;
}

template <class Enum>
[[nodiscard]] nlohmann::json name_of(Enum value) {
  return std::string(to_string(value));
}

}  // namespace benchctl
