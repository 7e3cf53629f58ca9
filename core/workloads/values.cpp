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

}  // namespace

double draw(const RandomStream& stream, ValueKind kind, DType type, std::uint64_t index) {
  const std::uint64_t bits = stream.bits(index);
  switch (type) {
    case DType::i32:
      return static_cast<double>(static_cast<std::int32_t>(bits >> 32));
    case DType::u32:
      return static_cast<double>(bits >> 32);
    case DType::u8:
      return static_cast<double>(bits >> 56);
    case DType::f16:
      throw std::invalid_argument("no inputs are drawn as f16 yet");
    case DType::bf16:
      return from_bf16(to_bf16(static_cast<float>(draw(stream, kind, DType::f32, index))));
    case DType::f32:
    case DType::f64:
      break;
  }
  const double uniform = type == DType::f64 && kind == ValueKind::uniform
                             ? stream.f64(index)
                             : static_cast<double>(stream.f32(index));
  switch (kind) {
    case ValueKind::uniform:
      return uniform;
    case ValueKind::wide:
      // A mantissa in ±[1, 2) and an exponent of -20 to 19.
      return std::ldexp(std::copysign(1 + std::abs(uniform), uniform), static_cast<int>(bits % 40) - 20);
    case ValueKind::huge:
      return std::ldexp(std::copysign(1 + std::abs(uniform), uniform), 66 + static_cast<int>(bits % 4));
    case ValueKind::denormal:
      // Float32's denormals are multiples of 2^-149 below 2^-126.
      return std::copysign(std::ldexp(static_cast<double>(bits % 4096), -149), uniform);
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

void draw_bytes(const RandomStream& stream, ValueKind kind, DType type, std::uint64_t first,
                std::span<std::byte> out) {
  if (type == DType::bf16) {
    const std::span elements(reinterpret_cast<std::uint16_t*>(out.data()), out.size() / 2);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      elements[i] = to_bf16(static_cast<float>(draw(stream, kind, DType::f32, first + i)));
    }
    return;
  }
  with_element_type(type, [&]<class T>(std::type_identity<T>) {
    const std::span elements(reinterpret_cast<T*>(out.data()), out.size() / sizeof(T));
    if constexpr (std::is_floating_point_v<T>) {
      if (kind == ValueKind::uniform) return fill_uniform(stream, first, elements);
    }
    for (std::size_t i = 0; i < elements.size(); ++i) {
      elements[i] = static_cast<T>(draw(stream, kind, type, first + i));
    }
  });
}

void draw_reals(const RandomStream& stream, ValueKind kind, DType type, std::uint64_t first,
                std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = draw(stream, kind, type, first + i);
}

}  // namespace benchctl
