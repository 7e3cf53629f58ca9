// An open device with the operations that sessions use (gpu/session.hpp), and its clock.
#pragma once

#include "driver/error.hpp"
#include "driver/open_device.hpp"
#include "gpu/kernel_work.hpp"
#include "gpu/sampling.hpp"
#include "measure/gate.hpp"
#include "measure/hold.hpp"
#include "measure/hold_time.hpp"

#include <array>
#include <memory>

namespace benchctl::opencl {

class Kernels;

/// A buffer of the driver. One for pinned memory stays mapped: host memory which the device reaches by
/// itself, where the driver has such a thing.
class Memory {
 public:
  Memory() = default;
  explicit Memory(BufferHandle buffer) : buffer_(std::move(buffer)) {}
  /// Maps the buffer. Failure out_of_memory that names `what` and the bytes.
  Memory(const OpenDevice& device, std::uint64_t bytes, const std::string& what);

  [[nodiscard]] cl_mem get() const noexcept { return buffer_.get(); }
  /// Null where it is not mapped.
  [[nodiscard]] std::byte* host() const noexcept { return mapped_.get(); }

 private:
  struct Unmap {
    cl_command_queue queue;
    cl_mem buffer;
    void operator()(std::byte* address) const;
  };

  BufferHandle buffer_;
  std::unique_ptr<std::byte, Unmap> mapped_;
};

class Device final : public OpenDevice {
 public:
  using Memory = opencl::Memory;
  using Kernels = opencl::Kernels;
  static constexpr bool reaches_pinned = false;
  static constexpr bool graphs_are_commands = true;
  static constexpr bool evicts_while_queueing = false;
  static constexpr bool has_constants = false;
  static constexpr std::array<std::string_view, 0> known_extras{};

  /// Failure launch_error when the driver refuses.
  Device(const FoundDevice& found, const SessionOptions& options);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device();

  void enter() const noexcept {}
  /// Waits for all that is queued. Sticky Failure when something of it failed.
  void finish(std::string_view what) const;

  [[nodiscard]] Memory allocate(Space space, std::uint64_t bytes, const std::string& what) const;
  [[nodiscard]] std::shared_ptr<std::byte[]> host_bytes(std::uint64_t bytes, const std::string& what) const;
  // Queue one operation.
  void upload(const Memory& to, std::uint64_t offset, std::span<const std::byte> bytes);
  void download(const Memory& from, std::uint64_t offset, std::span<std::byte> bytes);
  void copy(const Memory& from, const Memory& to, std::uint64_t bytes);
  void fill(const Memory& memory, std::uint64_t offset, std::uint64_t bytes, std::byte value);

  /// Failure unsupported: OpenCL has no graphs.
  [[nodiscard]] std::function<void()> capture(const std::function<void()>& queue) const;
  /// Why this work's commands are not held back, or empty.
  [[nodiscard]] std::string objection(const gpu::Work& work, const SampleRequest& request);
  /// A sample by the stamps of events: behind a user event or a running kernel if `hold`.
  [[nodiscard]] gpu::DeviceTime timed(const gpu::Work& work, const SampleRequest& request,
                                      const gpu::QueueSome& queue, bool hold);
  /// A buffer of twice the last-level cache; on a GPU more than any cache has, and on others 64 MiB at
  /// least, where the driver does not tell its size.
  [[nodiscard]] gpu::Eviction eviction() const;

  [[nodiscard]] const DeviceInfo& info() const noexcept { return OpenDevice::info; }

  /// Queues a command: `enqueue(count, list, event)` is passed what it waits for and where its event goes.
  /// `doing` completes "cannot …".
  template <class Enqueue>
  void command(std::string_view doing, Enqueue enqueue);

 private:
  /// What is attached to the commands of an execution.
  struct Marks {
    cl_event gate = nullptr;       ///< the first command waits for it
    EventHandle* first = nullptr;  ///< receives the event of the first command
    EventHandle* last = nullptr;   ///< receives the event of the last command
    std::uint32_t left = 0;        ///< commands up to the last
  };

  [[nodiscard]] gpu::DeviceTime timed_behind_kernel(const gpu::Work& work, const SampleRequest& request,
                                                    const gpu::QueueSome& queue);
  /// A command that does next to nothing, for the times of its event. (A marker would do, were its stamps
  /// not off by seconds under NVIDIA's driver.)
  void stamp(EventHandle& event);

  Marks marks_;
  bool by_kernel_;  ///< held by a kernel, not by a user event
  HoldKernel hold_;
  HoldTime hold_time_;
  Gate gate_;
  std::string gate_objection_;
  Memory stamp_;
};

template <class Enqueue>
void Device::command(std::string_view doing, Enqueue enqueue) {
  EventHandle* const first = std::exchange(marks_.first, nullptr);
  EventHandle* const last = marks_.left > 0 && --marks_.left == 0 ? marks_.last : nullptr;
  EventHandle* const receiver = first != nullptr ? first : last;
  const cl_event gate = std::exchange(marks_.gate, nullptr);
  check(enqueue(gate == nullptr ? 0U : 1U, gate == nullptr ? nullptr : &gate,
                receiver == nullptr ? nullptr : receiver->out()),
        doing);
  if (last == nullptr || last == receiver) return;
  check(api().clRetainEvent(receiver->get()), "keep an event");
  *last = EventHandle(receiver->get());
}

using Buffers = gpu::Buffers<Device>;

}  // namespace benchctl::opencl
