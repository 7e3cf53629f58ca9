#include "compile/push_constants.hpp"

#include <benchctl/rounding.hpp>

#include "gpu/scalar.hpp"

#include <cstring>

namespace benchctl::vulkan {

namespace {

/// As GLSL writes it: `int`, `float16_t`.
std::string type_text(const PushMember& member) {
  if (member.kind == PushMember::Kind::other) return "something else";
  const bool integer = member.kind == PushMember::Kind::integer;
  if (member.bits == 32) return integer ? "int" : "float";
  if (member.bits == 64 && !integer) return "double";
  return (integer ? "int" : "float") + std::to_string(member.bits) + "_t";
}

}  // namespace

PushConstants push_constants(const PlannedLaunch& launch, const std::vector<ScalarSpec>& scalars) {
  PushConstants push;
  for (const PlannedArgument& argument : launch.arguments) {
    if (argument.kind != PlannedArgument::Kind::scalar) continue;
    const ScalarSpec& scalar = scalars.at(argument.index);
    const std::uint64_t word = gpu::argument_word(scalar);
    const std::size_t size = size_of(scalar.type);
    const std::size_t offset = round_up(push.bytes.size(), size);
    push.bytes.resize(offset + size);
    std::memcpy(push.bytes.data() + offset, &word, size);
    // Shaders have no bf16: they take its bits.
    const bool integer = is_whole(scalar.type) || scalar.type == DType::bf16;
    push.members.push_back({integer ? PushMember::Kind::integer : PushMember::Kind::real,
                            static_cast<std::uint32_t>(8 * size), static_cast<std::uint32_t>(offset)});
  }
  push.bytes.resize(round_up(push.bytes.size(), std::size_t{4}));
  return push;
}

std::string to_text(const std::vector<PushMember>& members) {
  std::string text;
  for (const PushMember& member : members) {
    text += (text.empty() ? "" : ", ") + type_text(member) + " at " + std::to_string(member.offset);
  }
  return text.empty() ? "none" : text;
}

}  // namespace benchctl::vulkan
