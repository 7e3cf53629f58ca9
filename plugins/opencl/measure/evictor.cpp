#include "measure/evictor.hpp"

#include "compile/kernel_directory.hpp"
#include "compile/program.hpp"
#include "driver/error.hpp"

#include <algorithm>

namespace benchctl::opencl {

namespace {

constexpr std::uint64_t cpu_bytes = std::uint64_t{64} << 20U;
/// On a GPU more than any cache has: what NVIDIA's OpenCL reports is smaller than the last one.
constexpr std::uint64_t gpu_bytes = std::uint64_t{512} << 20U;
constexpr std::size_t work_items = 64 * 1024;

}  // namespace

void Evictor::prepare() {
  std::uint64_t bytes = std::max(2 * device_.info.last_level_cache_bytes,
                                 device_.info.type == DeviceType::gpu ? gpu_bytes : cpu_bytes);
  if (const std::uint64_t most = device_.info.limits.max_allocation_bytes; most != 0) {
    bytes = std::min(bytes, most);
  }
  words_ = bytes / sizeof(cl_uint4);
  buffer_ = device_.allocate(bytes, "the buffer that evicts the caches");
  sums_ = device_.allocate(work_items * sizeof(cl_uint), "the sums of the cache eviction");
  const std::filesystem::path file = kernel_directory() / "evict.cl";
  kernel_ = create_kernel(build_program(device_, file, {}, 1), "evict", file);
  const cl_mem buffer = buffer_.get();
  const cl_mem sums = sums_.get();
  const cl_ulong count = words_;
  check(api().clSetKernelArg(kernel_.get(), 0, sizeof buffer, &buffer), "set an argument of evict");
  check(api().clSetKernelArg(kernel_.get(), 1, sizeof count, &count), "set an argument of evict");
  check(api().clSetKernelArg(kernel_.get(), 2, sizeof sums, &sums), "set an argument of evict");
}

void Evictor::evict() {
  if (!kernel_) prepare();
  check(api().clEnqueueNDRangeKernel(device_.queue.get(), kernel_.get(), 1, nullptr, &work_items, nullptr,
                                     0, nullptr, nullptr),
        "launch the cache eviction");
  device_.finish();
}

}  // namespace benchctl::opencl
