// A KernelPlan on a device: its scratch memory, and the order of its launches.
#pragma once

#include "gpu/buffers.hpp"

namespace benchctl::gpu {

/// Where a plan's arguments find their memory.
template <class Device>
struct PlanMemory {
  struct Scratch {
    typename Device::Memory memory;
    std::uint64_t bytes = 0;
    bool zeroed = false;  ///< before every execution
  };

  PlanMemory(Device& device, const Buffers<Device>& of_problem, const KernelPlan& plan)
      : buffers(of_problem) {
    for (const PlannedScratch& one : plan.scratch) {
      const std::uint64_t bytes = one.count * size_of(one.type);
      scratch.push_back({device.allocate(Space::device, bytes, "scratch buffer '" + one.name + "'"), bytes,
                         one.zeroed && bytes > 0});
    }
  }

  /// The memory of an argument that is a buffer or scratch memory.
  [[nodiscard]] const typename Device::Memory& of(const PlannedArgument& argument,
                                                  std::uint32_t set) const {
    return argument.kind == PlannedArgument::Kind::scratch ? scratch.at(argument.index).memory
                                                           : buffers.get(set, argument.index);
  }

  const Buffers<Device>& buffers;
  std::vector<Scratch> scratch;
};

/// `Device::Kernels` are the plan's launches: compiled, arguments bound. Its `launch(i, set)` queues one.
template <class Device>
class KernelWork final : public Work {
 public:
  /// Failure out_of_memory for scratch memory, and those of Device::Kernels.
  KernelWork(Device& device, const Buffers<Device>& buffers, const KernelPlan& plan)
      : Work(title_of(plan)),
        device_(device),
        memory_(device, buffers, plan),
        kernels_(device, memory_, plan) {
    for (const PlannedLaunch& launch : plan.launches) prepares_.push_back(launch.prepare);
    // All of it once: a kernel that leaves its counters at zero needs no zeroing between executions.
    reset_scratch();
  }

  void enqueue(std::uint32_t set) override {
    for (const auto& scratch : memory_.scratch) {
      if (scratch.zeroed) device_.fill(scratch.memory, 0, scratch.bytes, std::byte{0});
    }
    for (std::size_t i = 0; i < prepares_.size(); ++i) {
      if (!prepares_[i]) kernels_.launch(i, set);
    }
  }
  void reset_scratch() override {
    if (memory_.scratch.empty()) return;
    for (const auto& scratch : memory_.scratch) {
      if (scratch.bytes > 0) device_.fill(scratch.memory, 0, scratch.bytes, std::byte{0});
    }
    for (std::size_t i = 0; i < prepares_.size(); ++i) {
      if (prepares_[i]) kernels_.launch(i, 0);
    }
    device_.finish(title());
  }
  [[nodiscard]] std::uint32_t operations() const override {
    const auto zeroed = std::ranges::count(memory_.scratch, true, &PlanMemory<Device>::Scratch::zeroed);
    return static_cast<std::uint32_t>(std::ranges::count(prepares_, false) + zeroed) + kernels_.copies();
  }
  [[nodiscard]] Resources resources() const override { return kernels_.resources; }
  [[nodiscard]] Notes notes() const override { return kernels_.notes; }

 private:
  static std::string title_of(const KernelPlan& plan) {
    std::string title;
    for (const PlannedLaunch& launch : plan.launches) {
      title += (title.empty() ? "kernel '" : ", '") + launch.entry + "'";
    }
    return title;
  }

  Device& device_;
  PlanMemory<Device> memory_;
  typename Device::Kernels kernels_;
  std::vector<bool> prepares_;  ///< by launch: does it run in reset_scratch alone?
};

/// How a device's caches are emptied before a cold sample: a buffer is read that is larger than they are.
/// Reading, because lines that were written would be written back during the sample.
struct Eviction {
  std::string source;       ///< file with the kernel `evict`
  std::uint64_t bytes = 0;  ///< size of the buffer
  std::uint64_t blocks = 0;
  std::uint64_t block = 256;      ///< threads
  DType count_type = DType::u64;  ///< type of the argument that counts the buffer's 16-byte words
};

template <class Device>
class Evictor {
 public:
  /// Compiles the kernel and runs it once. Failure.
  Evictor(Device& device, const Eviction& how)
      : buffers_(device, request_of(how)), work_(device, buffers_, plan_of(how, buffers_.spec())) {
    buffers_.fill(0, 0, 0, buffers_.spec().buffers.front().bytes(), std::byte{0});
    work_.enqueue(0);
    device.finish(work_.title());
  }
  /// Queues one eviction.
  void enqueue() { work_.enqueue(0); }

 private:
  static ProblemRequest request_of(const Eviction& how) {
    ProblemRequest request;
    request.spec.workload = "eviction";
    request.spec.buffers = {{"words", DType::u32, how.bytes / 16 * 4, BufferRole::in, Space::device},
                            {"sums", DType::u32, how.blocks * how.block, BufferRole::out, Space::device}};
    request.spec.scalars = {{"count", how.count_type, static_cast<std::int64_t>(how.bytes / 16)}};
    for (const BufferSpec& buffer : request.spec.buffers) request.allocation.push_back(buffer.bytes());
    return request;
  }
  static KernelPlan plan_of(const Eviction& how, const ProblemSpec& spec) {
    PlannedLaunch launch;
    launch.source = how.source;
    launch.entry = "evict";
    launch.block = {how.block, 1, 1};
    launch.grid = {how.blocks, 1, 1};
    launch.arguments = {{PlannedArgument::Kind::buffer, 0},
                        {PlannedArgument::Kind::scalar, 0},
                        {PlannedArgument::Kind::buffer, 1}};
    return {{launch}, {}, spec.scalars};
  }

  Buffers<Device> buffers_;
  KernelWork<Device> work_;
};

}  // namespace benchctl::gpu
