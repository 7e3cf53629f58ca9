#pragma once

#include <benchctl/backend.hpp>

#include "driver/instance.hpp"

namespace benchctl::vulkan {

[[nodiscard]] std::unique_ptr<Session> open_session(std::shared_ptr<const Instance> instance,
                                                    const FoundDevice& device,
                                                    const SessionOptions& options);

}  // namespace benchctl::vulkan
