// The kernels that wake a processor's threads: they meet, and nobody waits for ever.
#ifdef BENCHCTL_TEST_OPENCL_API
#include "fixture.hpp"

#include "handles.hpp"
#include "source_text.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <optional>

using namespace benchctl;
using namespace benchctl::opencl;
using namespace benchctl::test;

namespace {

std::optional<cl_device_id> processor() {
  std::array<cl_platform_id, 16> platforms{};
  cl_uint count = 0;
  if (api().clGetPlatformIDs(platforms.size(), platforms.data(), &count) != CL_SUCCESS) return std::nullopt;
  for (cl_uint i = 0; i < std::min<cl_uint>(count, platforms.size()); ++i) {
    cl_device_id device = nullptr;
    if (api().clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, nullptr) == CL_SUCCESS)
      return device;
  }
  return std::nullopt;
}

/// The program, two queues and its two words.
class Wake {
 public:
  explicit Wake(cl_device_id device) {
    cl_int status = CL_SUCCESS;
    context_ = ContextHandle(api().clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status));
    REQUIRE(status == CL_SUCCESS);
    for (QueueHandle& queue : queues_) {
      queue = QueueHandle(api().clCreateCommandQueue(context_.get(), device, 0, &status));
      REQUIRE(status == CL_SUCCESS);
    }
    const cl_uint zero = 0;
    for (BufferHandle& word : words_) {
      word = BufferHandle(api().clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, 64, nullptr, &status));
      REQUIRE(status == CL_SUCCESS);
      REQUIRE(api().clEnqueueWriteBuffer(queues_[0].get(), word.get(), CL_TRUE, 0, sizeof zero, &zero, 0,
                                         nullptr, nullptr) == CL_SUCCESS);
    }
    const std::string text = read_source(opencl_kernels() / "wake.cl", {});
    const char* source = text.c_str();
    program_ = ProgramHandle(api().clCreateProgramWithSource(context_.get(), 1, &source, nullptr, &status));
    REQUIRE(status == CL_SUCCESS);
    REQUIRE(api().clBuildProgram(program_.get(), 1, &device, "", nullptr, nullptr) == CL_SUCCESS);
  }

  void watch(cl_uint turn, std::size_t watchers) { launch("watch", 1, watchers, {turn}); }
  void call(cl_uint turn, cl_uint watchers) { launch("call", 0, 1, {turn, watchers}); }
  void finish() const {
    for (const QueueHandle& queue : queues_) REQUIRE(api().clFinish(queue.get()) == CL_SUCCESS);
  }
  [[nodiscard]] cl_uint arrived() const { return read(0); }
  [[nodiscard]] cl_uint called() const { return read(1); }

 private:
  void launch(const char* entry, std::size_t queue, std::size_t groups,
              const std::vector<cl_uint>& numbers) {
    cl_int status = CL_SUCCESS;
    const KernelHandle kernel(api().clCreateKernel(program_.get(), entry, &status));
    REQUIRE(status == CL_SUCCESS);
    cl_uint position = 0;
    for (const BufferHandle& word : words_) {
      cl_mem raw = word.get();
      REQUIRE(api().clSetKernelArg(kernel.get(), position++, sizeof raw, &raw) == CL_SUCCESS);
    }
    for (const cl_uint number : numbers) {
      REQUIRE(api().clSetKernelArg(kernel.get(), position++, sizeof number, &number) == CL_SUCCESS);
    }
    const std::size_t one = 1;
    REQUIRE(api().clEnqueueNDRangeKernel(queues_[queue].get(), kernel.get(), 1, nullptr, &groups, &one, 0,
                                         nullptr, nullptr) == CL_SUCCESS);
    REQUIRE(api().clFlush(queues_[queue].get()) == CL_SUCCESS);
  }
  [[nodiscard]] cl_uint read(std::size_t word) const {
    cl_uint value = 0;
    REQUIRE(api().clEnqueueReadBuffer(queues_[0].get(), words_[word].get(), CL_TRUE, 0, sizeof value,
                                      &value, 0, nullptr, nullptr) == CL_SUCCESS);
    return value;
  }

  ContextHandle context_;
  std::array<QueueHandle, 2> queues_;
  std::array<BufferHandle, 2> words_;
  ProgramHandle program_;
};

}  // namespace

TEST_CASE("threads that watch are called, turn after turn") {
  if (!api_missing().empty()) SKIP(api_missing());
  const auto device = processor();
  if (!device) SKIP("no OpenCL device that is a processor");
  Wake wake(*device);
  for (cl_uint turn = 1; turn <= 20; ++turn) {
    INFO("turn " << turn);
    wake.watch(turn, 3);
    wake.call(turn, 3);
    wake.finish();
    CHECK(wake.arrived() == 3 * turn);
    CHECK(wake.called() == turn);
  }
}

TEST_CASE("threads that nobody calls, and one that calls nobody, come to an end") {
  if (!api_missing().empty()) SKIP(api_missing());
  const auto device = processor();
  if (!device) SKIP("no OpenCL device that is a processor");
  Wake wake(*device);
  wake.watch(1, 2);
  wake.finish();
  CHECK(wake.arrived() == 2);
  CHECK(wake.called() == 0);
  wake.call(1, 9);
  wake.finish();
  CHECK(wake.called() == 1);
}
#endif
