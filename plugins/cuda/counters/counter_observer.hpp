// Counters of the memory system that the card itself keeps: read through CUPTI in a pass of their own, in
// which the driver runs each kernel as often as the counters need, with its memory restored in between.
#pragma once

#include <benchctl/observer.hpp>

#include "counters/cupti_api.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace benchctl::cuda {

/// A reading, the chip's counters behind it, and how it is made from their sums over all kernels.
struct CounterReading {
  std::string id;
  std::vector<const char*> metrics;
  /// Sums in the order of `metrics`, and the number of executions; nothing where it has no meaning.
  std::function<std::optional<double>(const std::vector<double>& sums, double executions)> figure;
};
[[nodiscard]] const std::vector<CounterReading>& counter_readings();

class CounterObserver final : public Observer {
 public:
  [[nodiscard]] std::span<const ReadingInfo> readings() const override;
  /// Null for anything but a CUDA device. Throws CounterError where CUPTI is missing.
  [[nodiscard]] std::unique_ptr<Watch> watch(const DeviceInfo& device,
                                             std::span<const std::string> ids) override;

 private:
  std::shared_ptr<const CuptiApi> api_;
};

}  // namespace benchctl::cuda
