#include "measure/evictor.hpp"

#include "compile/compiler.hpp"
#include "driver/context.hpp"
#include "gpu/self_path.hpp"

#include <array>

namespace benchctl::cuda {

namespace {

constexpr std::uint64_t word_bytes = 16;
constexpr unsigned threads_per_block = 256;
constexpr unsigned blocks_per_multiprocessor = 8;

std::uint64_t words_to_read(const DeviceInfo& device) {
  if (device.last_level_cache_bytes == 0) {
    throw Failure(FailureKind::unsupported,
                  "cache = \"cold\": the driver does not report the size of the L2 cache");
  }
  return 2 * device.last_level_cache_bytes / word_bytes;
}

}  // namespace

Evictor::Evictor(Context& context)
    : context_(context),
      words_(words_to_read(context.info())),
      buffer_(allocate(context.driver(), words_ * word_bytes, "emptying the L2 cache")),
      sink_(allocate(context.driver(), sizeof(unsigned), "emptying the L2 cache")) {
  const DriverApi& driver = context_.driver();
  KernelPlan plan;
  PlannedLaunch& launch = plan.launches.emplace_back();
  launch.source = (gpu::plugin_directory() / "kernels/cuda/evict.cu").string();
  launch.entry = "evict";
  const Compiler compiler(context_.libraries().nvrtc(), context_.options());
  const Modules modules = compiler.compile(plan, context_.info().architecture);
  module_ = load_module(driver, modules.begin()->second.code);
  driver.check(driver.module_get_function(&function_, module_.get(), "evict"), "finding kernel 'evict'");
  driver.check(driver.memset_d8_async(buffer_.get(), 0, words_ * word_bytes, context_.stream()),
               "zeroing the eviction buffer");
  enqueue();
  context_.synchronize("running kernel 'evict'");
}

void Evictor::enqueue() {
  CUdeviceptr buffer = buffer_.get();
  CUdeviceptr sink = sink_.get();
  std::uint64_t words = words_;
  std::array<void*, 3> arguments{&buffer, &words, &sink};
  const DriverApi& driver = context_.driver();
  driver.check(
      driver.launch_kernel(function_, blocks_per_multiprocessor * context_.info().compute_units, 1, 1,
                           threads_per_block, 1, 1, 0, context_.stream(), arguments.data(), nullptr),
      "launching kernel 'evict'");
}

}  // namespace benchctl::cuda
