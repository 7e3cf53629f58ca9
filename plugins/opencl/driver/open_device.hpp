// A device that is in use: its context, its queue, and the few things that are done with them everywhere.
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

  /// Waits for all that is queued. Sticky Failure when something of it failed.
  void finish() const;

  /// A buffer with memory behind it: drivers allocate on first use, so it is filled with zeros once.
  /// Failure out_of_memory that names `what` and the bytes.
  [[nodiscard]] BufferHandle allocate(std::uint64_t bytes, const std::string& what) const;

  /// Sets a range of a buffer to one byte value, in the queue. `gate` (or null) is waited for; the event
  /// goes to `event` unless that is null.
  void enqueue_fill(cl_mem buffer, std::uint64_t offset, std::uint64_t bytes, std::byte value,
                    cl_event gate = nullptr, cl_event* event = nullptr) const;
};

}  // namespace benchctl::opencl
