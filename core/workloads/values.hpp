// What elements are, and what inputs hold. Most problems are measured on uniform numbers; the other kinds
// exist to show that a kernel is right where numbers are unkind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <benchctl/half.hpp>
#include <benchctl/types.hpp>

#include "workloads/generator.hpp"
#include "workloads/workload.hpp"

namespace benchctl {

/// The parameter `values` of a workload. All are exact in float32 and in float64; f16 has ranges of its
/// own.
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

BENCHCTL_WORDS(ValueKind, uniform, wide, huge, denormal, special, nan, infinity, negative_infinity, zeros,
               cancelling)

/// Calls `use` with the type of C++ that elements of `type` have, as std::type_identity. All but the
/// integers convert to and from double.
template <class Use>
decltype(auto) with_element_type(DType type, const Use& use) {
  switch (type) {
    case DType::f32:
      break;
    case DType::f64:
      return use(std::type_identity<double>{});
    case DType::f16:
      return use(std::type_identity<Half>{});
    case DType::bf16:
      return use(std::type_identity<BFloat16>{});
    case DType::i8:
      return use(std::type_identity<std::int8_t>{});
    case DType::i16:
      return use(std::type_identity<std::int16_t>{});
    case DType::i32:
      return use(std::type_identity<std::int32_t>{});
    case DType::i64:
      return use(std::type_identity<std::int64_t>{});
    case DType::u8:
      return use(std::type_identity<std::uint8_t>{});
    case DType::u16:
      return use(std::type_identity<std::uint16_t>{});
    case DType::u32:
      return use(std::type_identity<std::uint32_t>{});
    case DType::u64:
      return use(std::type_identity<std::uint64_t>{});
  }
  return use(std::type_identity<float>{});
}

/// The same where only f32 and f64 can be; anything else counts as f32.
template <class Use>
decltype(auto) with_real_type(DType type, const Use& use) {
  return type == DType::f64 ? use(std::type_identity<double>{}) : use(std::type_identity<float>{});
}

/// The element at a position of a stream, as float64: the same number whether it is stored as f32 or f64
/// (uniform f64 excepted, which has more digits); rounded to the nearest in 16 bits. f16 has a small range:
/// its wide, huge and denormal numbers are that format's own.
[[nodiscard]] double draw(const RandomStream& stream, ValueKind kind, DType type, std::uint64_t index);
/// Writes elements [first, …) of a stream as `type` (integers are random bits), `out` holding exactly their
/// bytes.
void draw_bytes(const RandomStream& stream, ValueKind kind, DType type, std::uint64_t first,
                std::span<std::byte> out);
/// The same as float64, whole numbers of 64 bits rounded.
void draw_reals(const RandomStream& stream, ValueKind kind, DType type, std::uint64_t first,
                std::span<double> out);

/// Appends elements of `type` to what is right for a buffer: to `indices` whole numbers of 64 bits, as they
/// are stored, since a double does not hold all of them, to `reals` all others.
void append_elements(Reference& reference, const std::string& buffer, DType type,
                     std::span<const std::byte> elements);

}  // namespace benchctl
