// One opened GPU: its primary context, the stream that everything runs on, and the driver's operations as
// sessions use them (gpu/session.hpp).
#pragma once

#include <benchctl/backend.hpp>

#include "driver/handles.hpp"
#include "driver/libraries.hpp"
#include "gpu/kernel_work.hpp"
#include "gpu/sampling.hpp"
#include "measure/gate.hpp"
#include "vendor/cublas_handle.hpp"

#include <array>
#include <memory>
#include <optional>

namespace benchctl::cuda {

/// Holds a reference to a device's primary context.
class PrimaryContext {
 public:
  PrimaryContext(const DriverApi& driver, CUdevice device);
  PrimaryContext(const PrimaryContext&) = delete;
  PrimaryContext& operator=(const PrimaryContext&) = delete;
  ~PrimaryContext();
  [[nodiscard]] CUcontext get() const noexcept { return context_; }

 private:
  const DriverApi& driver_;
  CUdevice device_;
  CUcontext context_ = nullptr;
};

class Kernels;

/// A buffer on the device, or in pinned memory of the host.
struct Memory {
  DeviceMemory device;
  PinnedMemory pinned;

  /// Where kernels find it. With unified addressing, which every 64-bit system has, both sides use one
  /// address.
  [[nodiscard]] CUdeviceptr address() const noexcept {
    return pinned ? reinterpret_cast<CUdeviceptr>(pinned.get()) : device.get();
  }
  [[nodiscard]] std::byte* host() const noexcept { return static_cast<std::byte*>(pinned.get()); }
};

class Context {
 public:
  using Memory = cuda::Memory;
  using Kernels = cuda::Kernels;
  static constexpr bool reaches_pinned = true;
  static constexpr bool graphs_are_commands = true;
  static constexpr bool evicts_while_queueing = true;
  static constexpr bool has_constants = true;
  static constexpr std::array<std::string_view, 2> known_extras{"tensor_maps", "early"};

  /// Throws Failure(no_device) when there is no such device.
  Context(std::shared_ptr<Libraries> libraries, const std::string& device, SessionOptions options);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { enter(); }

  /// Every entry from the host starts with this: one thread may serve sessions on several GPUs. Should it
  /// fail, so does what follows.
  void enter() const noexcept { static_cast<void>(driver_.ctx_set_current(primary_.get())); }
  /// Waits for the stream. `what` names what was running, for the error.
  void finish(std::string_view what) const;

  [[nodiscard]] Memory allocate(Space space, std::uint64_t bytes, const std::string& what) const;
  /// Pinned memory. The context outlives it.
  [[nodiscard]] std::shared_ptr<std::byte[]> host_bytes(std::uint64_t bytes, const std::string& what) const;
  // Queue one operation.
  void upload(const Memory& to, std::uint64_t offset, std::span<const std::byte> bytes) const;
  void download(const Memory& from, std::uint64_t offset, std::span<std::byte> bytes) const;
  void copy(const Memory& from, const Memory& to, std::uint64_t bytes) const;
  void fill(const Memory& memory, std::uint64_t offset, std::uint64_t bytes, std::byte value) const;

  /// Records what `queue` puts into the stream as a CUDA graph, and uploads it, so that its first launch is
  /// as quick as any other. Nothing runs. The result launches it. Throws what `queue` throws, and Failure.
  [[nodiscard]] std::function<void()> capture(const std::function<void()>& queue) const;
  /// Why a request's executions are not queued behind the closed gate, or empty.
  [[nodiscard]] std::string objection(const gpu::Work& work, const SampleRequest& request) const;
  /// A sample between two events, behind the closed gate if `hold`; one that is not held has no times.
  [[nodiscard]] gpu::DeviceTime timed(const gpu::Work& work, const SampleRequest& request,
                                      const gpu::QueueSome& queue, bool hold);
  /// A buffer of twice the L2 cache. Failure unsupported where its size is not known.
  [[nodiscard]] gpu::Eviction eviction() const;
  /// Nothing if the driver does not tell.
  [[nodiscard]] std::optional<std::uint64_t> free_memory() const;
  /// The variant under its point's name in profilers.
  [[nodiscard]] static std::unique_ptr<Prepared> labelled(std::unique_ptr<Prepared> prepared,
                                                          const std::string& label);

  [[nodiscard]] Libraries& libraries() const noexcept { return *libraries_; }
  [[nodiscard]] const DriverApi& driver() const noexcept { return driver_; }
  [[nodiscard]] const SessionOptions& options() const noexcept { return options_; }
  [[nodiscard]] const DeviceInfo& info() const noexcept { return info_; }
  [[nodiscard]] CUdevice device() const noexcept { return device_; }
  [[nodiscard]] CUstream stream() const noexcept { return stream_.get(); }
  /// Made at first use: it loads cuBLAS.
  [[nodiscard]] CublasHandle& cublas();

 private:
  // Destroyed from the end: what lives in the context goes before it.
  std::shared_ptr<Libraries> libraries_;
  const DriverApi& driver_;
  SessionOptions options_;
  CUdevice device_;
  DeviceInfo info_;
  PrimaryContext primary_;
  Stream stream_;
  std::optional<StreamGate> gate_;
  std::optional<CublasHandle> cublas_;
  Event start_;
  Event stop_;
};

using Buffers = gpu::Buffers<Context>;

}  // namespace benchctl::cuda
