// Naming points by what they are: `match` tables of configs.
#pragma once

#include "model/point.hpp"

#include <optional>
#include <string>

namespace benchctl {

/// What a point says to a name: `workload`, `variant`, `backend`, `device`, `device_type`, `layout`,
/// `cache`, `launch`, `basis`, a problem parameter or a tunable. Nothing when it has no such name.
[[nodiscard]] std::optional<Value> value_at(const Point& point, const std::string& name,
                                            std::optional<DeviceType> device_type);

/// Does the point have every name of `wanted`, with that value?
[[nodiscard]] bool matches(const Point& point, const Parameters& wanted,
                           std::optional<DeviceType> device_type);

}  // namespace benchctl
