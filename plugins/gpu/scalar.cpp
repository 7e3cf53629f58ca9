#include "scalar.hpp"

#include <benchctl/failure.hpp>

#include <cstring>
#include <limits>

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

template <class T>
std::uint64_t integer_word(const ScalarSpec& scalar) {
  const auto* value = std::get_if<std::int64_t>(&scalar.value);
  if (value == nullptr) refuse(scalar, "has a value that is not an integer");
  if (*value < std::numeric_limits<T>::min() || *value > std::int64_t{std::numeric_limits<T>::max()}) {
    refuse(scalar, "cannot hold " + std::to_string(*value));
  }
  return word_of(static_cast<T>(*value));
}

double real_value(const ScalarSpec& scalar) {
  if (const auto* real = std::get_if<double>(&scalar.value)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&scalar.value)) return static_cast<double>(*integer);
  refuse(scalar, "has a value that is not a number");
}

}  // namespace

std::uint64_t argument_word(const ScalarSpec& scalar) {
  switch (scalar.type) {
    case DType::i32:
      return integer_word<std::int32_t>(scalar);
    case DType::u32:
      return integer_word<std::uint32_t>(scalar);
    case DType::f32:
      return word_of(static_cast<float>(real_value(scalar)));
    case DType::f64:
      return word_of(real_value(scalar));
    default:
      refuse(scalar, "cannot be passed to a kernel: scalars are i32, u32, f32 or f64");
  }
}

}  // namespace benchctl::gpu
