#include "driver/driver_api.hpp"

namespace benchctl::cuda {

DriverApi::DriverApi() {
  std::string name;
  try {
    const SharedLibrary library = open_driver();
    name = library.name();
#define BENCHCTL_CUDA_BIND(member, symbol, declaration) library.bind(member, symbol);
    BENCHCTL_CUDA_DRIVER_FUNCTIONS(BENCHCTL_CUDA_BIND)
#undef BENCHCTL_CUDA_BIND
  } catch (const LibraryError& error) {
    const std::string what = name.empty() ? "no CUDA driver: " : "the CUDA driver cannot be used: ";
    const std::string advice = name.empty() ? "" : "; install CUDA 12.4's or newer";
    throw Failure(FailureKind::no_device, what + error.what() + advice);
  }
  if (const CUresult result = init(0); result != CUDA_SUCCESS) {
    throw Failure(FailureKind::no_device,
                  "the CUDA driver (" + name + ") did not start: " + describe(result));
  }
}

int DriverApi::version() const {
  int number = 0;
  check(driver_get_version(&number), "asking for the driver's version");
  return number;
}

std::string DriverApi::describe(CUresult result) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (get_error_name(result, &name) != CUDA_SUCCESS || name == nullptr) {
    return "CUDA error " + std::to_string(static_cast<int>(result));
  }
  if (get_error_string(result, &text) != CUDA_SUCCESS || text == nullptr) return name;
  return std::string(name) + ": " + text;
}

void DriverApi::check(CUresult result, const std::string& doing) const {
  if (result == CUDA_SUCCESS) return;
  const FailureKind kind =
      result == CUDA_ERROR_OUT_OF_MEMORY ? FailureKind::out_of_memory : FailureKind::launch_error;
  throw Failure(kind, doing + " failed: " + describe(result), loses_context(result));
}

bool loses_context(CUresult result) noexcept {
  switch (result) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_EXTERNAL_DEVICE:
    case CUDA_ERROR_UNKNOWN:
      return true;
    default:
      return false;
  }
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace benchctl::cuda
