// The buffers of one problem, on one GPU and in host memory, in one or several sets.
#pragma once

#include <benchctl/backend.hpp>

#include "driver/context.hpp"
#include "driver/handles.hpp"
#include "mirror.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace benchctl::cuda {

/// Where one buffer lives: exactly one of the three holds it.
struct BufferMemory {
  DeviceMemory device;
  PinnedMemory pinned;
  std::unique_ptr<std::byte[]> pageable;

  /// Null for device memory.
  [[nodiscard]] std::byte* host() const noexcept {
    return pinned ? static_cast<std::byte*>(pinned.get()) : pageable.get();
  }
};

class DeviceProblem final : public Problem {
 public:
  /// Throws Failure(out_of_memory).
  DeviceProblem(std::shared_ptr<Context> context, const ProblemRequest& request);
  ~DeviceProblem() override;

  void write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
             std::span<const std::byte> bytes) override;
  void read(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
            std::span<std::byte> bytes) const override;
  void fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
            std::byte value) override;
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const PrepareRequest& request) override;

  [[nodiscard]] Context& context() const noexcept { return *context_; }
  [[nodiscard]] const ProblemSpec& spec() const noexcept { return spec_; }
  [[nodiscard]] std::uint32_t sets() const noexcept { return static_cast<std::uint32_t>(memory_.size()); }
  /// Where kernels find a buffer in device memory or in pinned host memory. Throws Failure: launch_error
  /// for one that does not exist, unsupported for one in pageable host memory.
  [[nodiscard]] CUdeviceptr address(std::uint32_t set, std::size_t buffer) const;
  /// Where the host finds a buffer in host memory. Throws Failure as above.
  [[nodiscard]] std::byte* host_address(std::uint32_t set, std::size_t buffer) const;

  /// Pinned host copies of a set's payloads, with the device's inputs in them. Valid until the next call.
  /// Throws Failure(unsupported) when some buffers live in host memory anyway.
  [[nodiscard]] HostMirror& mirror(std::uint32_t set);

 private:
  [[nodiscard]] bool in_host_memory(std::size_t buffer) const;
  [[nodiscard]] const BufferMemory& memory(std::uint32_t set, std::size_t buffer) const;
  /// Throws Failure(launch_error) for bytes outside a buffer.
  void check_range(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes) const;

  std::shared_ptr<Context> context_;
  ProblemSpec spec_;
  std::vector<std::uint64_t> allocation_;
  std::vector<std::vector<BufferMemory>> memory_;  ///< by set and buffer
  std::optional<HostMirror> mirror_;               ///< made by the first end-to-end sample
};

}  // namespace benchctl::cuda
