// Value types shared by the host program and every plugin: element types, parameter values, device
// types. Header-only, so that a plugin links against nothing of ours.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

/// What host program and plugins share.
namespace benchctl {

/// Element type of a buffer or scalar. The spelling in TOML, JSON and on the command line is the
/// enumerator's name.
enum class DType : std::uint8_t { f32, f64, f16, bf16, i8, i16, i32, i64, u8, u16, u32, u64 };

/// The kind of a device. `simulator` is an emulated device (Oclgrind): it is used only if it is named,
/// and its times mean nothing.
enum class DeviceType : std::uint8_t { cpu, gpu, accelerator, simulator };

namespace detail {

/// One spelling of one enumerator. Every enum of the SDK that reaches a file or a user has a table.
template <class Enum>
using Spelling = std::pair<Enum, std::string_view>;

template <class Enum>
struct Spellings;

/// The table of these values, whose words stand in `words` in their order, separated by ", ".
template <class Enum, std::size_t Count>
[[nodiscard]] constexpr std::array<Spelling<Enum>, Count> spelled(const std::array<Enum, Count>& values,
                                                                  std::string_view words) {
  std::array<Spelling<Enum>, Count> table{};
  for (std::size_t i = 0; i < Count; ++i) {
    const std::size_t end = words.find(',');
    table[i] = {values[i], words.substr(0, end)};
    words = end == std::string_view::npos ? std::string_view() : words.substr(end + 2);
  }
  return table;
}

}  // namespace detail

/// Spells each of these enumerators, which are all that the enum has, by its name. To be written in
/// namespace benchctl or outside of all namespaces.
#define BENCHCTL_WORDS(Enum, ...)                                                 \
  template <>                                                                     \
  struct benchctl::detail::Spellings<Enum> {                                      \
    using enum Enum;                                                              \
    static constexpr auto table = spelled(std::array{__VA_ARGS__}, #__VA_ARGS__); \
  };

BENCHCTL_WORDS(DType, f32, f64, f16, bf16, i8, i16, i32, i64, u8, u16, u32, u64)
BENCHCTL_WORDS(DeviceType, cpu, gpu, accelerator, simulator)

/// The spelling of an SDK enumerator, e.g. `to_string(DType::f32) == "f32"`; "?" for a value outside
/// the enum.
template <class Enum>
requires std::is_enum_v<Enum>
[[nodiscard]] constexpr std::string_view to_string(Enum value) {
  for (const auto& [candidate, name] : detail::Spellings<Enum>::table) {
    if (candidate == value) return name;
  }
  return "?";
}

/// The enumerator spelled `name`, or nothing. Exact match, lower case.
template <class Enum>
requires std::is_enum_v<Enum>
[[nodiscard]] constexpr std::optional<Enum> parse_enum(std::string_view name) {
  for (const auto& [candidate, spelling] : detail::Spellings<Enum>::table) {
    if (spelling == name) return candidate;
  }
  return std::nullopt;
}

/// Size of one element in bytes.
[[nodiscard]] constexpr std::size_t size_of(DType type) {
  switch (type) {
    case DType::f64:
    case DType::i64:
    case DType::u64:
      return 8;
    case DType::f32:
    case DType::i32:
    case DType::u32:
      return 4;
    case DType::f16:
    case DType::bf16:
    case DType::i16:
    case DType::u16:
      return 2;
    case DType::i8:
    case DType::u8:
      return 1;
  }
  return 0;
}

/// Whether its elements are whole numbers: `i8` to `i64`, `u8` to `u64`.
[[nodiscard]] constexpr bool is_whole(DType type) { return type >= DType::i8 && type <= DType::u64; }

/// Whether a type of whole numbers holds `value`; false for other types.
[[nodiscard]] constexpr bool holds(DType type, std::int64_t value) {
  const std::size_t bits = 8 * size_of(type);
  if (!is_whole(type)) return false;
  if (type >= DType::u8) return value >= 0 && (bits == 64 || value >> bits == 0);
  return value >> (bits - 1) == 0 || value >> (bits - 1) == -1;
}

/// A parameter's value. Integers and reals are kept apart: `n = 512` is an integer everywhere.
using Value = std::variant<bool, std::int64_t, double, std::string>;

/// Named values in name order, so that equal sets have equal serialisations.
using Parameters = std::map<std::string, Value, std::less<>>;

}  // namespace benchctl
