// Hardware counters of the worker's threads through perf_event_open(2), where the kernel allows.
#pragma once

#include <benchctl/observer.hpp>

namespace benchctl {

/// An event that the kernel can count; `type` and `config` as in perf_event_open(2).
struct PerfEvent {
  std::string id;
  std::uint32_t type = 0;
  std::uint64_t config = 0;
  std::string doc;
};

/// Cycles, instructions and misses.
[[nodiscard]] std::vector<PerfEvent> hardware_events();

/// Counts events of all threads of this process outside of the kernel, for processors, per execution. By
/// sample where the backend tells its samples; else by block, unless something else than executions lies in
/// it.
class PerfObserver final : public Observer {
 public:
  /// Tests bring events that every machine has.
  explicit PerfObserver(std::vector<PerfEvent> events);
  [[nodiscard]] std::span<const ReadingInfo> readings() const override { return readings_; }
  [[nodiscard]] std::unique_ptr<Watch> watch(const DeviceInfo& device,
                                             std::span<const std::string> ids) override;

 private:
  std::vector<PerfEvent> events_;
  std::vector<ReadingInfo> readings_;
};

/// Why an event cannot be counted, from the errno of perf_event_open.
[[nodiscard]] std::string perf_refusal(int error);

}  // namespace benchctl
