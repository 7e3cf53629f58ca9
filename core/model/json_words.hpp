// Enumerators as words of JSON, and its values as what a field can hold.
#pragma once

#include <benchctl/types.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <concepts>
#include <stdexcept>
#include <string>
#include <utility>

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

/// Throws std::invalid_argument for what is no integer, and for one that the type does not hold. (The
/// library converts both, with results that the language leaves undefined.)
template <std::integral Integer>
[[nodiscard]] Integer integer_from(const nlohmann::json& value) {
  if (value.is_number_unsigned()) {
    if (const auto number = value.get<std::uint64_t>(); std::in_range<Integer>(number)) {
      return static_cast<Integer>(number);
    }
  } else if (value.is_number_integer()) {
    if (const auto number = value.get<std::int64_t>(); std::in_range<Integer>(number)) {
      return static_cast<Integer>(number);
    }
  }
  throw std::invalid_argument("something else where an integer must be, or one that is too large");
}

/// Reads a field; integers as integer_from does.
template <class Field>
void read(const nlohmann::json& value, Field& field) {
  value.get_to(field);
}
template <std::integral Integer>
requires(!std::same_as<Integer, bool>) void read(const nlohmann::json& value, Integer& field) {
  field = integer_from<Integer>(value);
}
template <std::integral Integer, std::size_t N>
void read(const nlohmann::json& value, std::array<Integer, N>& field) {
  for (std::size_t i = 0; i < N; ++i) field[i] = integer_from<Integer>(value.at(i));
}

}  // namespace benchctl
