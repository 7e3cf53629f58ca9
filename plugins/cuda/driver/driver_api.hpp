// The functions of the CUDA driver that this plugin uses, taken from libcuda.so.1 at run time.
#pragma once

#include <benchctl/failure.hpp>

#include <cuda.h>

#include "driver/toolkit.hpp"

#include <string>

namespace benchctl::cuda {

/// member, exported symbol, declaration in cuda.h that has its signature. Symbols are written out with
/// their version: the macros of a newer cuda.h would name functions that an older driver lacks.
#define BENCHCTL_CUDA_DRIVER_FUNCTIONS(X)                                                   \
  X(init, "cuInit", cuInit)                                                                 \
  X(driver_get_version, "cuDriverGetVersion", cuDriverGetVersion)                           \
  X(get_error_name, "cuGetErrorName", cuGetErrorName)                                       \
  X(get_error_string, "cuGetErrorString", cuGetErrorString)                                 \
  X(device_get_count, "cuDeviceGetCount", cuDeviceGetCount)                                 \
  X(device_get, "cuDeviceGet", cuDeviceGet)                                                 \
  X(device_get_name, "cuDeviceGetName", cuDeviceGetName)                                    \
  X(device_get_uuid, "cuDeviceGetUuid_v2", cuDeviceGetUuid)                                 \
  X(device_total_mem, "cuDeviceTotalMem_v2", cuDeviceTotalMem)                              \
  X(device_get_attribute, "cuDeviceGetAttribute", cuDeviceGetAttribute)                     \
  X(primary_ctx_retain, "cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain)               \
  X(primary_ctx_release, "cuDevicePrimaryCtxRelease_v2", cuDevicePrimaryCtxRelease)         \
  X(ctx_set_current, "cuCtxSetCurrent", cuCtxSetCurrent)                                    \
  X(mem_get_info, "cuMemGetInfo_v2", cuMemGetInfo)                                          \
  X(mem_alloc, "cuMemAlloc_v2", cuMemAlloc)                                                 \
  X(mem_free, "cuMemFree_v2", cuMemFree)                                                    \
  X(mem_host_alloc, "cuMemHostAlloc", cuMemHostAlloc)                                       \
  X(mem_free_host, "cuMemFreeHost", cuMemFreeHost)                                          \
  X(mem_host_get_device_pointer, "cuMemHostGetDevicePointer_v2", cuMemHostGetDevicePointer) \
  X(memcpy_htod_async, "cuMemcpyHtoDAsync_v2", cuMemcpyHtoDAsync)                           \
  X(memcpy_dtoh_async, "cuMemcpyDtoHAsync_v2", cuMemcpyDtoHAsync)                           \
  X(memcpy_dtod_async, "cuMemcpyDtoDAsync_v2", cuMemcpyDtoDAsync)                           \
  X(memset_d8_async, "cuMemsetD8Async", cuMemsetD8Async)                                    \
  X(memset_d32_async, "cuMemsetD32Async", cuMemsetD32Async)                                 \
  X(stream_create, "cuStreamCreate", cuStreamCreate)                                        \
  X(stream_destroy, "cuStreamDestroy_v2", cuStreamDestroy)                                  \
  X(stream_synchronize, "cuStreamSynchronize", cuStreamSynchronize)                         \
  X(stream_wait_event, "cuStreamWaitEvent", cuStreamWaitEvent)                              \
  X(stream_wait_value32, "cuStreamWaitValue32_v2", cuStreamWaitValue32)                     \
  X(stream_begin_capture, "cuStreamBeginCapture_v2", cuStreamBeginCapture)                  \
  X(stream_end_capture, "cuStreamEndCapture", cuStreamEndCapture)                           \
  X(event_create, "cuEventCreate", cuEventCreate)                                           \
  X(event_destroy, "cuEventDestroy_v2", cuEventDestroy)                                     \
  X(event_record, "cuEventRecord", cuEventRecord)                                           \
  X(event_synchronize, "cuEventSynchronize", cuEventSynchronize)                            \
  X(event_elapsed_time, "cuEventElapsedTime", cuEventElapsedTime)                           \
  X(module_load_data, "cuModuleLoadData", cuModuleLoadData)                                 \
  X(module_unload, "cuModuleUnload", cuModuleUnload)                                        \
  X(module_get_function, "cuModuleGetFunction", cuModuleGetFunction)                        \
  X(module_get_global, "cuModuleGetGlobal_v2", cuModuleGetGlobal)                           \
  X(func_get_attribute, "cuFuncGetAttribute", cuFuncGetAttribute)                           \
  X(func_set_attribute, "cuFuncSetAttribute", cuFuncSetAttribute)                           \
  X(func_get_param_info, "cuFuncGetParamInfo", cuFuncGetParamInfo)                          \
  X(launch_kernel, "cuLaunchKernel", cuLaunchKernel)                                        \
  X(launch_kernel_ex, "cuLaunchKernelEx", cuLaunchKernelEx)                                 \
  X(occupancy_max_active_blocks, "cuOccupancyMaxActiveBlocksPerMultiprocessor",             \
    cuOccupancyMaxActiveBlocksPerMultiprocessor)                                            \
  X(tensor_map_encode_tiled, "cuTensorMapEncodeTiled", cuTensorMapEncodeTiled)              \
  X(graph_instantiate, "cuGraphInstantiateWithFlags", cuGraphInstantiateWithFlags)          \
  X(graph_upload, "cuGraphUpload", cuGraphUpload)                                           \
  X(graph_launch, "cuGraphLaunch", cuGraphLaunch)                                           \
  X(graph_exec_destroy, "cuGraphExecDestroy", cuGraphExecDestroy)                           \
  X(graph_destroy, "cuGraphDestroy", cuGraphDestroy)

struct DriverApi {
#define BENCHCTL_CUDA_MEMBER(member, symbol, declaration) decltype(::declaration)* member = nullptr;
  BENCHCTL_CUDA_DRIVER_FUNCTIONS(BENCHCTL_CUDA_MEMBER)
#undef BENCHCTL_CUDA_MEMBER

  /// Opens libcuda and calls cuInit. Throws Failure(no_device) with the reason: no driver, no device, a
  /// driver that is too old.
  DriverApi();

  /// 13000 for CUDA 13.0.
  [[nodiscard]] int version() const;
  /// "CUDA_ERROR_INVALID_VALUE: invalid argument".
  [[nodiscard]] std::string describe(CUresult result) const;
  /// Throws Failure(launch_error, or out_of_memory for that code), saying what was being done ("launching
  /// kernel 'x'"); sticky when the context is lost.
  void check(CUresult result, const std::string& doing) const;

  /// For handles.
  template <class Member, class T>
  void release(Member member, T raw) const noexcept {
    static_cast<void>((this->*member)(raw));
  }
};

/// Codes after which every further call in the context fails.
[[nodiscard]] bool loses_context(CUresult result) noexcept;

/// "13.0" for 13000.
[[nodiscard]] std::string version_text(int version);

}  // namespace benchctl::cuda
