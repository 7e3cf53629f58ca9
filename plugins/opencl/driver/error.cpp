#include "driver/error.hpp"

#include <array>
#include <utility>

namespace benchctl::opencl {

namespace {

#define BENCHCTL_OPENCL_ERROR(code) \
  std::pair<cl_int, std::string_view> { code, #code }
constexpr std::array error_names{
    BENCHCTL_OPENCL_ERROR(CL_DEVICE_NOT_FOUND),
    BENCHCTL_OPENCL_ERROR(CL_DEVICE_NOT_AVAILABLE),
    BENCHCTL_OPENCL_ERROR(CL_COMPILER_NOT_AVAILABLE),
    BENCHCTL_OPENCL_ERROR(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    BENCHCTL_OPENCL_ERROR(CL_OUT_OF_RESOURCES),
    BENCHCTL_OPENCL_ERROR(CL_OUT_OF_HOST_MEMORY),
    BENCHCTL_OPENCL_ERROR(CL_PROFILING_INFO_NOT_AVAILABLE),
    BENCHCTL_OPENCL_ERROR(CL_MEM_COPY_OVERLAP),
    BENCHCTL_OPENCL_ERROR(CL_BUILD_PROGRAM_FAILURE),
    BENCHCTL_OPENCL_ERROR(CL_MISALIGNED_SUB_BUFFER_OFFSET),
    BENCHCTL_OPENCL_ERROR(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_VALUE),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_DEVICE_TYPE),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_PLATFORM),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_DEVICE),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_CONTEXT),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_QUEUE_PROPERTIES),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_COMMAND_QUEUE),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_HOST_PTR),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_MEM_OBJECT),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_BINARY),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_BUILD_OPTIONS),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_PROGRAM),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_PROGRAM_EXECUTABLE),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_KERNEL_NAME),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_KERNEL_DEFINITION),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_KERNEL),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_ARG_INDEX),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_ARG_VALUE),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_ARG_SIZE),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_KERNEL_ARGS),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_WORK_DIMENSION),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_WORK_GROUP_SIZE),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_WORK_ITEM_SIZE),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_GLOBAL_OFFSET),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_EVENT_WAIT_LIST),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_EVENT),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_OPERATION),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_BUFFER_SIZE),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_GLOBAL_WORK_SIZE),
    BENCHCTL_OPENCL_ERROR(CL_INVALID_PROPERTY),
    BENCHCTL_OPENCL_ERROR(CL_PLATFORM_NOT_FOUND_KHR),
};
#undef BENCHCTL_OPENCL_ERROR

FailureKind kind_of(cl_int status) {
  switch (status) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_HOST_MEMORY:
      return FailureKind::out_of_memory;
    case CL_DEVICE_NOT_FOUND:
    case CL_DEVICE_NOT_AVAILABLE:
    case CL_PLATFORM_NOT_FOUND_KHR:
      return FailureKind::no_device;
    case CL_COMPILER_NOT_AVAILABLE:
    case CL_INVALID_WORK_GROUP_SIZE:
      return FailureKind::unsupported;
    default:
      return FailureKind::launch_error;
  }
}

std::string sentence(cl_int status, std::string_view doing) {
  return "OpenCL cannot " + std::string(doing) + ": " + error_name(status);
}

}  // namespace

std::string error_name(cl_int status) {
  const std::string number = std::to_string(status);
  for (const auto& [code, name] : error_names) {
    if (code == status) return std::string(name) + " (" + number + ")";
  }
  return "the driver's own error code " + number;
}

void check(cl_int status, std::string_view doing) {
  if (status != CL_SUCCESS) throw Failure(kind_of(status), sentence(status, doing));
}

void check_executed(cl_int status, std::string_view doing) {
  if (status == CL_SUCCESS) return;
  const FailureKind kind = kind_of(status);
  throw Failure(kind, sentence(status, doing), kind == FailureKind::launch_error);
}

}  // namespace benchctl::opencl
