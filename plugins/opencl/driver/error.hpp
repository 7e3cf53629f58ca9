// From OpenCL's error codes to benchctl's failures.
#pragma once

#include <benchctl/failure.hpp>

#include "driver/api.hpp"

#include <string>
#include <string_view>

namespace benchctl::opencl {

/// `CL_OUT_OF_RESOURCES (-5)`; drivers have codes of their own, which are shown as numbers.
[[nodiscard]] std::string error_name(cl_int status);

/// Throws the Failure that fits `status`, if it is an error. `doing` completes "cannot …".
void check(cl_int status, std::string_view doing);

/// The same for calls that wait for the device. An error there was raised by work that ran, and queue and
/// context are lost with it: the failure is sticky.
void check_executed(cl_int status, std::string_view doing);

}  // namespace benchctl::opencl
