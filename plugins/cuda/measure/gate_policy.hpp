// May a stream be held back in this process?
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace benchctl::cuda {

/// Why holding a stream would hang or distort here, or an empty text. A profiler, sanitizer or debugger, or
/// a driver told to make every launch blocking, may wait inside a launch for work that waits for the gate.
/// `environment` holds `NAME=value` entries; `tracer_pid` is that of /proc/self/status, 0 for none.
[[nodiscard]] std::string gate_objection(std::span<const std::string_view> environment, long tracer_pid);

/// The same for this process as it is.
[[nodiscard]] std::string gate_objection_here();

}  // namespace benchctl::cuda
