// Empties the GPU's caches of a problem's data before a cold sample.
#pragma once

#include "driver/handles.hpp"

#include <cstdint>

namespace benchctl::cuda {

class Context;

/// Reads a buffer of twice the L2 cache. Reading, because lines that a memset left dirty would be written
/// back during the sample.
class Evictor {
 public:
  /// Compiles kernels/evict.cu and runs it once. Throws Failure.
  explicit Evictor(Context& context);
  /// Queues one eviction.
  void enqueue();

 private:
  Context& context_;
  std::uint64_t words_;  ///< number of 16-byte words
  DeviceMemory buffer_;
  DeviceMemory sink_;
  Module module_;
  CUfunction function_ = nullptr;
};

}  // namespace benchctl::cuda
