// What elements are, and what inputs hold. Most problems are measured on uniform numbers; the other kinds
// exist to show that a kernel is right where numbers are unkind.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <benchctl/types.hpp>

#include "workloads/generator.hpp"
#include "workloads/workload.hpp"

namespace benchctl {

/// The parameter `values` of a workload. All are exact in float32 and in float64.
enum class ValueKind : std::uint8_t {
  uniform,   ///< in [-1, 1)
  wide,      ///< magnitudes from 2^-20 to 2^20, both signs: sums lose small terms, squares spread further
  huge,      ///< magnitudes near the square root of float32's largest number: squares overflow
  denormal,  ///< float32 denormals of both signs, some zeros of both signs
  special,   ///< uniform, and about one in 64 elements is an infinity or no number (element 0 never is)
  nan,       ///< uniform, and one of every 29 elements is NaN
  infinity,  ///< uniform, and one of every 29 elements is +infinity
  negative_infinity,  ///< uniform, and one of every 29 elements is -infinity
  zeros,              ///< zeros of both signs
  cancelling,         ///< each element of odd index is the one before it with the other sign
};

namespace detail {
template <>
struct Spellings<ValueKind> {
  static constexpr std::array<Spelling<ValueKind>, 10> table{
      {{ValueKind::uniform, "uniform"},
       {ValueKind::wide, "wide"},
       {ValueKind::huge, "huge"},
       {ValueKind::denormal, "denormal"},
       {ValueKind::special, "special"},
       {ValueKind::nan, "nan"},
       {ValueKind::infinity, "infinity"},
       {ValueKind::negative_infinity, "negative_infinity"},
       {ValueKind::zeros, "zeros"},
       {ValueKind::cancelling, "cancelling"}}};
};
}  // namespace detail

/// A bf16 is the upper half of a float32.
[[nodiscard]] inline float from_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

/// To the nearest bf16, ties to even; for finite numbers.
[[nodiscard]] inline std::uint16_t to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t odd = (bits >> 16U) & 1U;
  return static_cast<std::uint16_t>((bits + 0x7fffU + odd) >> 16U);
}

/// Calls `use` with the type of C++ that elements of `type` have, as std::type_identity. Throws
/// ProblemError for f16 and bf16, which have none.
template <class Use>
decltype(auto) with_element_type(DType type, const Use& use) {
  switch (type) {
    case DType::f64:
      return use(std::type_identity<double>{});
    case DType::f32:
      return use(std::type_identity<float>{});
    case DType::i32:
      return use(std::type_identity<std::int32_t>{});
    case DType::u32:
      return use(std::type_identity<std::uint32_t>{});
    case DType::u8:
      return use(std::type_identity<std::uint8_t>{});
    case DType::f16:
    case DType::bf16:
      break;
  }
  throw ProblemError("elements in half precision are not supported here");
}

/// The element at a position of a stream, as float64: the same number whether it is stored as f32 or f64
/// (uniform f64 excepted, which has more digits); rounded to the nearest for bf16.
[[nodiscard]] double draw(const RandomStream& stream, ValueKind kind, DType type, std::uint64_t index);
/// Writes elements [first, …) of a stream as `type` (f32, f64, bf16, i32, u32 or u8; integers are random
/// bits), `out` holding exactly their bytes.
void draw_bytes(const RandomStream& stream, ValueKind kind, DType type, std::uint64_t first,
                std::span<std::byte> out);
/// The same as float64.
void draw_reals(const RandomStream& stream, ValueKind kind, DType type, std::uint64_t first,
                std::span<double> out);

}  // namespace benchctl
