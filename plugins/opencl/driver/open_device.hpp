// A device that is in use: its context, its queue, its memory.
#pragma once

#include <benchctl/backend.hpp>

#include "driver/handles.hpp"
#include "driver/platforms.hpp"

#include <cstdint>
#include <string>

namespace benchctl::opencl {

struct OpenDevice {
  /// Failure launch_error when the driver refuses.
  OpenDevice(const FoundDevice& device, const SessionOptions& session_options);

  FoundDevice found;
  DeviceInfo info;
  SessionOptions options;
  ContextHandle context;
  QueueHandle queue;  ///< in order, with profiling

  /// A buffer with memory behind it: drivers allocate on first use, so it is filled with zeros once.
  /// Failure out_of_memory that names `what` and the bytes.
  [[nodiscard]] BufferHandle allocate(std::uint64_t bytes, const std::string& what) const;
};

}  // namespace benchctl::opencl
