#include "compile/push_constants.hpp"

#include <benchctl/rounding.hpp>

#include "gpu/scalar.hpp"

#include <cstring>

namespace benchctl::vulkan {

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
    const bool real = scalar.type == DType::f32 || scalar.type == DType::f64;
    push.members.push_back({real ? PushMember::Kind::real : PushMember::Kind::integer,
                            static_cast<std::uint32_t>(8 * size), static_cast<std::uint32_t>(offset)});
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
