#include "config/t1_arguments.hpp"

#include "config/document.hpp"
#include "model/values.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace benchctl::t1 {

using nlohmann::json;

namespace {

/// Our name of an element type.
std::string type_of(const std::string& name, const std::string& place) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> types{{{"half", "f16"},
                                                                                 {"bool", "u8"},
                                                                                 {"float", "f32"},
                                                                                 {"double", "f64"},
                                                                                 {"int8", "i8"},
                                                                                 {"int16", "i16"},
                                                                                 {"int32", "i32"},
                                                                                 {"int64", "i64"},
                                                                                 {"uint8", "u8"},
                                                                                 {"uint16", "u16"},
                                                                                 {"uint32", "u32"},
                                                                                 {"uint64", "u64"}}};
  std::string known;
  for (const auto& [theirs, ours] : types) {
    if (theirs == name) return std::string(ours);
    known += fmt::format("{}, ", theirs);
  }
  refuse(place,
         fmt::format("element type '{}' is not supported, only {}and vectors such as float4", name, known));
}

/// `float4` is four elements of `float`, and a structure its bytes.
std::pair<std::string, std::uint64_t> components_of(const json& entry, const std::string& place,
                                                    bool pads_threes) {
  const std::string type = text_of(member(entry, "Type", place), place);
  if (type == "custom") {
    const Value bytes = number_of(member(entry, "TypeSize", place), place + ", TypeSize", {});
    if (!std::holds_alternative<std::int64_t>(bytes) || std::get<std::int64_t>(bytes) < 1)
      refuse(place, "TypeSize is not a number of bytes");
    return {"uint8", static_cast<std::uint64_t>(std::get<std::int64_t>(bytes))};
  }
  constexpr std::array<std::string_view, 3> scalars{"half", "float", "double"};
  for (const std::string_view scalar : scalars) {
    if (!type.starts_with(scalar)) continue;
    const std::string_view rest = std::string_view(type).substr(scalar.size());
    for (const std::uint64_t count : {2U, 3U, 4U, 8U, 16U}) {
      if (rest == fmt::format("{}", count))
        return {std::string(scalar), pads_threes && count == 3 ? 4 : count};
    }
  }
  return {type, 1};
}

/// Uniform from 0 to FillValue, as in KTT; without one whatever integers we take.
std::string random_fill(const json& entry, const std::string& place, bool is_real, const Space& space) {
  double end = 0;
  if (entry.contains("FillValue")) end = as_number(number_of(entry.at("FillValue"), place, space));
  if (end == 0 && !is_real) return quoted("integers");
  if (end == 0) end = 1;
  if (!is_real) end = std::trunc(end);
  return fmt::format("{{ {} = [{}, {}] }}", is_real ? "uniform" : "integers", std::min(end, 0.0),
                     std::max(end, 0.0));
}

/// Elements of the file's type.
std::uint64_t size_of_vector(const json& entry, const std::string& place, const Space& space) {
  const Value size = number_of(member(entry, "Size", place), place + ", Size", space);
  const auto* elements = std::get_if<std::int64_t>(&size);
  if (elements == nullptr || *elements <= 0 || *elements >= std::int64_t{1} << 53)
    refuse(place, "Size is not a positive integer below 2^53");
  return static_cast<std::uint64_t>(*elements);
}

void read_contents(const json& entry, const std::string& place, const Space& space,
                   const std::filesystem::path& folder, Argument& argument) {
  const std::string access =
      entry.contains("AccessType") ? text_of(entry.at("AccessType"), place) : "ReadOnly";
  if (access == "WriteOnly") {
    argument.role = "out";
    return;
  }
  if (access == "ReadWrite") {
    argument.role = "inout";
  } else if (access != "ReadOnly") {
    refuse(place, fmt::format("access type '{}' is unknown", access));
  }
  const std::string fill = entry.contains("FillType") ? text_of(entry.at("FillType"), place) : "Constant";
  const bool is_real = argument.type.starts_with('f');
  if (fill == "Random") {
    argument.fill = random_fill(entry, place, is_real, space);
  } else if (fill == "Constant") {
    const Value value = entry.contains("FillValue") ? number_of(entry.at("FillValue"), place, space)
                                                    : Value(std::int64_t{0});
    argument.fill = fmt::format("{{ constant = {} }}", to_text(value));
  } else if (fill == "BinaryRaw") {
    argument.fill = fmt::format(
        "{{ file = {} }}", quoted(path_in(folder, text_of(member(entry, "DataSource", place), place))));
  } else {
    refuse(place,
           fmt::format("fill type '{}' is not supported, only Constant, Random and BinaryRaw; a data "
                       "program ([workload.NAME.data]) can make such inputs",
                       fill));
  }
}

