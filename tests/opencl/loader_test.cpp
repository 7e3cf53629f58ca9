// What the plugin says on a machine without OpenCL. Built only where OpenCL's headers are.
#ifdef BENCHCTL_TEST_OPENCL_API
#include "driver/api.hpp"
#include "driver/error.hpp"
#include "driver/open_device.hpp"
#include "support/catch.hpp"
#include "support/failure_of.hpp"

using namespace benchctl;
using namespace benchctl::opencl;

TEST_CASE("a missing loader is named, with what to install") {
  CHECK_THAT(load_api("libOpenCL-of-nobody.so.1").missing,
             test::HasAll({"no OpenCL loader (libOpenCL-of-nobody.so.1)", "ocl-icd-libopencl1"}));
}

TEST_CASE("a library that is no loader is told from one") {
  CHECK_THAT(load_api("libm.so.6").missing, ContainsSubstring("clGetPlatformIDs"));
}

TEST_CASE("driver errors become the failures that fit") {
  const auto kind_of = [](cl_int status) {
    const Failure failure = test::failure_of([&] { check(status, "do it"); });
    CHECK_FALSE(failure.sticky());
    return failure.kind();
  };
  CHECK_NOTHROW(check(CL_SUCCESS, "do it"));
  CHECK(kind_of(CL_MEM_OBJECT_ALLOCATION_FAILURE) == FailureKind::out_of_memory);
  CHECK(kind_of(CL_OUT_OF_HOST_MEMORY) == FailureKind::out_of_memory);
  CHECK(kind_of(CL_DEVICE_NOT_AVAILABLE) == FailureKind::no_device);
  CHECK(kind_of(CL_OUT_OF_RESOURCES) == FailureKind::launch_error);
  CHECK(kind_of(-9999) == FailureKind::launch_error);
}

TEST_CASE("stamps that do not go on with the host's clock are made up") {
  using std::chrono::milliseconds;
  CHECK(are_made_up(3, 3, milliseconds(1)));
  CHECK(are_made_up(3, 499'999, milliseconds(1)));
  CHECK(are_made_up(2'000'000, 1'000'000, milliseconds(1)));
  CHECK_FALSE(are_made_up(1'000'000, 2'000'000, milliseconds(1)));
  CHECK_FALSE(are_made_up(1'000'000, 1'500'000, milliseconds(1)));
}

TEST_CASE("an error of work that ran spoils the session") {
  CHECK_NOTHROW(check_executed(CL_SUCCESS, "finish"));
  for (const cl_int status : {CL_OUT_OF_RESOURCES, CL_INVALID_COMMAND_QUEUE, -9999}) {
    const Failure failure = test::failure_of([&] { check_executed(status, "finish the queued work"); });
    CHECK(failure.kind() == FailureKind::launch_error);
    CHECK(failure.sticky());
    CHECK_THAT(failure.what(), ContainsSubstring(std::to_string(status)));
  }
}
#endif
