// A device that is in use: its context, its queue, its memory.
#pragma once

#include <benchctl/backend.hpp>

#include "driver/handles.hpp"
#include "driver/platforms.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace benchctl::opencl {

/// Are the stamps of two commands, at least `pause` apart, no times? They differ by less than half of it.
[[nodiscard]] inline bool are_made_up(std::uint64_t before_ns, std::uint64_t after_ns,
                                      std::chrono::nanoseconds pause) {
  return after_ns < before_ns + static_cast<std::uint64_t>(pause.count()) / 2;
}

struct OpenDevice {
  /// Failure launch_error when the driver refuses, unsupported when its time stamps are made up.
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
