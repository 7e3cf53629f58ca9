// JSON forms of devices, variants and plans of kernels, for those who write records that hold them.
#pragma once

#include <benchctl/device.hpp>
#include <benchctl/kernel_spec.hpp>
#include <benchctl/variant.hpp>

#include "model/json_words.hpp"

namespace benchctl {

BENCHCTL_JSON_RECORD(DeviceLimits, memory_bytes, max_allocation_bytes, local_memory_bytes,
                     max_block_threads, max_block, max_grid)
BENCHCTL_JSON_RECORD(MemoryGeometry, warp, sector, line, dram, banks, bank_bytes)
BENCHCTL_JSON_RECORD(DeviceInfo, id, name, vendor, type, driver, architecture, physical, compute_units,
                     last_level_cache_bytes, timer_step_ns, max_batch, fp64, fp16, limits, memory, features,
                     properties)

/// As a config writes it: a text, or an object of one member.
template <>
struct JsonForm<ArgumentSpec> {
  static nlohmann::json to(const ArgumentSpec& argument) {
    return argument.as.empty() ? nlohmann::json(argument.text)
                               : nlohmann::json{{argument.as, argument.text}};
  }
  static void from(const nlohmann::json& form, ArgumentSpec& argument) {
    argument = {};
    if (!form.is_object()) return benchctl::read(form, argument.text);
    if (form.size() != 1) throw std::invalid_argument("an argument of a kernel that has several types");
    argument.as = form.begin().key();
    benchctl::read(form.begin().value(), argument.text);
  }
};
BENCHCTL_JSON_RECORD(LaunchSpec, source, entry, defines, block, grid, shared_bytes, local_bytes, arguments,
                     when, repeat, swap, prepare, extras, options, constants)
BENCHCTL_JSON_RECORD(ScratchSpec, name, type, count, zeroed)
BENCHCTL_JSON_RECORD(KernelSpec, launches, scratch, derived, effort, repeat, swap)

/// A list of two numbers: plans go to compile workers by the thousand.
template <>
struct JsonForm<PlannedArgument> {
  static nlohmann::json to(const PlannedArgument& argument) {
    return {static_cast<int>(argument.kind), argument.index};
  }
  static void from(const nlohmann::json& pair, PlannedArgument& argument) {
    const auto kind = integer_from<std::uint8_t>(pair.at(0));
    if (kind > static_cast<std::uint8_t>(PlannedArgument::Kind::local))
      throw std::invalid_argument("an argument of a kernel that is of no kind");
    argument.kind = static_cast<PlannedArgument::Kind>(kind);
    benchctl::read(pair.at(1), argument.index);
  }
};
BENCHCTL_JSON_RECORD(PlannedLaunch, source, entry, defines, block, grid, shared_bytes, local_bytes,
                     arguments, prepare, extras, options, constants)
BENCHCTL_JSON_RECORD(PlannedScratch, name, type, count, zeroed)
BENCHCTL_JSON_RECORD(ScalarSpec, name, type, value)
/// Arguments that name nothing are refused.
template <>
struct JsonForm<KernelPlan> {
  static nlohmann::json to(const KernelPlan& plan) {
    return {{"launches", written(plan.launches)},
            {"scratch", written(plan.scratch)},
            {"scalars", written(plan.scalars)}};
  }
  static void from(const nlohmann::json& object, KernelPlan& plan) {
    benchctl::read(object.at("launches"), plan.launches);
    benchctl::read(object.at("scratch"), plan.scratch);
    benchctl::read(object.at("scalars"), plan.scalars);
    for (const PlannedLaunch& launch : plan.launches) {
      for (const PlannedArgument& argument : launch.arguments) check(plan, launch, argument);
      for (const auto& [symbol, memory] : launch.constants) check(plan, launch, memory);
    }
  }
  static void check(const KernelPlan& plan, const PlannedLaunch& launch, const PlannedArgument& argument) {
    using Kind = PlannedArgument::Kind;
    if ((argument.kind == Kind::scratch && argument.index >= plan.scratch.size()) ||
        (argument.kind == Kind::scalar && argument.index >= plan.scalars.size()) ||
        (argument.kind == Kind::buffer && launch.prepare))
      throw std::invalid_argument("an argument that kernel " + launch.entry + " cannot have");
  }
};

/// `default` is a word of C++.
template <>
struct JsonForm<TunableInfo> {
  static nlohmann::json to(const TunableInfo& tunable) {
    return {{"name", tunable.name},
            {"default", written(tunable.default_value)},
            {"doc", tunable.doc},
            {"require", tunable.require},
            {"values", written(tunable.values)},
            {"by_size", tunable.by_size}};
  }
  static void from(const nlohmann::json& object, TunableInfo& tunable) {
    benchctl::read(object.at("name"), tunable.name);
    benchctl::read(object.at("default"), tunable.default_value);
    benchctl::read(object.at("doc"), tunable.doc);
    benchctl::read(object.at("require"), tunable.require);
    benchctl::read(object.at("values"), tunable.values);
    benchctl::read(object.at("by_size"), tunable.by_size);
  }
};
BENCHCTL_JSON_RECORD(AccessSpec, operand, space, kind, offset, bytes, active, times, threads, launch)
BENCHCTL_JSON_RECORD(VariantInfo, workload, name, doc, tunables, dtypes, layouts, precision, compute_path,
                     vendor, wrong_on_purpose, features, device_types, architectures, require, access,
                     kernel, among)

}  // namespace benchctl
