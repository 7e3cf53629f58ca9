// benchctl's session on one OpenCL device.
#pragma once

#include <benchctl/backend.hpp>

#include "driver/platforms.hpp"

namespace benchctl::opencl {

[[nodiscard]] std::unique_ptr<Session> open_session(const FoundDevice& device,
                                                    const SessionOptions& options);

}  // namespace benchctl::opencl
