#include "compile/spirv.hpp"

#include <benchctl/failure.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

namespace benchctl::vulkan {

namespace {

constexpr std::uint32_t magic = 0x07230203;
constexpr std::size_t header_words = 5;

// Numbers of the specification.
enum Op : std::uint32_t {
  op_extension = 10,
  op_entry_point = 15,
  op_execution_mode = 16,
  op_capability = 17,
  op_type_int = 21,
  op_type_float = 22,
  op_type_struct = 30,
  op_type_pointer = 32,
  op_variable = 59,
  op_decorate = 71,
  op_member_decorate = 72,
};
constexpr std::uint32_t execution_model_compute = 5;
constexpr std::uint32_t mode_local_size = 17;
constexpr std::uint32_t mode_denorm_preserve = 4459;
constexpr std::uint32_t mode_special_preserve = 4461;
constexpr std::uint32_t capability_float64 = 10;
constexpr std::uint32_t capability_denorm_preserve = 4464;
constexpr std::uint32_t capability_special_preserve = 4466;
constexpr std::uint32_t decoration_binding = 33;
constexpr std::uint32_t decoration_set = 34;
constexpr std::uint32_t decoration_offset = 35;
constexpr std::uint32_t storage_uniform_constant = 0;  // images and samplers
constexpr std::uint32_t storage_uniform = 2;
constexpr std::uint32_t storage_push_constant = 9;
constexpr std::uint32_t float_controls_in_core = 0x00010400;  // SPIR-V 1.4

[[noreturn]] void refuse(const char* why) {
  throw Failure(FailureKind::compile_error, std::string("the compiled shader cannot be read: ") + why);
}

struct Instruction {
  std::uint32_t op = 0;
  std::span<const std::uint32_t> operands;
  std::size_t end = 0;  ///< word behind it

  [[nodiscard]] std::uint32_t at(std::size_t i) const {
    if (i >= operands.size()) refuse("an instruction is too short");
    return operands[i];
  }
};

std::vector<Instruction> instructions_of(std::span<const std::uint32_t> words) {
  if (words.size() < header_words || words[0] != magic) refuse("it does not begin as SPIR-V does");
  std::vector<Instruction> list;
  for (std::size_t at = header_words; at < words.size();) {
    const std::size_t length = words[at] >> 16U;
    if (length == 0 || length > words.size() - at) refuse("an instruction goes beyond its end");
    list.push_back({words[at] & 0xffffU, words.subspan(at + 1, length - 1), at + length});
    at += length;
  }
  return list;
}

/// What is known of ids while a module is read.
struct Ids {
  std::map<std::uint32_t, PushMember> numbers;
  std::map<std::uint32_t, std::vector<std::uint32_t>> structures;
  std::map<std::uint32_t, std::uint32_t> pointees;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> offsets;
  std::map<std::uint32_t, std::uint32_t> bindings;
  std::map<std::uint32_t, std::uint32_t> sets;
  std::map<std::uint32_t, std::uint32_t> uniform;  ///< variable and pointer
  bool images = false;
  std::optional<std::uint32_t> push_pointer;
};

void read_decoration(const Instruction& one, Ids& ids) {
  if (one.op == op_member_decorate) {
    if (one.at(2) == decoration_offset) ids.offsets[{one.at(0), one.at(1)}] = one.at(3);
  } else if (one.at(1) == decoration_binding) {
    ids.bindings[one.at(0)] = one.at(2);
  } else if (one.at(1) == decoration_set) {
    ids.sets[one.at(0)] = one.at(2);
  }
}

void read_type(const Instruction& one, Ids& ids) {
  switch (one.op) {
    case op_type_int:
      ids.numbers[one.at(0)] = {PushMember::Kind::integer, one.at(1), 0};
      break;
    case op_type_float:
      ids.numbers[one.at(0)] = {PushMember::Kind::real, one.at(1), 0};
      break;
    case op_type_struct:
      if (!one.operands.empty()) {
        ids.structures[one.operands[0]].assign(one.operands.begin() + 1, one.operands.end());
      }
      break;
    case op_type_pointer:
      ids.pointees[one.at(0)] = one.at(2);
      break;
    case op_variable:
      if (one.at(2) == storage_push_constant) ids.push_pointer = one.at(0);
      ids.images = ids.images || one.at(2) == storage_uniform_constant;
      if (one.at(2) == storage_uniform) ids.uniform[one.at(1)] = one.at(0);
      break;
    default:
      break;
  }
}

std::vector<PushMember> members_of(const Ids& ids, std::uint32_t pointer) {
  std::vector<PushMember> members;
  const auto pointee = ids.pointees.find(pointer);
  const auto structure =
      pointee == ids.pointees.end() ? ids.structures.end() : ids.structures.find(pointee->second);
  if (structure == ids.structures.end()) return {PushMember{}};  // an array of blocks
  for (std::uint32_t i = 0; i < structure->second.size(); ++i) {
    const auto number = ids.numbers.find(structure->second[i]);
    PushMember member = number == ids.numbers.end() ? PushMember{} : number->second;
    const auto offset = ids.offsets.find({structure->first, i});
    if (offset != ids.offsets.end()) member.offset = offset->second;
    members.push_back(member);
  }
  return members;
}

void insert(std::vector<std::uint32_t>& words, std::size_t at, const std::vector<std::uint32_t>& more) {
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), more.begin(), more.end());
}

