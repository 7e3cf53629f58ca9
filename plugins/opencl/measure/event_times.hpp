// Device time between events.
#pragma once

#include "driver/handles.hpp"

namespace benchctl::opencl {

/// Nanoseconds from the stamp `from` of one event to the stamp `to` of another, by the device's clock. Both
/// have ended. 0 when the driver has no usable stamps for them.
[[nodiscard]] inline double duration_ns(const EventHandle& first, const EventHandle& last,
                                        cl_profiling_info from, cl_profiling_info to) {
  const auto stamp = [](const EventHandle& event, cl_profiling_info which) {
    cl_ulong value = 0;
    const cl_int status = api().clGetEventProfilingInfo(event.get(), which, sizeof value, &value, nullptr);
    return status == CL_SUCCESS ? value : cl_ulong{0};
  };
  const cl_ulong start = stamp(first, from);
  const cl_ulong end = stamp(last, to);
  return start == 0 || end <= start ? 0.0 : static_cast<double>(end - start);
}

}  // namespace benchctl::opencl