/// KTT's rules for elements; the smallest threshold counts for all outputs.
void read_threshold(const json& entry, const std::string& place, Truth& truth,
                    std::vector<std::string>& left_out) {
  if (!entry.contains("ValidationThreshold")) return;
  const double threshold =
      as_number(number_of(entry.at("ValidationThreshold"), place + ", ValidationThreshold", {}));
  if (threshold < 0) refuse(place, "ValidationThreshold is negative");
  const std::string method = entry.contains("ValidationMethod")
                                 ? text_of(entry.at("ValidationMethod"), place)
                                 : "SideBySideComparison";
  constexpr double small = 1e-4;  // to which KTT compares no ratios
  const bool is_ratio = method == "SideBySideRelativeComparison";
  if (is_ratio) truth.relative = std::min(truth.relative.value_or(threshold), threshold);
  const double absolute = is_ratio ? small : threshold;
  truth.absolute = std::min(truth.absolute.value_or(absolute), absolute);
  if (!is_ratio && method != "SideBySideComparison")
    left_out.push_back(fmt::format("{}: the threshold of {} is taken for single elements", place, method));
}

}  // namespace

std::string path_in(const std::filesystem::path& folder, const std::string& file) {
  return (folder / file).lexically_normal().generic_string();
}

std::vector<Argument> read_arguments(const json& list, const Space& space, const Memories& memories,
                                     const std::filesystem::path& folder,
                                     std::vector<std::string>& left_out) {
  std::vector<Argument> arguments;
  if (!list.is_array() || list.empty()) refuse("Arguments", "is not a list of arguments");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const json& entry = list[i];
    Argument argument;
    argument.name = entry.contains("Name")
                        ? name_of(entry.at("Name"), fmt::format("Name of argument {}", i))
                        : fmt::format("argument_{}", i);
    const std::string place = fmt::format("argument {}", argument.name);
    const auto [type, components] = components_of(entry, place, memories.pads_threes);
    argument.type = type_of(type, place);
    const std::string memory = text_of(member(entry, "MemoryType", place), place);
    if (memory == "Scalar") {
      if (components > 1) refuse(place, "a scalar of a vector type is not supported");
      argument.is_scalar = true;
      argument.value = to_text(number_of(member(entry, "FillValue", place), place, space));
    } else if (memory == "Vector" || (memory == "Symbol" && memories.symbols)) {
      argument.is_symbol = memory == "Symbol";
      argument.count = size_of_vector(entry, place, space) * components;
      read_contents(entry, place, space, folder, argument);
    } else if (memory == "Local" && memories.local) {
      argument.local_bytes = size_of_vector(entry, place, space) * components *
                             size_of(parse_enum<DType>(argument.type).value());
    } else {
      refuse(place,
             fmt::format("memory type '{}' is not supported here, only Vector and Scalar{}{}", memory,
                         memories.symbols ? ", Symbol" : "", memories.local ? ", Local" : ""));
    }
    note_unread(left_out, entry, place,
                {"Name", "Type", "TypeSize", "MemoryType", "FillType", "FillValue", "DataSource", "Size",
                 "AccessType"});
    arguments.push_back(std::move(argument));
  }
  if (std::ranges::none_of(arguments, &Argument::is_output))
    refuse("Arguments", "no vector is WriteOnly or ReadWrite, so nothing can be checked");
  return arguments;
}

Truth read_references(const json& list, const std::vector<Argument>& arguments,
                      const std::filesystem::path& folder, std::vector<std::string>& left_out) {
  Truth truth;
  if (!list.is_array()) refuse("ReferenceArguments", "is not a list");
  for (const json& entry : list) {
    const std::string name = name_of(member(entry, "TargetName", "ReferenceArguments"), "TargetName");
    const auto target = std::ranges::find(arguments, name, &Argument::name);
    if (target == arguments.end() || !target->is_output())
      refuse("ReferenceArguments", fmt::format("'{}' is not a vector that the kernel writes", name));
    const std::string place = fmt::format("the reference of {}", name);
    const std::string fill = entry.contains("FillType") ? text_of(entry.at("FillType"), place) : "Constant";
    if (fill == "BinaryRaw") {
      truth.files[name] = path_in(folder, text_of(member(entry, "DataSource", place), place));
      read_threshold(entry, place, truth, left_out);
    } else {
      left_out.push_back(fmt::format("{} was not imported: FillType {} is not BinaryRaw", place, fill));
    }
    note_unread(left_out, entry, place,
                {"Name", "TargetName", "Type", "MemoryType", "Size", "FillType", "FillValue", "DataSource",
                 "ValidationMethod", "ValidationThreshold"});
  }
  for (const Argument& argument : arguments) {
    if (!argument.is_output() || truth.files.empty() || truth.files.contains(argument.name)) continue;
    left_out.push_back(
        fmt::format("no reference was imported: {} has none, and the check needs all", argument.name));
    truth.files.clear();
  }
  return truth;
}

}  // namespace benchctl::t1
