// The buffers of one problem, in several sets, on a device and in host memory.
#pragma once

#include <benchctl/backend.hpp>
#include <benchctl/rounding.hpp>
#include <benchctl/variant_table.hpp>

#include "gpu/work.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace benchctl::gpu {

/// `Device` is a backend's open device (session.hpp).
template <class Device>
class Buffers {
 public:
  using Memory = typename Device::Memory;

  /// Failure out_of_memory with the bytes that were asked for.
  Buffers(Device& device, const ProblemRequest& request)
      : device_(device), spec_(request.spec), allocation_(request.allocation) {
    if (allocation_.size() != spec_.buffers.size()) {
      throw Failure(FailureKind::launch_error, "the problem has " + std::to_string(spec_.buffers.size()) +
                                                   " buffers, but sizes for " +
                                                   std::to_string(allocation_.size()));
    }
    for (std::uint32_t set = 0; set < std::max(request.sets, 1U); ++set) {
      std::vector<Place>& places = sets_.emplace_back();
      for (std::size_t i = 0; i < allocation_.size(); ++i) {
        places.push_back(place(spec_.buffers[i], allocation_[i]));
      }
    }
  }

  [[nodiscard]] const ProblemSpec& spec() const noexcept { return spec_; }
  [[nodiscard]] std::uint32_t sets() const noexcept { return static_cast<std::uint32_t>(sets_.size()); }

  /// A buffer that kernels reach. Failure: launch_error for one that does not exist, unsupported for one in
  /// host memory that kernels of this backend do not reach.
  [[nodiscard]] const Memory& get(std::uint32_t set, std::size_t buffer) const {
    const Place& found = at(set, buffer);
    const Space space = spec_.buffers[buffer].space;
    if (space == Space::host_pageable || (space == Space::host_pinned && !Device::reaches_pinned)) {
      throw Failure(FailureKind::unsupported, "buffer '" + spec_.buffers[buffer].name + "' is in " +
                                                  std::string(to_string(space)) +
                                                  " memory, which kernels of this backend do not reach");
    }
    return found.memory;
  }
  /// Where a buffer in host memory starts. Failure: launch_error as above, unsupported for one on the
  /// device.
  [[nodiscard]] std::byte* host(std::uint32_t set, std::size_t buffer) const {
    const Place& found = at(set, buffer);
    if (spec_.buffers[buffer].space == Space::device) {
      throw Failure(FailureKind::unsupported,
                    "buffer '" + spec_.buffers[buffer].name + "' is on the device, not in host memory");
    }
    return found.pageable ? found.pageable.get() : found.memory.host();
  }

