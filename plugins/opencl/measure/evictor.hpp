// Empties the caches before a `cold` sample.
#pragma once

#include "driver/open_device.hpp"

namespace benchctl::opencl {

class Evictor {
 public:
  explicit Evictor(const OpenDevice& device) : device_(device) {}

  /// Reads a buffer of twice the last-level cache (64 MiB where the driver does not tell its size) and
  /// waits for the end. Buffer and kernel are made by the first call.
  void evict();

 private:
  void prepare();

  const OpenDevice& device_;
  std::uint64_t words_ = 0;  ///< number of 16-byte words
  BufferHandle buffer_;
  BufferHandle sums_;
  KernelHandle kernel_;
};

}  // namespace benchctl::opencl
