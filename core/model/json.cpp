#include "model/json.hpp"

#include "model/json_words.hpp"

#include <nlohmann/json.hpp>

namespace benchctl {

using nlohmann::json;

namespace {

template <class Item, class Convert>
json list(const std::vector<Item>& items, Convert convert) {
  json array = json::array();
  for (const Item& item : items) array.push_back(convert(item));
  return array;
}

template <class Item, class Convert>
std::vector<Item> items(const json& array, Convert convert) {
  std::vector<Item> result;
  for (const json& item : array) result.push_back(convert(item));
  return result;
}

json to_json(const DeviceLimits& limits) {
  return {{"memory_bytes", limits.memory_bytes},
          {"max_allocation_bytes", limits.max_allocation_bytes},
          {"local_memory_bytes", limits.local_memory_bytes},
          {"max_block_threads", limits.max_block_threads},
          {"max_block", limits.max_block},
          {"max_grid", limits.max_grid}};
}

DeviceLimits limits_from_json(const json& j) {
  DeviceLimits limits;
  read(j.at("memory_bytes"), limits.memory_bytes);
  read(j.at("max_allocation_bytes"), limits.max_allocation_bytes);
  read(j.at("local_memory_bytes"), limits.local_memory_bytes);
  read(j.at("max_block_threads"), limits.max_block_threads);
  read(j.at("max_block"), limits.max_block);
  read(j.at("max_grid"), limits.max_grid);
  return limits;
}

json to_json(const LaunchSpec& launch) {
  return {{"source", launch.source},
          {"entry", launch.entry},
          {"defines", launch.defines},
          {"block", launch.block},
          {"grid", launch.grid},
          {"shared_bytes", launch.shared_bytes},
          {"local_bytes", launch.local_bytes},
          {"arguments", launch.arguments},
          {"when", launch.when}};
}

LaunchSpec launch_from_json(const json& j) {
  LaunchSpec launch;
  read(j.at("source"), launch.source);
  read(j.at("entry"), launch.entry);
  for (const auto& [name, text] : j.at("defines").items()) launch.defines[name] = text.get<std::string>();
  read(j.at("block"), launch.block);
  read(j.at("grid"), launch.grid);
  read(j.at("shared_bytes"), launch.shared_bytes);
  read(j.at("local_bytes"), launch.local_bytes);
  read(j.at("arguments"), launch.arguments);
  read(j.at("when"), launch.when);
  return launch;
}

json to_json(const TunableInfo& tunable) {
  json j = {{"name", tunable.name},
            {"default", benchctl::to_json(tunable.default_value)},
            {"doc", tunable.doc},
            {"require", tunable.require},
            {"values", list(tunable.values, [](const Value& value) { return benchctl::to_json(value); })}};
  if (tunable.by_size) j["by_size"] = true;
  return j;
}

TunableInfo tunable_from_json(const json& j) {
  return {j.at("name").get<std::string>(),
          value_from_json(j.at("default")),
          j.at("doc").get<std::string>(),
          j.at("require").get<std::vector<std::string>>(),
          items<Value>(j.at("values"), value_from_json),
          j.value("by_size", false)};
}

json to_json(const AccessSpec& access) {
  return {{"operand", access.operand}, {"space", name_of(access.space)}, {"kind", name_of(access.kind)},
          {"offset", access.offset},   {"bytes", access.bytes},          {"active", access.active},
          {"times", access.times},     {"threads", access.threads},      {"launch", access.launch}};
}

AccessSpec access_from_json(const json& j) {
  AccessSpec access;
  read(j.at("operand"), access.operand);
  access.space = enum_from<AccessSpace>(j.at("space"));
  access.kind = enum_from<AccessKind>(j.at("kind"));
  read(j.at("offset"), access.offset);
  read(j.at("bytes"), access.bytes);
  read(j.at("active"), access.active);
  read(j.at("times"), access.times);
  read(j.at("threads"), access.threads);
  read(j.at("launch"), access.launch);
  return access;
}

json to_json(const MemoryGeometry& memory) {
  return {{"warp", memory.warp}, {"sector", memory.sector}, {"line", memory.line},
          {"dram", memory.dram}, {"banks", memory.banks},   {"bank_bytes", memory.bank_bytes}};
}

MemoryGeometry geometry_from_json(const json& j) {
  MemoryGeometry memory;
  read(j.at("warp"), memory.warp);
  read(j.at("sector"), memory.sector);
  read(j.at("line"), memory.line);
  read(j.at("dram"), memory.dram);
  read(j.at("banks"), memory.banks);
  read(j.at("bank_bytes"), memory.bank_bytes);
  return memory;
}

json to_json(const PlannedLaunch& launch) {
  return {{"source", launch.source},
          {"entry", launch.entry},
          {"defines", launch.defines},
          {"block", launch.block},
          {"grid", launch.grid},
          {"shared_bytes", launch.shared_bytes},
          {"local_bytes", launch.local_bytes},
          {"arguments", list(launch.arguments, [](const PlannedArgument& argument) {
             return json{static_cast<int>(argument.kind), argument.index};
           })}};
}

PlannedLaunch planned_launch_from_json(const json& j) {
  PlannedLaunch launch;
  read(j.at("source"), launch.source);
  read(j.at("entry"), launch.entry);
  for (const auto& [name, text] : j.at("defines").items()) launch.defines[name] = text.get<std::string>();
  read(j.at("block"), launch.block);
  read(j.at("grid"), launch.grid);
  read(j.at("shared_bytes"), launch.shared_bytes);
  read(j.at("local_bytes"), launch.local_bytes);
  launch.arguments = items<PlannedArgument>(j.at("arguments"), [](const json& argument) {
    return PlannedArgument{static_cast<PlannedArgument::Kind>(argument.at(0).get<int>()),
                           integer_from<std::size_t>(argument.at(1))};
  });
  return launch;
}

}  // namespace

json to_json(const Value& value) {
  return std::visit([](const auto& alternative) { return json(alternative); }, value);
}

Value value_from_json(const json& j) {
  if (j.is_boolean()) return j.get<bool>();
  if (j.is_number_integer()) return integer_from<std::int64_t>(j);
  if (j.is_number_float()) return j.get<double>();
  return j.get<std::string>();
}

json to_json(const Parameters& parameters) {
  json object = json::object();
  for (const auto& [name, value] : parameters) object[name] = to_json(value);
  return object;
}

Parameters parameters_from_json(const json& j) {
  Parameters parameters;
  for (const auto& [name, value] : j.items()) parameters.emplace(name, value_from_json(value));
  return parameters;
}

json to_json(const DeviceInfo& device) {
  return {{"id", device.id},
          {"name", device.name},
          {"vendor", device.vendor},
          {"type", name_of(device.type)},
          {"driver", device.driver},
          {"architecture", device.architecture},
          {"physical", device.physical},
          {"compute_units", device.compute_units},
          {"last_level_cache_bytes", device.last_level_cache_bytes},
          {"timer_step_ns", device.timer_step_ns},
          {"max_batch", device.max_batch},
          {"fp64", device.fp64},
          {"fp16", device.fp16},
          {"limits", to_json(device.limits)},
          {"memory", to_json(device.memory)},
          {"features", device.features},
          {"properties", device.properties}};
}

DeviceInfo device_from_json(const json& j) {
  DeviceInfo device;
  read(j.at("id"), device.id);
  read(j.at("name"), device.name);
  read(j.at("vendor"), device.vendor);
  device.type = enum_from<DeviceType>(j.at("type"));
  read(j.at("driver"), device.driver);
  read(j.at("architecture"), device.architecture);
  read(j.at("physical"), device.physical);
  read(j.at("compute_units"), device.compute_units);
  read(j.at("last_level_cache_bytes"), device.last_level_cache_bytes);
  read(j.at("timer_step_ns"), device.timer_step_ns);
  read(j.at("max_batch"), device.max_batch);
  read(j.at("fp64"), device.fp64);
  read(j.at("fp16"), device.fp16);
  device.limits = limits_from_json(j.at("limits"));
  device.memory = geometry_from_json(j.at("memory"));
  read(j.at("features"), device.features);
  for (const auto& [name, text] : j.at("properties").items())
    device.properties[name] = text.get<std::string>();
  return device;
}

namespace {

/// ScratchSpec, whose count is an expression, or PlannedScratch, whose count is a number.
template <class Scratch>
json scratch_to_json(const Scratch& scratch) {
  return {{"name", scratch.name},
          {"type", name_of(scratch.type)},
          {"count", scratch.count},
          {"zeroed", scratch.zeroed}};
}

template <class Scratch>
Scratch scratch_from_json(const json& j) {
  return {j.at("name").get<std::string>(), enum_from<DType>(j.at("type")),
          j.at("count").get<decltype(Scratch::count)>(), j.at("zeroed").get<bool>()};
}

}  // namespace

json to_json(const KernelSpec& spec) {
  return {{"launches", list(spec.launches, [](const LaunchSpec& launch) { return to_json(launch); })},
          {"scratch", list(spec.scratch, scratch_to_json<ScratchSpec>)},
          {"derived", spec.derived},
          {"effort", spec.effort}};
}

KernelSpec kernel_spec_from_json(const json& j) {
  KernelSpec spec;
  spec.launches = items<LaunchSpec>(j.at("launches"), launch_from_json);
  spec.scratch = items<ScratchSpec>(j.at("scratch"), scratch_from_json<ScratchSpec>);
  spec.derived = j.at("derived").get<decltype(spec.derived)>();
  read(j.at("effort"), spec.effort);
  return spec;
}

json to_json(const KernelPlan& plan) {
  return {{"launches", list(plan.launches, [](const PlannedLaunch& launch) { return to_json(launch); })},
          {"scratch", list(plan.scratch, scratch_to_json<PlannedScratch>)}};
}

KernelPlan kernel_plan_from_json(const json& j) {
  KernelPlan plan;
  plan.launches = items<PlannedLaunch>(j.at("launches"), planned_launch_from_json);
  plan.scratch = items<PlannedScratch>(j.at("scratch"), scratch_from_json<PlannedScratch>);
  return plan;
}

json to_json(const VariantInfo& variant) {
  return {{"workload", variant.workload},
          {"name", variant.name},
          {"doc", variant.doc},
          {"tunables", list(variant.tunables, [](const TunableInfo& tunable) { return to_json(tunable); })},
          {"dtypes", list(variant.dtypes, name_of<DType>)},
          {"layouts", variant.layouts},
          {"precision", variant.precision},
          {"compute_path", variant.compute_path},
          {"vendor", variant.vendor},
          {"wrong_on_purpose", variant.wrong_on_purpose},
          {"features", variant.features},
          {"device_types", list(variant.device_types, name_of<DeviceType>)},
          {"architectures", variant.architectures},
          {"require", variant.require},
          {"access", list(variant.access, [](const AccessSpec& access) { return to_json(access); })},
          {"kernel", variant.kernel ? to_json(*variant.kernel) : json()},
          {"among", variant.among}};
}

VariantInfo variant_from_json(const json& j) {
  VariantInfo variant;
  read(j.at("workload"), variant.workload);
  read(j.at("name"), variant.name);
  read(j.at("doc"), variant.doc);
  variant.tunables = items<TunableInfo>(j.at("tunables"), tunable_from_json);
  variant.dtypes = items<DType>(j.at("dtypes"), enum_from<DType>);
  read(j.at("layouts"), variant.layouts);
  read(j.at("precision"), variant.precision);
  read(j.at("compute_path"), variant.compute_path);
  read(j.at("vendor"), variant.vendor);
  read(j.at("wrong_on_purpose"), variant.wrong_on_purpose);
  read(j.at("features"), variant.features);
  variant.device_types = items<DeviceType>(j.at("device_types"), enum_from<DeviceType>);
  read(j.at("architectures"), variant.architectures);
  read(j.at("require"), variant.require);
  variant.access = items<AccessSpec>(j.at("access"), access_from_json);
  if (!j.at("kernel").is_null()) variant.kernel = kernel_spec_from_json(j.at("kernel"));
  read(j.at("among"), variant.among);
  return variant;
}

std::string one_line(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace benchctl
