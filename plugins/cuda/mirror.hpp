// What an end-to-end sample uploads from and downloads to: host memory that the device copies at full
// speed.
#pragma once

#include <benchctl/problem.hpp>

#include "driver/handles.hpp"

#include <vector>

namespace benchctl::cuda {

class HostMirror {
 public:
  /// Allocates the payloads' sizes: once for inputs (in, inout), once for outputs (out, inout), so that a
  /// download never changes what the next upload brings. `driver`, `stream` and `spec` outlive it. Throws
  /// Failure(out_of_memory).
  HostMirror(const DriverApi& driver, CUstream stream, const ProblemSpec& spec);

  /// Chooses the device buffers and copies the inputs from them, unless it holds them already.
  void attach(const std::vector<CUdeviceptr>& addresses);
  /// The device's inputs were written: the copies are out of date.
  void expire() noexcept { attached_.clear(); }

  /// Queues copies of all inputs to the device.
  void enqueue_upload() const;
  /// Queues copies of all outputs to the host.
  void enqueue_download() const;

 private:
  struct Slot {
    std::size_t buffer;
    std::uint64_t bytes;
    PinnedMemory memory;
  };

  const DriverApi& driver_;
  CUstream stream_;
  std::vector<Slot> inputs_;
  std::vector<Slot> outputs_;
  std::vector<CUdeviceptr> attached_;
};

}  // namespace benchctl::cuda
