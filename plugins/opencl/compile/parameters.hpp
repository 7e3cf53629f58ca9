// The parameters of a compiled kernel, compared with what its description passes.
#pragma once

#include <benchctl/kernel_spec.hpp>

#include "driver/api.hpp"

namespace benchctl::opencl {

/// Failure compile_error where the kernel has another number of parameters than `launch` has arguments, or
/// where the driver tells that one is not what is passed: memory for a number, a number of another type, or
/// a whole number that the parameter's type does not hold. Failure unsupported for images, samplers and
/// pipes. A driver tells nothing of some binaries, and
/// nothing of types that the kernel's file names itself.
void check_parameters(cl_kernel kernel, const PlannedLaunch& launch, const KernelPlan& plan);

}  // namespace benchctl::opencl
