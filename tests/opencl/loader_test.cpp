// What the plugin says on a machine without OpenCL. Built only where OpenCL's headers are.
#ifdef BENCHCTL_TEST_OPENCL_API
#include <benchctl/failure.hpp>

#include "driver/api.hpp"
#include "driver/error.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::opencl;

TEST_CASE("a missing loader is named, with what to install") {
  const Api functions = load_api("libOpenCL-of-nobody.so.1");
  CHECK(functions.missing.find("no OpenCL loader (libOpenCL-of-nobody.so.1)") != std::string::npos);
  CHECK(functions.missing.find("ocl-icd-libopencl1") != std::string::npos);
}

TEST_CASE("a library that is no loader is told from one") {
  CHECK(load_api("libm.so.6").missing.find("clGetPlatformIDs") != std::string::npos);
}

TEST_CASE("driver errors become the failures that fit") {
  const auto kind_of = [](cl_int status) {
    try {
      check(status, "do it");
    } catch (const Failure& failure) {
      CHECK_FALSE(failure.sticky());
      return failure.kind();
    }
    return FailureKind::unsupported;
  };
  CHECK_NOTHROW(check(CL_SUCCESS, "do it"));
  CHECK(kind_of(CL_MEM_OBJECT_ALLOCATION_FAILURE) == FailureKind::out_of_memory);
  CHECK(kind_of(CL_OUT_OF_HOST_MEMORY) == FailureKind::out_of_memory);
  CHECK(kind_of(CL_DEVICE_NOT_AVAILABLE) == FailureKind::no_device);
  CHECK(kind_of(CL_OUT_OF_RESOURCES) == FailureKind::launch_error);
  CHECK(kind_of(-9999) == FailureKind::launch_error);
}

TEST_CASE("an error of work that ran spoils the session") {
  CHECK_NOTHROW(check_executed(CL_SUCCESS, "finish"));
  for (const cl_int status : {CL_OUT_OF_RESOURCES, CL_INVALID_COMMAND_QUEUE, -9999}) {
    try {
      check_executed(status, "finish the queued work");
      FAIL("no failure");
    } catch (const Failure& failure) {
      CHECK(failure.kind() == FailureKind::launch_error);
      CHECK(failure.sticky());
      CHECK(std::string(failure.what()).find(std::to_string(status)) != std::string::npos);
    }
  }
}
#endif
