#include "workloads/values.hpp"

#include <cmath>
#include <limits>

namespace benchctl {

namespace {

/// Draws what is beside the plain number comes from bits that the number does not use.
double special_or(std::uint64_t bits, std::uint64_t index, double number) {
  if (index == 0 || (bits & 63) != 0) return number;
  switch ((bits >> 6) & 3) {
    case 0:
      return std::numeric_limits<double>::infinity();
    case 1:
      return -std::numeric_limits<double>::infinity();
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

/// One of every so many elements is not like the others.
constexpr std::uint64_t odd_one_out = 29;

double odd_or(const RandomStream& stream, std::uint64_t index, double odd, double number) {
  const std::uint64_t place = stream.bits(~std::uint64_t{0}) % odd_one_out;
  return index % odd_one_out == place ? odd : number;
}

/// A whole number's bits are the highest of those that were drawn.
template <class Whole>
Whole whole_of(std::uint64_t bits) {
  return static_cast<Whole>(bits >> (64 - 8 * sizeof(Whole)));
}

/// Where numbers that are not uniform lie: powers of two.
struct Ranges {
  int wide_exponents;  ///< as many below 1 as above
  int huge_exponent;   ///< the lowest
  std::uint64_t huge_exponents;
  std::uint64_t denormals;  ///< multiples of the smallest number below the normal ones
  double smallest;
};
constexpr Ranges ranges_of_f32{40, 66, 4, 4096, 0x1p-149};
constexpr Ranges ranges_of_f16{20, 7, 2, 1024, 0x1p-24};

/// Before it is rounded.
double draw_real(const RandomStream& stream, ValueKind kind, DType type, std::uint64_t index) {
  const std::uint64_t bits = stream.bits(index);
  const double uniform = type == DType::f64 && kind == ValueKind::uniform
                             ? stream.f64(index)
                             : static_cast<double>(stream.f32(index));
  const Ranges& ranges = type == DType::f16 ? ranges_of_f16 : ranges_of_f32;
  // A mantissa in ±[1, 2).
  const auto scaled = [&](std::uint64_t exponent, int lowest) {
    return std::ldexp(std::copysign(1 + std::abs(uniform), uniform), lowest + static_cast<int>(exponent));
  };
  switch (kind) {
    case ValueKind::uniform:
      return uniform;
    case ValueKind::wide:
      return scaled(bits % static_cast<std::uint64_t>(ranges.wide_exponents), -ranges.wide_exponents / 2);
    case ValueKind::huge:
      return scaled(bits % ranges.huge_exponents, ranges.huge_exponent);
    case ValueKind::denormal:
      return std::copysign(static_cast<double>(bits % ranges.denormals) * ranges.smallest, uniform);
    case ValueKind::special:
      return special_or(bits, index, uniform);
    case ValueKind::nan:
      return odd_or(stream, index, std::numeric_limits<double>::quiet_NaN(), uniform);
    case ValueKind::infinity:
      return odd_or(stream, index, std::numeric_limits<double>::infinity(), uniform);
    case ValueKind::negative_infinity:
      return odd_or(stream, index, -std::numeric_limits<double>::infinity(), uniform);
    case ValueKind::zeros:
      return std::copysign(0.0, uniform);
    case ValueKind::cancelling:
      return index % 2 == 0 ? uniform : -static_cast<double>(stream.f32(index - 1));
  }
  return uniform;
}

}  // namespace

double draw(const RandomStream& stream, ValueKind kind, DType type, std::uint64_t index) {
  if (type == DType::f32 || type == DType::f64) return draw_real(stream, kind, type, index);
  return with_element_type(type, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<double>(whole_of<T>(stream.bits(index)));
    } else {
      return static_cast<double>(static_cast<T>(draw_real(stream, kind, type, index)));
    }
  });
}

void draw_bytes(const RandomStream& stream, ValueKind kind, DType type, std::uint64_t first,
                std::span<std::byte> out) {
  with_element_type(type, [&]<class T>(std::type_identity<T>) {
    const std::span elements(reinterpret_cast<T*>(out.data()), out.size() / sizeof(T));
    if constexpr (std::is_floating_point_v<T>) {
      if (kind == ValueKind::uniform) return fill_uniform(stream, first, elements);
    }
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if constexpr (std::is_integral_v<T>) {
        elements[i] = whole_of<T>(stream.bits(first + i));
      } else {
        elements[i] = static_cast<T>(draw_real(stream, kind, type, first + i));
      }
    }
  });
}

void draw_reals(const RandomStream& stream, ValueKind kind, DType type, std::uint64_t first,
                std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = draw(stream, kind, type, first + i);
}

void append_elements(Reference& reference, const std::string& buffer, DType type,
                     std::span<const std::byte> elements) {
  with_element_type(type, [&]<class T>(std::type_identity<T>) {
    const std::span values(reinterpret_cast<const T*>(elements.data()), elements.size() / sizeof(T));
    const auto append = [&]<class Kept>(std::vector<Kept>& kept) {
      for (const T value : values) kept.push_back(static_cast<Kept>(value));
    };
    if constexpr (std::is_integral_v<T> && sizeof(T) == sizeof(std::uint64_t)) {
      append(reference.indices[buffer]);
    } else {
      append(reference.reals[buffer]);
    }
  });
}

}  // namespace benchctl
