// Empties the caches before a `cold` sample.
#pragma once

#include "kernel_work.hpp"

#include <memory>

namespace benchctl::vulkan {

class Evictor {
 public:
  explicit Evictor(const OpenDevice& device) : device_(device) {}

  /// Reads a buffer larger than the caches and waits for the end. Vulkan does not tell their size: 512 MiB
  /// are larger than any GPU's today, on processors 64 MiB have to do. Buffer and kernel are made by the
  /// first call.
  void evict();

 private:
  struct Parts;
  const OpenDevice& device_;
  std::shared_ptr<const Parts> parts_;
};

}  // namespace benchctl::vulkan
