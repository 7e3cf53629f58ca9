#include "measure/evictor.hpp"

#include "gpu/self_path.hpp"

#include <algorithm>

namespace benchctl::vulkan {

namespace {

constexpr std::uint64_t gpu_bytes = std::uint64_t{512} << 20U;
constexpr std::uint64_t cpu_bytes = std::uint64_t{64} << 20U;
constexpr std::uint64_t evict_block = 256;
constexpr std::uint64_t evict_blocks = 256;

/// The eviction as a problem and a plan of its own.
ProblemRequest request_of(const OpenDevice& device) {
  const DeviceLimits& limits = device.info().limits;
  const std::uint64_t wanted = device.info().type == DeviceType::cpu ? cpu_bytes : gpu_bytes;
  const std::uint64_t bytes =
      std::min({wanted, limits.max_allocation_bytes, limits.memory_bytes / 4}) / 16 * 16;
  ProblemRequest request;
  request.spec.workload = "eviction";
  request.spec.buffers = {{"words", DType::u32, bytes / 4, BufferRole::in, Space::device},
                          {"sums", DType::u32, evict_block * evict_blocks, BufferRole::out, Space::device}};
  request.spec.scalars = {{"count", DType::u32, static_cast<std::int64_t>(bytes / 16)}};
  for (const BufferSpec& buffer : request.spec.buffers) request.allocation.push_back(buffer.bytes());
  return request;
}

KernelPlan plan_of(const std::vector<ScalarSpec>& scalars) {
  PlannedLaunch launch;
  launch.source = (gpu::plugin_directory() / "kernels/vulkan/evict.comp").string();
  launch.entry = "evict";
  launch.block = {evict_block, 1, 1};
  launch.grid = {evict_blocks, 1, 1};
  launch.arguments = {{PlannedArgument::Kind::buffer, 0},
                      {PlannedArgument::Kind::buffer, 1},
                      {PlannedArgument::Kind::scalar, 0}};
  return {{launch}, {}, scalars};
}

}  // namespace

struct Evictor::Parts {
  explicit Parts(const OpenDevice& device)
      : buffers(device, request_of(device)),
        work(device, buffers, plan_of(buffers.spec().scalars)),
        commands(device) {
    work.record(commands, 0);
    commands.end();
  }

  Buffers buffers;
  KernelWork work;
  Commands commands;
};

void Evictor::evict() {
  if (!parts_) parts_ = std::make_shared<const Parts>(device_);
  device_.submit(parts_->commands);
}

}  // namespace benchctl::vulkan
