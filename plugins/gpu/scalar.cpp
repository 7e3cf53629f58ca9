#include "scalar.hpp"

#include <benchctl/failure.hpp>
#include <benchctl/half.hpp>

#include <cstring>

namespace benchctl::gpu {

namespace {

template <class T>
std::uint64_t word_of(T value) {
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}

[[noreturn]] void refuse(const ScalarSpec& scalar, const std::string& why) {
  throw Failure(FailureKind::unsupported,
                "scalar '" + scalar.name + "' of type " + std::string(to_string(scalar.type)) + " " + why);
}

std::uint64_t integer_word(const ScalarSpec& scalar) {
  const auto* value = std::get_if<std::int64_t>(&scalar.value);
  if (value == nullptr) refuse(scalar, "has a value that is not an integer");
  if (!holds(scalar.type, *value)) refuse(scalar, "cannot hold " + std::to_string(*value));
  const std::size_t unused = 64 - 8 * size_of(scalar.type);
  return static_cast<std::uint64_t>(*value) << unused >> unused;
}

double real_value(const ScalarSpec& scalar) {
  if (const auto* real = std::get_if<double>(&scalar.value)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&scalar.value)) return static_cast<double>(*integer);
  refuse(scalar, "has a value that is not a number");
}

}  // namespace

std::uint64_t argument_word(const ScalarSpec& scalar) {
  switch (scalar.type) {
    case DType::f32:
      return word_of(static_cast<float>(real_value(scalar)));
    case DType::f64:
      return word_of(real_value(scalar));
    case DType::f16:
      return Half(real_value(scalar)).bits;
    case DType::bf16:
      return BFloat16(real_value(scalar)).bits;
    default:
      return integer_word(scalar);
  }
}

}  // namespace benchctl::gpu
