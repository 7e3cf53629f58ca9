// JSON forms of the SDK's types: for content keys, the store and exports. Field by field the same names as
// in the structs.
#pragma once

#include <benchctl/backend.hpp>

#include "model/measure.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

namespace benchctl {

[[nodiscard]] nlohmann::json to_json(const Value& value);
[[nodiscard]] Value value_from_json(const nlohmann::json& json);
[[nodiscard]] nlohmann::json to_json(const Parameters& parameters);
[[nodiscard]] Parameters parameters_from_json(const nlohmann::json& json);

[[nodiscard]] nlohmann::json to_json(const DeviceInfo& device);
[[nodiscard]] DeviceInfo device_from_json(const nlohmann::json& json);
[[nodiscard]] nlohmann::json to_json(const VariantInfo& variant);
[[nodiscard]] VariantInfo variant_from_json(const nlohmann::json& json);

[[nodiscard]] nlohmann::json to_json(const MeasureSettings& settings);
[[nodiscard]] MeasureSettings measure_settings_from_json(const nlohmann::json& json);

/// The document in one line; bytes that are no UTF-8 become U+FFFD, numbers that are not finite null, and
/// what a terminal would obey an escape.
[[nodiscard]] std::string one_line(const nlohmann::json& json);
[[nodiscard]] std::string one_line(const nlohmann::ordered_json& json);
/// The same in many lines, indented by two, with a newline at the end.
[[nodiscard]] std::string many_lines(const nlohmann::json& json);
[[nodiscard]] std::string many_lines(const nlohmann::ordered_json& json);

/// An array of what `json` makes of each value; it has the type that `json` returns.
template <class Values, class ToJson>
[[nodiscard]] auto list_of(const Values& values, ToJson json) {
  auto list = decltype(json(*std::begin(values)))::array();
  for (const auto& value : values) list.push_back(json(value));
  return list;
}

/// An object with a line for each of `members` and, as its last member, the list `name`: its `count` values
/// are made and written one by one, a line each, so that only one of them is held beside the text. Ends
/// with a newline.
[[nodiscard]] std::string json_with_list(const nlohmann::ordered_json& members, std::string_view name,
                                         std::size_t count,
                                         const std::function<nlohmann::ordered_json(std::size_t)>& value);

/// Throws std::invalid_argument for a document that is nested deeper than 64 levels: to parse, to copy and
/// to write it takes stack for each level. To be called before it is parsed. Other errors are left to the
/// parser.
void refuse_deep_json(std::string_view text);
/// The same for CBOR.
void refuse_deep_cbor(std::span<const std::uint8_t> bytes);

}  // namespace benchctl
