#include "model/json.hpp"

#include "model/json_words.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace benchctl {

using nlohmann::json;

namespace {

/// Deepest nesting; documents of ours have a handful of levels.
constexpr int max_json_depth = 64;

/// Follows the parser down into a document. Syntax errors are left to the caller's parser.
class DepthCheck : public nlohmann::detail::json_sax_acceptor<json> {
 public:
  bool start_object(std::size_t = 0) { return enter(); }
  bool start_array(std::size_t = 0) { return enter(); }
  bool end_object() { return depth_-- > 0; }
  bool end_array() { return depth_-- > 0; }

 private:
  bool enter() {
    if (++depth_ <= max_json_depth) return true;
    throw std::invalid_argument(fmt::format("nested deeper than {} levels", max_json_depth));
  }
  int depth_ = 0;
};

}  // namespace

BENCHCTL_JSON_RECORD(DeviceLimits, memory_bytes, max_allocation_bytes, local_memory_bytes,
                     max_block_threads, max_block, max_grid)
BENCHCTL_JSON_RECORD(MemoryGeometry, warp, sector, line, dram, banks, bank_bytes)
BENCHCTL_JSON_RECORD(DeviceInfo, id, name, vendor, type, driver, architecture, physical, compute_units,
                     last_level_cache_bytes, timer_step_ns, max_batch, fp64, fp16, limits, memory, features,
                     properties)

/// As a config writes it: a text, or an object of one member.
template <>
struct JsonForm<ArgumentSpec> {
  static json to(const ArgumentSpec& argument) {
    return argument.as.empty() ? json(argument.text) : json{{argument.as, argument.text}};
  }
  static void from(const json& form, ArgumentSpec& argument) {
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
  static json to(const PlannedArgument& argument) {
    return {static_cast<int>(argument.kind), argument.index};
  }
  static void from(const json& pair, PlannedArgument& argument) {
    const auto kind = integer_from<std::uint8_t>(pair.at(0));
    if (kind > static_cast<std::uint8_t>(PlannedArgument::Kind::local))
      throw std::invalid_argument("an argument of a kernel that is of no kind");
    argument.kind = static_cast<PlannedArgument::Kind>(kind);
    benchctl::read(pair.at(1), argument.index);
  }
};
// Without extras and constants: plans are sent to be compiled.
BENCHCTL_JSON_RECORD(PlannedLaunch, source, entry, defines, block, grid, shared_bytes, local_bytes,
                     arguments, prepare, options)
BENCHCTL_JSON_RECORD(PlannedScratch, name, type, count, zeroed)
BENCHCTL_JSON_RECORD(ScalarSpec, name, type, value)
BENCHCTL_JSON_RECORD(KernelPlan, launches, scratch, scalars)

/// `default` is a word of C++.
template <>
struct JsonForm<TunableInfo> {
  static json to(const TunableInfo& tunable) {
    return {{"name", tunable.name},
            {"default", written(tunable.default_value)},
            {"doc", tunable.doc},
            {"require", tunable.require},
            {"values", written(tunable.values)},
            {"by_size", tunable.by_size}};
  }
  static void from(const json& object, TunableInfo& tunable) {
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

BENCHCTL_JSON_RECORD(SampleRequest, cache, launch, basis, batch, count, sets, set)
BENCHCTL_JSON_RECORD(SampleBlock, ns, batch, gated, readings, note)
BENCHCTL_JSON_RECORD(Verification, ok, reason, error_norm, tolerance_norm, worst_error, worst_tolerance,
                     worst_element, checked, not_a_number, guard_bytes_changed)
BENCHCTL_JSON_RECORD(MeasureSettings, cache, launch, basis, precision, target, min_samples, max_samples,
                     max_seconds, fixed_samples, min_sample_ns, min_timer_steps, warmup_seconds,
                     span_seconds, mode, replicates, seed, observe)

json to_json(const Value& value) { return written(value); }
Value value_from_json(const json& j) { return read_as<Value>(j); }
json to_json(const Parameters& parameters) { return written(parameters); }
Parameters parameters_from_json(const json& j) { return read_as<Parameters>(j); }
json to_json(const DeviceInfo& device) { return written(device); }
DeviceInfo device_from_json(const json& j) { return read_as<DeviceInfo>(j); }
json to_json(const KernelPlan& plan) { return written(plan); }

KernelPlan kernel_plan_from_json(const json& j) {
  auto plan = read_as<KernelPlan>(j);
  for (const PlannedLaunch& launch : plan.launches) {
    for (const auto& [kind, index] : launch.arguments) {
      if ((kind == PlannedArgument::Kind::scratch && index >= plan.scratch.size()) ||
          (kind == PlannedArgument::Kind::scalar && index >= plan.scalars.size()) ||
          (kind == PlannedArgument::Kind::buffer && launch.prepare))
        throw std::invalid_argument("an argument that kernel " + launch.entry + " cannot have");
    }
  }
  return plan;
}

json to_json(const VariantInfo& variant) { return written(variant); }
VariantInfo variant_from_json(const json& j) { return read_as<VariantInfo>(j); }
json to_json(const SampleRequest& request) { return written(request); }
SampleRequest sample_request_from_json(const json& j) { return read_as<SampleRequest>(j); }
json to_json(const SampleBlock& block) { return written(block); }
SampleBlock sample_block_from_json(const json& j) { return read_as<SampleBlock>(j); }
json to_json(const Verification& verification) { return written(verification); }
Verification verification_from_json(const json& j) { return read_as<Verification>(j); }

json to_json(const MeasureSettings& settings) { return written(settings); }
MeasureSettings measure_settings_from_json(const json& j) { return read_as<MeasureSettings>(j); }

namespace {

template <class Document>
std::string shown(const Document& document, int indent) {
  return with_escapes(document.dump(indent, ' ', false, Document::error_handler_t::replace), "\n");
}

}  // namespace

std::string one_line(const json& document) { return shown(document, -1); }
std::string one_line(const nlohmann::ordered_json& document) { return shown(document, -1); }
std::string many_lines(const json& document) { return shown(document, 2) + '\n'; }
std::string many_lines(const nlohmann::ordered_json& document) { return shown(document, 2) + '\n'; }

std::string json_with_list(const nlohmann::ordered_json& members, std::string_view name, std::size_t count,
                           const std::function<nlohmann::ordered_json(std::size_t)>& value) {
  std::string text = "{\n";
  for (const auto& [key, member] : members.items())
    text.append(one_line(json(key))).append(": ").append(one_line(member)).append(",\n");
  text.append(one_line(json(name))).append(": [");
  for (std::size_t i = 0; i < count; ++i) text.append(i == 0 ? "\n" : ",\n").append(one_line(value(i)));
  return text + "]\n}\n";
}

void refuse_deep_json(std::string_view text) {
  DepthCheck check;
  json::sax_parse(text, &check);
}

void refuse_deep_cbor(std::span<const std::uint8_t> bytes) {
  DepthCheck check;
  json::sax_parse(bytes, &check, json::input_format_t::cbor);
}

}  // namespace benchctl
