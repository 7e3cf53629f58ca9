// An open device with the operations that sessions use (gpu/session.hpp), and its clock.
#pragma once

#include "driver/open_device.hpp"
#include "gpu/kernel_work.hpp"
#include "gpu/sampling.hpp"

#include <array>
#include <memory>
#include <vector>

namespace benchctl::vulkan {

class Kernels;

/// What is queued is recorded, and submitted when it is waited for.
///
/// A sample on the device's clock is one buffer of commands: a time stamp, all executions of the batch, a
/// time stamp. It is recorded whole before it is submitted, and the queue is empty then: nothing starts
/// before everything is there, so that no launch can be late. Gates do this elsewhere.
class TimedDevice final : public OpenDevice {
 public:
  using Memory = Buffer;
  using Kernels = vulkan::Kernels;
  static constexpr bool reaches_pinned = true;
  /// With `launch = graph` the host's clock leaves out recording.
  static constexpr bool graphs_are_commands = false;
  static constexpr bool evicts_while_queueing = false;
  static constexpr bool has_constants = false;
  static constexpr std::array<std::string_view, 0> known_extras{};

  TimedDevice(std::shared_ptr<const Instance> instance, const FoundDevice& found, SessionOptions options);
  TimedDevice(const TimedDevice&) = delete;
  TimedDevice& operator=(const TimedDevice&) = delete;
  ~TimedDevice() = default;

  /// Forgets what an error left recorded.
  void enter() noexcept;
  /// Submits what was recorded, and waits for it. Failure, sticky when the device is lost.
  void finish(std::string_view what);

  [[nodiscard]] Buffer allocate(Space space, std::uint64_t bytes, const std::string& what);
  /// Makes room for as many bytes of copies that are recorded together.
  [[nodiscard]] std::shared_ptr<std::byte[]> host_bytes(std::uint64_t bytes, const std::string& what);
  // Record one operation. Copies go by way of memory that both sides reach.
  void upload(const Buffer& to, std::uint64_t offset, std::span<const std::byte> bytes);
  void download(const Buffer& from, std::uint64_t offset, std::span<std::byte> bytes);
  void copy(const Buffer& from, const Buffer& to, std::uint64_t bytes);
  void fill(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, std::byte value);

  /// What `queue` records, to be submitted as often as one likes.
  [[nodiscard]] std::function<void()> capture(const std::function<void()>& queue);
  /// Empty: nothing starts early. Failure unsupported where the device has no time stamps, or they run at
  /// another rate than the host's clock, as far as that is known.
  [[nodiscard]] std::string objection(const gpu::Work& work, const SampleRequest& request);
  [[nodiscard]] gpu::DeviceTime timed(const gpu::Work& work, const SampleRequest& request,
                                      const gpu::QueueSome& queue, bool hold);
  /// A buffer larger than the caches. Vulkan does not tell their size: 512 MiB are larger than any GPU's
  /// today, on processors 64 MiB have to do.
  [[nodiscard]] gpu::Eviction eviction() const;

  /// What is recorded until `finish`.
  [[nodiscard]] Commands& commands();

 private:
  struct Staged {
    std::uint64_t at;
    std::span<std::byte> bytes;
  };

  /// Room for some of so many bytes between device and host: where, and for how many.
  std::pair<std::uint64_t, std::size_t> stage(std::size_t bytes);
  [[nodiscard]] double stamped_ns() const;

  std::shared_ptr<Commands> recorded_;
  Buffer staging_;
  std::uint64_t staged_ = 0;       ///< bytes of it that what is recorded uses
  std::vector<Staged> downloads_;  ///< where they go after `finish`
  QueryPoolHandle stamps_;
  std::optional<ClockReading> opened_;  ///< both clocks then; nothing once they are known to agree
};

using Buffers = gpu::Buffers<TimedDevice>;

}  // namespace benchctl::vulkan
