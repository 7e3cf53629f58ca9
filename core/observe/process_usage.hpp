// What the worker process used and what disturbed it: memory, page faults, context switches, stolen time.
#pragma once

#include <benchctl/observer.hpp>

#include <filesystem>
#include <map>
#include <string>

namespace benchctl {

/// `peak_host_bytes`, for every device: VmHWM of this process, reset where the kernel allows.
class HostMemoryObserver final : public Observer {
 public:
  [[nodiscard]] std::span<const ReadingInfo> readings() const override;
  [[nodiscard]] std::unique_ptr<Watch> watch(const DeviceInfo& device,
                                             std::span<const std::string> ids) override;
};

/// `page_faults`, `context_switches` (getrusage(2), all threads) and `steal_ns` (/proc/stat, in steps of
/// 10 ms), for processors: on other devices they say little about the kernel.
class DisturbanceObserver final : public Observer {
 public:
  /// `proc`: where /proc is; tests bring their own.
  explicit DisturbanceObserver(std::filesystem::path proc) : proc_(std::move(proc)) {}
  [[nodiscard]] std::span<const ReadingInfo> readings() const override;
  [[nodiscard]] std::unique_ptr<Watch> watch(const DeviceInfo& device,
                                             std::span<const std::string> ids) override;

 private:
  std::filesystem::path proc_;
};

/// How long each thread has waited for a processor since it began, in nanoseconds, by its number: from
/// task/*/schedstat in a folder such as /proc/self. Empty where the kernel does not tell.
using RunQueueWaits = std::map<std::string, double>;
[[nodiscard]] RunQueueWaits run_queue_waits(const std::filesystem::path& process);

/// How much later an execution ended, at most, because threads waited for a processor: the wait of the
/// thread `caller`, and the longest of the others, which wait at the same time.
[[nodiscard]] double waited_ns(const RunQueueWaits& before, const RunQueueWaits& after,
                               const std::string& caller);

/// Time in nanoseconds that hypervisors took from some processors since the machine started, by a file in
/// the format of /proc/stat. Throws std::runtime_error when it cannot be read.
[[nodiscard]] double stolen_ns(const std::filesystem::path& stat, std::span<const int> cpus);

}  // namespace benchctl
