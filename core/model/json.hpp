// JSON forms of the SDK's types: for the worker protocol, content keys, the store and exports. Field by
// field the same names as in the structs.
#pragma once

#include <benchctl/backend.hpp>

#include "model/measure.hpp"

#include <nlohmann/json_fwd.hpp>

namespace benchctl {

[[nodiscard]] nlohmann::json to_json(const Value& value);
[[nodiscard]] Value value_from_json(const nlohmann::json& json);
[[nodiscard]] nlohmann::json to_json(const Parameters& parameters);
[[nodiscard]] Parameters parameters_from_json(const nlohmann::json& json);

[[nodiscard]] nlohmann::json to_json(const DeviceInfo& device);
[[nodiscard]] DeviceInfo device_from_json(const nlohmann::json& json);
[[nodiscard]] nlohmann::json to_json(const KernelPlan& plan);
[[nodiscard]] KernelPlan kernel_plan_from_json(const nlohmann::json& json);
[[nodiscard]] nlohmann::json to_json(const VariantInfo& variant);
[[nodiscard]] VariantInfo variant_from_json(const nlohmann::json& json);

[[nodiscard]] nlohmann::json to_json(const SampleRequest& request);
[[nodiscard]] SampleRequest sample_request_from_json(const nlohmann::json& json);
[[nodiscard]] nlohmann::json to_json(const SampleBlock& block);
[[nodiscard]] SampleBlock sample_block_from_json(const nlohmann::json& json);
[[nodiscard]] nlohmann::json to_json(const Verification& verification);
[[nodiscard]] Verification verification_from_json(const nlohmann::json& json);
[[nodiscard]] nlohmann::json to_json(const MeasureSettings& settings);
[[nodiscard]] MeasureSettings measure_settings_from_json(const nlohmann::json& json);

/// The document in one line; bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string one_line(const nlohmann::json& json);

}  // namespace benchctl
