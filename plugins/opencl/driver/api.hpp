// The OpenCL functions in use, found at run time. The plugin is not linked to a loader, so that it can be
// read (its variants, its reason for having no device) on a machine that has none.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS  // clCreateCommandQueue: devices of version 1.2 know no other
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <string>

namespace benchctl::opencl {

/// OpenCL 1.2 functions: all that the plugin calls.
#define BENCHCTL_OPENCL_FUNCTIONS(X)  \
  X(clGetPlatformIDs)                 \
  X(clGetPlatformInfo)                \
  X(clGetDeviceIDs)                   \
  X(clGetDeviceInfo)                  \
  X(clCreateContext)                  \
  X(clReleaseContext)                 \
  X(clCreateCommandQueue)             \
  X(clReleaseCommandQueue)            \
  X(clCreateBuffer)                   \
  X(clReleaseMemObject)               \
  X(clSetMemObjectDestructorCallback) \
  X(clCreateProgramWithSource)        \
  X(clCreateProgramWithBinary)        \
  X(clBuildProgram)                   \
  X(clGetProgramInfo)                 \
  X(clGetProgramBuildInfo)            \
  X(clReleaseProgram)                 \
  X(clCreateKernel)                   \
  X(clReleaseKernel)                  \
  X(clSetKernelArg)                   \
  X(clGetKernelInfo)                  \
  X(clGetKernelArgInfo)               \
  X(clGetKernelWorkGroupInfo)         \
  X(clEnqueueNDRangeKernel)           \
  X(clEnqueueReadBuffer)              \
  X(clEnqueueWriteBuffer)             \
  X(clEnqueueFillBuffer)              \
  X(clEnqueueMapBuffer)               \
  X(clEnqueueUnmapMemObject)          \
  X(clEnqueueCopyBuffer)              \
  X(clEnqueueMarkerWithWaitList)      \
  X(clCreateUserEvent)                \
  X(clSetUserEventStatus)             \
  X(clGetEventInfo)                   \
  X(clGetEventProfilingInfo)          \
  X(clRetainEvent)                    \
  X(clReleaseEvent)                   \
  X(clFlush)                          \
  X(clFinish)

struct Api {
#define BENCHCTL_OPENCL_MEMBER(function) decltype(&::function) function = nullptr;
  BENCHCTL_OPENCL_FUNCTIONS(BENCHCTL_OPENCL_MEMBER)
#undef BENCHCTL_OPENCL_MEMBER
  /// Why the functions cannot be called; empty when they can.
  std::string missing;
};

/// Opens the loader of that name. An OpenCL implementation that was preloaded into the process (that is how
/// `oclgrind` works) comes first.
[[nodiscard]] Api load_api(const char* library);

/// The functions of this process. Failure no_device with the reason when there are none.
[[nodiscard]] const Api& api();
/// Why `api` would fail; empty when it would not.
[[nodiscard]] const std::string& api_missing();

}  // namespace benchctl::opencl
