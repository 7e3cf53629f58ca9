#include "compile/push_constants.hpp"

#include <benchctl/failure.hpp>
#include <benchctl/rounding.hpp>

#include <cstring>
#include <limits>

namespace benchctl::vulkan {

namespace {

double real_of(const ScalarSpec& scalar) {
  if (const auto* real = std::get_if<double>(&scalar.value)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&scalar.value)) return static_cast<double>(*integer);
  throw Failure(FailureKind::unsupported, "scalar '" + scalar.name + "' is no number");
}

template <class Integer>
Integer integer_of(const ScalarSpec& scalar) {
  const auto* value = std::get_if<std::int64_t>(&scalar.value);
  if (value == nullptr || *value < std::numeric_limits<Integer>::min() ||
      *value > std::numeric_limits<Integer>::max()) {
    throw Failure(FailureKind::unsupported,
                  "scalar '" + scalar.name + "' does not fit into " + std::string(to_string(scalar.type)));
  }
  return static_cast<Integer>(*value);
}

template <class T>
void append(PushConstants& push, PushMember::Kind kind, T value) {
  const std::size_t offset = round_up(push.bytes.size(), sizeof(T));
  push.bytes.resize(offset + sizeof(T));
  std::memcpy(push.bytes.data() + offset, &value, sizeof(T));
  push.members.push_back({kind, 8 * sizeof(T), static_cast<std::uint32_t>(offset)});
}

}  // namespace

PushConstants push_constants(const PlannedLaunch& launch, const std::vector<ScalarSpec>& scalars) {
  PushConstants push;
  for (const PlannedArgument& argument : launch.arguments) {
    if (argument.kind != PlannedArgument::Kind::scalar) continue;
    const ScalarSpec& scalar = scalars.at(argument.index);
    switch (scalar.type) {
      case DType::i32:
        append(push, PushMember::Kind::integer, integer_of<std::int32_t>(scalar));
        break;
      case DType::u32:
        append(push, PushMember::Kind::integer, integer_of<std::uint32_t>(scalar));
        break;
      case DType::f32:
        append(push, PushMember::Kind::real, static_cast<float>(real_of(scalar)));
        break;
      case DType::f64:
        append(push, PushMember::Kind::real, real_of(scalar));
        break;
      default:
        throw Failure(FailureKind::unsupported, "scalar '" + scalar.name + "' has type " +
                                                    std::string(to_string(scalar.type)) +
                                                    "; kernels take i32, u32, f32, f64");
    }
  }
  return push;
}

std::string to_text(const std::vector<PushMember>& members) {
  std::string text;
  for (const PushMember& member : members) {
    const bool wide = member.bits == 64;
    const std::string type = member.kind == PushMember::Kind::integer ? (wide ? "int64_t" : "int")
                             : member.kind == PushMember::Kind::real  ? (wide ? "double" : "float")
                                                                      : "something else";
    text += (text.empty() ? "" : ", ") + type + " at " + std::to_string(member.offset);
  }
  return text.empty() ? "none" : text;
}

}  // namespace benchctl::vulkan
