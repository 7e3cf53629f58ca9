// What the driver says of a device, in benchctl's words.
#pragma once

#include <benchctl/device.hpp>

#include "driver/device_query.hpp"

namespace benchctl::vulkan {

/// `id` as FoundDevice has it.
[[nodiscard]] DeviceInfo describe(const DeviceQuery& query, const std::string& id);

/// Nanoseconds between two ticks of the clock behind time stamps and clockRealtimeEXT.
[[nodiscard]] inline double tick_ns(const DeviceQuery& query) {
  return static_cast<double>(query.properties().limits.timestampPeriod);
}

}  // namespace benchctl::vulkan
