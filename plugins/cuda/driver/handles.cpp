#include "driver/handles.hpp"

#include <algorithm>

namespace benchctl::cuda {

Stream make_stream(const DriverApi& driver) {
  CUstream stream = nullptr;
  driver.check(driver.stream_create(&stream, CU_STREAM_NON_BLOCKING), "creating a stream");
  return {driver, stream};
}

Event make_event(const DriverApi& driver, unsigned flags) {
  CUevent event = nullptr;
  driver.check(driver.event_create(&event, flags), "creating an event");
  return {driver, event};
}

Module load_module(const DriverApi& driver, const std::vector<char>& cubin) {
  CUmodule module = nullptr;
  const CUresult result = driver.module_load_data(&module, cubin.data());
  if (result == CUDA_ERROR_NO_BINARY_FOR_GPU || result == CUDA_ERROR_INVALID_IMAGE ||
      result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION) {
    throw Failure(FailureKind::unsupported,
                  "the driver (CUDA " + version_text(driver.version()) +
                      ") cannot load the compiled kernel: " + driver.describe(result) +
                      "; NVRTC must not be of a newer major version than the driver");
  }
  driver.check(result, "loading a compiled kernel");
  return {driver, module};
}

DeviceMemory allocate(const DriverApi& driver, std::uint64_t bytes, const std::string& what) {
  CUdeviceptr pointer = 0;
  const CUresult result = driver.mem_alloc(&pointer, std::max<std::uint64_t>(bytes, 1));
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    std::size_t free = 0;
    std::size_t total = 0;
    const bool known = driver.mem_get_info(&free, &total) == CUDA_SUCCESS;
    throw Failure(
        FailureKind::out_of_memory,
        "allocating " + std::to_string(bytes) + " bytes of device memory for " + what + " failed" +
            (known ? ": " + std::to_string(free) + " of " + std::to_string(total) + " bytes are free"
                   : std::string()));
  }
  driver.check(result, "allocating " + std::to_string(bytes) + " bytes of device memory for " + what);
  return {driver, pointer};
}

PinnedMemory allocate_pinned(const DriverApi& driver, std::uint64_t bytes, const std::string& what) {
  void* pointer = nullptr;
  driver.check(
      driver.mem_host_alloc(&pointer, std::max<std::uint64_t>(bytes, 1), CU_MEMHOSTALLOC_DEVICEMAP),
      "allocating " + std::to_string(bytes) + " bytes of pinned host memory for " + what);
  return {driver, pointer};
}

}  // namespace benchctl::cuda
