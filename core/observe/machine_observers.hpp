// What core itself reads of the machine, whoever made its devices: files of the Linux kernel and its
// counters.
#pragma once

#include <benchctl/observer.hpp>

#include <filesystem>
#include <functional>

namespace benchctl {

/// The observers that core brings along. They live as long as the program.
[[nodiscard]] std::span<Observer* const> machine_observers();

/// Processors that this process may run on; none where that cannot be asked.
[[nodiscard]] std::vector<int> usable_cpu_numbers();

/// Is a device the processor of this machine, under whichever backend?
[[nodiscard]] bool is_processor(const DeviceInfo& device);

/// A table of readings and what makes a watch for some of them; for every device, or for processors alone.
class TableObserver final : public Observer {
 public:
  enum class Devices : std::uint8_t { all, processors };
  using MakeWatch = std::function<std::unique_ptr<Watch>(std::span<const std::string> ids)>;

  TableObserver(Devices devices, std::vector<ReadingInfo> readings, MakeWatch make)
      : devices_(devices), readings_(std::move(readings)), make_(std::move(make)) {}
  [[nodiscard]] std::span<const ReadingInfo> readings() const override { return readings_; }
  [[nodiscard]] std::unique_ptr<Watch> watch(const DeviceInfo& device,
                                             std::span<const std::string> ids) override {
    return devices_ == Devices::all || is_processor(device) ? make_(ids) : nullptr;
  }

 private:
  Devices devices_;
  std::vector<ReadingInfo> readings_;
  MakeWatch make_;
};

/// `peak_host_bytes`, for every device: VmHWM of this process, reset where the kernel allows.
[[nodiscard]] TableObserver host_memory_observer();

/// `page_faults`, `context_switches` (getrusage(2), all threads) and `steal_ns` (/proc/stat, in steps of
/// 10 ms), for processors: on other devices they say little about the kernel.
[[nodiscard]] TableObserver disturbance_observer();

/// Time in nanoseconds that hypervisors took from some processors since the machine started, by a file in
/// the format of /proc/stat. Throws std::runtime_error when it cannot be read.
[[nodiscard]] double stolen_ns(const std::filesystem::path& stat, std::span<const int> cpus);

/// `energy` of processors by the kernel's power-capping files in the folder `powercap`, where they can be
/// read: the sum of all packages over a pass, per execution. Cores of other programs and idle power are in
/// it.
[[nodiscard]] TableObserver package_energy_observer(const std::filesystem::path& powercap);

/// An event that the kernel can count; `type` and `config` as in perf_event_open(2).
struct PerfEvent {
  std::string id;
  std::uint32_t type = 0;
  std::uint64_t config = 0;
  std::string doc;
};

/// Cycles, instructions and misses.
[[nodiscard]] std::vector<PerfEvent> hardware_events();

/// Counts events of all threads of this process outside of the kernel through perf_event_open(2), for
/// processors, per execution. By sample where the backend tells its samples; else by block, unless
/// something else than executions lies in it.
[[nodiscard]] TableObserver perf_observer(const std::vector<PerfEvent>& events);

/// Why an event cannot be counted, from the errno of perf_event_open.
[[nodiscard]] std::string perf_refusal(int error);

}  // namespace benchctl
