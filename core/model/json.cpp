#include "model/json.hpp"

#include "model/json_forms.hpp"
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

BENCHCTL_JSON_RECORD(MeasureSettings, cache, launch, basis, precision, target, min_samples, max_samples,
                     max_seconds, fixed_samples, min_sample_ns, min_timer_steps, warmup_seconds,
                     span_seconds, mode, replicates, seed, observe)

json to_json(const Value& value) { return written(value); }
Value value_from_json(const json& j) { return read_as<Value>(j); }
json to_json(const Parameters& parameters) { return written(parameters); }
Parameters parameters_from_json(const json& j) { return read_as<Parameters>(j); }
json to_json(const DeviceInfo& device) { return written(device); }
DeviceInfo device_from_json(const json& j) { return read_as<DeviceInfo>(j); }
json to_json(const VariantInfo& variant) { return written(variant); }
VariantInfo variant_from_json(const json& j) { return read_as<VariantInfo>(j); }

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
