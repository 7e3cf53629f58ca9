// From Vulkan's results to benchctl's failures.
#pragma once

#include <benchctl/failure.hpp>

#include "driver/api.hpp"

#include <string>
#include <string_view>

namespace benchctl::vulkan {

/// `VK_ERROR_DEVICE_LOST (-4)`; a result that this plugin does not know is shown as its number.
[[nodiscard]] std::string result_name(VkResult result);

/// Throws the Failure that fits `result`, if it is an error; sticky when the device is lost. `doing`
/// completes "Vulkan cannot …".
void check(VkResult result, std::string_view doing);

}  // namespace benchctl::vulkan
