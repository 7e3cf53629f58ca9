// Holding the queue: nothing starts before everything is queued, so that the time between launches is the
// device's and not the host's.
#pragma once

#include "driver/handles.hpp"
#include "gpu/gate.hpp"

#include <string>

namespace benchctl::opencl {

struct OpenDevice;

/// Why the queue of this device must not be held in this process, or an empty text: simulators hang on it,
/// and so may a debugger.
[[nodiscard]] std::string gate_objection(const OpenDevice& device);

/// Is this device held by a kernel in front of a sample (hold.hpp) and not by a user event? GPUs are,
/// unless BENCHCTL_OPENCL_HOLD says `event`; others are when it says `kernel`.
[[nodiscard]] bool held_by_kernel(const OpenDevice& device);

/// A user event that the first command of a sample waits for. A driver may wait, inside a call that queues
/// a command, for commands that wait for the gate; so a watchdog opens it after two seconds.
class Gate {
 public:
  explicit Gate(cl_context context);
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate();

  /// A closed gate; the event stays valid until `close` is called again.
  [[nodiscard]] cl_event close();
  /// Opens it. False when the watchdog came first, so that the sample was not held.
  bool open();

 private:
  cl_context context_;
  EventHandle event_;
  gpu::GateWatchdog watchdog_;  // last: its thread ends first
};

}  // namespace benchctl::opencl