  // Return when all is there. Failure launch_error for a range outside the buffer. Host memory is touched
  // directly: everything that runs on the device is waited for before control returns.
  void write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
             std::span<const std::byte> bytes) {
    check_range(set, buffer, offset, bytes.size());
    if (bytes.empty()) return;
    if (in_host_memory(buffer)) {
      std::ranges::copy(bytes, host(set, buffer) + offset);
      return;
    }
    copied_.reset();
    device_.upload(get(set, buffer), offset, bytes);
    device_.finish("copies to the device");
  }
  void read(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::span<std::byte> bytes) const {
    check_range(set, buffer, offset, bytes.size());
    if (bytes.empty()) return;
    if (in_host_memory(buffer)) {
      std::copy_n(host(set, buffer) + offset, bytes.size(), bytes.begin());
      return;
    }
    device_.download(get(set, buffer), offset, bytes);
    device_.finish("copies from the device");
  }
  void fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
            std::byte value) {
    check_range(set, buffer, offset, bytes);
    if (bytes == 0) return;
    if (in_host_memory(buffer)) {
      std::fill_n(host(set, buffer) + offset, bytes, value);
      return;
    }
    copied_.reset();
    device_.fill(get(set, buffer), offset, bytes, value);
    device_.finish("filling memory");
  }

  /// Makes host copies of a set's payloads, of inputs with what the device has, for the two below. The
  /// problem lies on the device. What is uploaded is apart from what is downloaded, so that a download
  /// never changes what the next upload brings.
  void copy_to_host(std::uint32_t set) {
    if (!copies_) make_copies();
    if (copied_ == set) return;
    for (const Copy& copy : uploads_) device_.download(get(set, copy.buffer), 0, copy.bytes);
    device_.finish("copies from the device");
    copied_ = set;
  }
  /// Queues copies of all inputs to the device, of all outputs to the host.
  void upload(std::uint32_t set) {
    for (const Copy& copy : uploads_) device_.upload(get(set, copy.buffer), 0, copy.bytes);
  }
  void download(std::uint32_t set) {
    for (const Copy& copy : downloads_) device_.download(get(set, copy.buffer), 0, copy.bytes);
  }

 private:
  /// One of the two holds the buffer.
  struct Place {
    Memory memory;
    std::unique_ptr<std::byte[]> pageable;
  };
  struct Copy {
    std::size_t buffer;
    std::span<std::byte> bytes;
  };

  [[nodiscard]] Place place(const BufferSpec& buffer, std::uint64_t bytes) {
    const std::string what = "buffer '" + buffer.name + "'";
    if (buffer.space != Space::host_pageable) return {device_.allocate(buffer.space, bytes, what), nullptr};
    try {
      return {{}, std::make_unique<std::byte[]>(std::max<std::uint64_t>(bytes, 1))};
    } catch (const std::bad_alloc&) {
      throw Failure(FailureKind::out_of_memory,
                    "cannot allocate " + std::to_string(bytes) + " bytes of host memory for " + what);
    }
  }

  void make_copies() {
    constexpr std::uint64_t alignment = 256;
    const auto each = [&](BufferRole other, auto take) {
      for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
        if (spec_.buffers[i].role != other && spec_.buffers[i].bytes() > 0)
          take(i, spec_.buffers[i].bytes());
      }
    };
    std::uint64_t total = 0;
    const auto count = [&](std::size_t, std::uint64_t bytes) { total += round_up(bytes, alignment); };
    each(BufferRole::out, count);
    each(BufferRole::in, count);
    copies_ = device_.host_bytes(total, "the host's copies of the problem");
    std::byte* next = copies_.get();
    const auto place_in = [&](std::vector<Copy>& list) {
      return [&](std::size_t buffer, std::uint64_t bytes) {
        list.push_back({buffer, {next, bytes}});
        next += round_up(bytes, alignment);
      };
    };
    each(BufferRole::out, place_in(uploads_));
    each(BufferRole::in, place_in(downloads_));
  }

  [[nodiscard]] bool in_host_memory(std::size_t buffer) const {
    return spec_.buffers[buffer].space != Space::device;
  }
  [[nodiscard]] const Place& at(std::uint32_t set, std::size_t buffer) const {
    if (set < sets_.size() && buffer < sets_[set].size()) return sets_[set][buffer];
    throw Failure(FailureKind::launch_error, "there is no buffer " + std::to_string(buffer) + " in set " +
                                                 std::to_string(set) + " of this problem");
  }
  void check_range(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes) const {
    static_cast<void>(at(set, buffer));
    const std::uint64_t size = allocation_[buffer];
    if (offset <= size && bytes <= size - offset) return;
    throw Failure(FailureKind::launch_error, "bytes " + std::to_string(offset) + " + " +
                                                 std::to_string(bytes) + " lie outside buffer '" +
                                                 spec_.buffers[buffer].name + "' of " +
                                                 std::to_string(size) + " bytes");
  }

  Device& device_;
  ProblemSpec spec_;
  std::vector<std::uint64_t> allocation_;
  std::vector<std::vector<Place>> sets_;
  std::shared_ptr<std::byte[]> copies_;  ///< made by the first end-to-end sample
  std::vector<Copy> uploads_;
  std::vector<Copy> downloads_;
  std::optional<std::uint32_t> copied_;  ///< the set whose inputs `uploads_` has
};

/// The native variants of a backend, with what makes one ready; those of kernel files are in
/// kernels/*.toml. It throws Failure: unsupported when a library is not there.
template <class Device>
using Table = VariantTable<std::unique_ptr<Work> (*)(Device& device, const Buffers<Device>& buffers)>;

}  // namespace benchctl::gpu
