// transfer/memcpy: the driver's copies between host and device.
#pragma once

#include "buffers.hpp"
#include "work.hpp"

namespace benchctl::opencl {

/// One copy, in one direction, queued without waiting for it.
class TransferWork final : public Work {
 public:
  /// Failure unsupported for a problem that has no copy, or copies in both directions: one queue, in order,
  /// would do one after the other.
  TransferWork(const OpenDevice& device, const Buffers& buffers);

  void enqueue(std::uint32_t set, const Bracket& bracket) override;
  [[nodiscard]] std::uint32_t commands() const override { return 1; }
  [[nodiscard]] std::string gate_objection() const override;

 private:
  const OpenDevice& device_;
  const Buffers& buffers_;
  bool upload_ = false;
  std::size_t source_ = 0;
  std::size_t target_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace benchctl::opencl
