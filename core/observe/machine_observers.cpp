#include "observe/machine_observers.hpp"

#include "observe/package_energy.hpp"
#include "observe/perf_counters.hpp"
#include "observe/process_usage.hpp"

#include <array>

namespace benchctl {

std::span<Observer* const> machine_observers() {
  static HostMemoryObserver memory;
  static DisturbanceObserver disturbance("/proc");
  static PerfObserver counters(hardware_events());
  static PackageEnergyObserver energy("/sys/class/powercap");
  static const std::array<Observer*, 4> observers{&memory, &disturbance, &counters, &energy};
  return observers;
}

bool is_processor(const DeviceInfo& device) { return device.physical.starts_with("cpu:"); }

}  // namespace benchctl
