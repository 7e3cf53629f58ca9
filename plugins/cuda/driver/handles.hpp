// One RAII class per driver object. All need the device's context to be current, and none may outlive the
// Context (context.hpp) that it was made in.
#pragma once

#include "driver/driver_api.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace benchctl::cuda {

/// Owns one handle of type `Handle`; `Release` is the member of DriverApi that destroys it. Errors while
/// releasing are dropped: after a fault every release fails, and the fault has been reported already.
template <class Handle, auto Release>
class Owned {
 public:
  Owned() = default;
  Owned(const DriverApi& driver, Handle handle) : driver_(&driver), handle_(handle) {}
  Owned(Owned&& other) noexcept
      : driver_(std::exchange(other.driver_, nullptr)), handle_(std::exchange(other.handle_, Handle{})) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(driver_, other.driver_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (driver_ != nullptr) static_cast<void>((driver_->*Release)(handle_));
  }
  [[nodiscard]] Handle get() const noexcept { return handle_; }
  [[nodiscard]] explicit operator bool() const noexcept { return driver_ != nullptr; }

 private:
  const DriverApi* driver_ = nullptr;
  Handle handle_{};
};

using Stream = Owned<CUstream, &DriverApi::stream_destroy>;
using Event = Owned<CUevent, &DriverApi::event_destroy>;
using Module = Owned<CUmodule, &DriverApi::module_unload>;
using Graph = Owned<CUgraph, &DriverApi::graph_destroy>;
using GraphExec = Owned<CUgraphExec, &DriverApi::graph_exec_destroy>;
using DeviceMemory = Owned<CUdeviceptr, &DriverApi::mem_free>;
using PinnedMemory = Owned<void*, &DriverApi::mem_free_host>;

/// A stream that does not wait for the legacy default stream.
[[nodiscard]] Stream make_stream(const DriverApi& driver);
/// An event that takes the time.
[[nodiscard]] Event make_event(const DriverApi& driver);
/// An event that only orders streams.
[[nodiscard]] Event make_order_event(const DriverApi& driver);
/// Throws Failure(unsupported) when the code is for another architecture or from a newer toolkit than the
/// driver knows.
[[nodiscard]] Module load_module(const DriverApi& driver, const std::vector<char>& cubin);
/// At least one byte. Throws Failure(out_of_memory) with the bytes asked for and free.
[[nodiscard]] DeviceMemory allocate(const DriverApi& driver, std::uint64_t bytes, const std::string& what);
/// Host memory that the device reaches directly, at least one byte.
[[nodiscard]] PinnedMemory allocate_pinned(const DriverApi& driver, std::uint64_t bytes,
                                           const std::string& what);

}  // namespace benchctl::cuda