/// OpExtension with a text of this module's byte order.
std::vector<std::uint32_t> extension(std::string_view name) {
  std::vector<std::uint32_t> words(1 + name.size() / 4 + 1);
  words[0] = static_cast<std::uint32_t>(words.size()) << 16U | op_extension;
  std::memcpy(words.data() + 1, name.data(), name.size());
  return words;
}

}  // namespace

ShaderInterface read_interface(std::span<const std::uint32_t> words) {
  ShaderInterface interface;
  Ids ids;
  int entry_points = 0;
  for (const Instruction& one : instructions_of(words)) {
    if (one.op == op_entry_point) {
      if (one.at(0) != execution_model_compute) refuse("it is not a compute shader");
      ++entry_points;
    } else if (one.op == op_execution_mode && one.at(1) == mode_local_size) {
      interface.local_size = {one.at(2), one.at(3), one.at(4)};
    } else if (one.op == op_capability && one.at(0) == capability_float64) {
      interface.float64 = true;
    } else if (one.op == op_decorate || one.op == op_member_decorate) {
      read_decoration(one, ids);
    } else {
      read_type(one, ids);
    }
  }
  if (entry_points != 1) refuse("it has several entry points, or none");
  for (const auto& [id, binding] : ids.bindings) {
    const auto set = ids.sets.find(id);
    if (set != ids.sets.end() && set->second != 0) {
      interface.other_sets = true;
    } else {
      interface.bindings.insert(binding);
      if (const auto found = ids.uniform.find(id); found != ids.uniform.end())
        interface.uniform[binding] = members_of(ids, found->second);
    }
  }
  interface.images = ids.images;
  if (ids.push_pointer) interface.push = members_of(ids, *ids.push_pointer);
  return interface;
}

std::vector<std::uint32_t> with_float_controls(std::span<const std::uint32_t> words,
                                               const FloatControls& controls) {
  std::vector<std::uint32_t> capabilities;
  std::vector<std::uint32_t> modes;
  std::uint32_t entry = 0;
  std::size_t after_capabilities = header_words;
  std::size_t after_modes = header_words;
  for (const Instruction& one : instructions_of(words)) {
    if (one.op == op_capability) after_capabilities = one.end;
    if (one.op == op_entry_point) entry = one.at(1);
    if (one.op == op_entry_point || one.op == op_execution_mode) after_modes = one.end;
  }
  const auto add = [&](const std::vector<std::uint32_t>& widths, std::uint32_t capability,
                       std::uint32_t mode) {
    if (widths.empty()) return;
    capabilities.insert(capabilities.end(), {2U << 16U | op_capability, capability});
    for (const std::uint32_t bits : widths) {
      modes.insert(modes.end(), {4U << 16U | op_execution_mode, entry, mode, bits});
    }
  };
  add(controls.preserve_denormals, capability_denorm_preserve, mode_denorm_preserve);
  add(controls.preserve_special, capability_special_preserve, mode_special_preserve);
  std::vector<std::uint32_t> result(words.begin(), words.end());
  if (modes.empty()) return result;
  insert(result, after_modes, modes);
  if (words[1] < float_controls_in_core) {
    const auto more = extension("SPV_KHR_float_controls");
    capabilities.insert(capabilities.end(), more.begin(), more.end());
  }
  insert(result, after_capabilities, capabilities);
  return result;
}

}  // namespace benchctl::vulkan
