#include "driver/api.hpp"

#include <benchctl/failure.hpp>
#include <benchctl/shared_library.hpp>

namespace benchctl::opencl {

namespace {

const Api& process_api() {
  static const Api functions = load_api("libOpenCL.so.1");
  return functions;
}

}  // namespace

Api load_api(const char* library) {
  Api functions;
  try {
    SharedLibrary loader;
    if (!loader.find(functions.clGetPlatformIDs, "clGetPlatformIDs")) {
      loader = SharedLibrary("an OpenCL loader", {library});
    }
#define BENCHCTL_OPENCL_FIND(function)                                                               \
  if (!loader.find(functions.function, #function)) {                                                 \
    functions.missing = "the OpenCL loader is older than OpenCL 1.2: it has no function " #function; \
    return functions;                                                                                \
  }
    BENCHCTL_OPENCL_FUNCTIONS(BENCHCTL_OPENCL_FIND)
#undef BENCHCTL_OPENCL_FIND
  } catch (const LibraryError&) {
    functions.missing = "no OpenCL loader (" + std::string(library) +
                        "): install one, on Debian and Ubuntu the package ocl-icd-libopencl1";
  }
  return functions;
}

const std::string& api_missing() { return process_api().missing; }

const Api& api() {
  const Api& functions = process_api();
  if (!functions.missing.empty()) throw Failure(FailureKind::no_device, functions.missing);
  return functions;
}

}  // namespace benchctl::opencl
