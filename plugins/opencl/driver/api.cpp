#include "driver/api.hpp"

#include <benchctl/failure.hpp>

#include <dlfcn.h>

namespace benchctl::opencl {

namespace {

const Api& process_api() {
  static const Api functions = load_api("libOpenCL.so.1");
  return functions;
}

}  // namespace

Api load_api(const char* library) {
  Api functions;
  void* handle = dlopen(nullptr, RTLD_NOW);
  if (handle == nullptr || dlsym(handle, "clGetPlatformIDs") == nullptr) {
    handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  }
  if (handle == nullptr) {
    functions.missing = "no OpenCL loader (" + std::string(library) +
                        "): install one, on Debian and Ubuntu the package ocl-icd-libopencl1";
    return functions;
  }
  // The loader stays open for the life of the process: drivers do not survive being unloaded.
#define BENCHCTL_OPENCL_FIND(function)                                                               \
  functions.function = reinterpret_cast<decltype(functions.function)>(dlsym(handle, #function));     \
  if (functions.function == nullptr) {                                                               \
    functions.missing = "the OpenCL loader is older than OpenCL 1.2: it has no function " #function; \
    return functions;                                                                                \
  }
  BENCHCTL_OPENCL_FUNCTIONS(BENCHCTL_OPENCL_FIND)
#undef BENCHCTL_OPENCL_FIND
  return functions;
}

const std::string& api_missing() { return process_api().missing; }

const Api& api() {
  const Api& functions = process_api();
  if (!functions.missing.empty()) throw Failure(FailureKind::no_device, functions.missing);
  return functions;
}

}  // namespace benchctl::opencl
