#include "observe/machine_observers.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace benchctl {

namespace {

namespace fs = std::filesystem;

class HostMemoryWatch final : public Watch {
 public:
  // Writing 5 resets the peak to what is resident now (proc(5)); where that is not allowed, the figure is
  // the peak since the process began.
  void begin() override { peak_ << 5 << std::flush; }

  void end(const Window&, Readings& readings) override {
    status_.clear();
    status_.seekg(0);
    for (std::string line; std::getline(status_, line);) {
      if (!line.starts_with("VmHWM:")) continue;
      const double kibibytes = std::stod(line.substr(6));
      readings.values["peak_host_bytes"] = {kibibytes * 1024};
      return;
    }
    readings.absent["peak_host_bytes"] = "/proc/self/status has no line VmHWM";
  }

 private:
  std::ofstream peak_{"/proc/self/clear_refs"};
  std::ifstream status_{"/proc/self/status"};
};

struct Usage {
  double page_faults = 0;
  double context_switches = 0;
};

Usage usage_now() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) throw std::runtime_error("getrusage fails");
  return {static_cast<double>(usage.ru_minflt + usage.ru_majflt),
          static_cast<double>(usage.ru_nvcsw + usage.ru_nivcsw)};
}

class DisturbanceWatch final : public Watch {
 public:
  explicit DisturbanceWatch(std::span<const std::string> ids)
      : cpus_(usable_cpu_numbers()), wanted_(ids.begin(), ids.end()) {}

  void begin() override {
    faults_.clear();
    switches_.clear();
    if (wants("steal_ns")) stolen_before_ = stolen_ns(stat, cpus_);
    before_block_ = usage_now();
  }
  void begin_sample() override { before_ = usage_now(); }
  void end_sample() override { add(before_); }

  void end(const Window& window, Readings& readings) override {
    if (!window.by_sample) add(before_block_);
    if (wants("page_faults")) readings.values["page_faults"] = faults_;
    if (wants("context_switches")) readings.values["context_switches"] = switches_;
    if (wants("steal_ns")) readings.values["steal_ns"] = {stolen_ns(stat, cpus_) - stolen_before_};
  }

 private:
  [[nodiscard]] bool wants(std::string_view id) const {
    return std::ranges::find(wanted_, id) != wanted_.end();
  }
  void add(const Usage& before) {
    const Usage now = usage_now();
    faults_.push_back(now.page_faults - before.page_faults);
    switches_.push_back(now.context_switches - before.context_switches);
  }

  static constexpr const char* stat = "/proc/stat";

  std::vector<int> cpus_;
  std::vector<std::string> wanted_;
  Usage before_block_;
  Usage before_;
  double stolen_before_ = 0;
  std::vector<double> faults_;
  std::vector<double> switches_;
};

/// The counters move about once a millisecond; half a second makes that a matter of a few thousandths.
constexpr double least_seconds = 0.5;
/// Below it, the energy of waiting would be counted as the variant's.
constexpr double least_busy_share = 0.8;

std::uint64_t read_number(const fs::path& file) {
  errno = 0;
  std::ifstream in(file);
  std::uint64_t number = 0;
  if (in >> number) return number;
  throw std::runtime_error(
      fmt::format("{} cannot be read: {}{}", file.string(),
                  errno != 0 ? std::strerror(errno) : "it does not contain a number",
                  errno == EACCES ? "; an administrator may allow it (chmod a+r)" : ""));
}

struct Package {
  fs::path counter;
  std::uint64_t range = 0;  ///< where the counter starts again at 0
  std::uint64_t before = 0;
};

/// Microjoules between two values of a counter that may have started again once.
std::uint64_t difference(std::uint64_t before, std::uint64_t after, std::uint64_t range) {
  return after >= before ? after - before : after + range - before;
}

class PackageEnergyWatch final : public Watch {
 public:
  explicit PackageEnergyWatch(const fs::path& powercap) {
    std::error_code missing;
    for (const auto& zone : fs::directory_iterator(powercap, missing)) {
      std::ifstream file(zone.path() / "name");
      std::string name;
      if (!(file >> name) || !name.starts_with("package-")) continue;
      packages_.push_back({zone.path() / "energy_uj", read_number(zone.path() / "max_energy_range_uj")});
    }
    if (packages_.empty()) {
      throw std::runtime_error(
          fmt::format("{} has no package with an energy counter (a virtual machine, or no driver for it)",
                      powercap.string()));
    }
    for (Package& package : packages_) package.before = read_number(package.counter);
  }

  void begin() override {
    for (Package& package : packages_) package.before = read_number(package.counter);
  }

  void end(const Window& window, Readings& readings) override {
    double joules = 0;
    for (const Package& package : packages_) {
      joules += 1e-6 * static_cast<double>(
                           difference(package.before, read_number(package.counter), package.range));
    }
    if (!window.only_executions) {
      readings.absent["energy"] = "caches are emptied or buffers copied between executions";
    } else if (window.wall_ns < 1e9 * least_seconds) {
      readings.absent["energy"] =
          fmt::format("the pass lasted {:.3g} s, too short for the counter", window.wall_ns * 1e-9);
    } else if (window.busy_share() < least_busy_share) {
      readings.absent["energy"] =
          fmt::format("the variant ran for only {:.0f} % of the pass", 100 * window.busy_share());
    } else {
      readings.values["energy"] = {joules / window.executions};
    }
  }

  [[nodiscard]] double pass_seconds() const override { return least_seconds; }

 private:
  std::vector<Package> packages_;
};

}  // namespace

std::span<Observer* const> machine_observers() {
  static TableObserver memory = host_memory_observer();
  static TableObserver disturbance = disturbance_observer();
  static TableObserver counters = perf_observer(hardware_events());
  static TableObserver energy = package_energy_observer("/sys/class/powercap");
  static const std::array<Observer*, 4> observers{&memory, &disturbance, &counters, &energy};
  return observers;
}

std::vector<int> usable_cpu_numbers() {
  constexpr int most = 8192;
  std::vector<cpu_set_t> set(most / CPU_SETSIZE);
  std::vector<int> cpus;
  if (sched_getaffinity(getpid(), set.size() * sizeof(cpu_set_t), set.data()) != 0) return cpus;
  for (int cpu = 0; cpu < most; ++cpu) {
    if (CPU_ISSET_S(static_cast<std::size_t>(cpu), set.size() * sizeof(cpu_set_t), set.data()))
      cpus.push_back(cpu);
  }
  return cpus;
}

bool is_processor(const DeviceInfo& device) { return device.physical.starts_with("cpu:"); }

TableObserver host_memory_observer() {
  return {TableObserver::Devices::all,
          {{"peak_host_bytes", "B", "largest resident memory of the worker process during the samples",
            ReadingKind::block, ReadingSummary::maximum}},
          [](std::span<const std::string>) { return std::make_unique<HostMemoryWatch>(); }};
}

TableObserver disturbance_observer() {
  return {
      TableObserver::Devices::processors,
      {{"page_faults", "", "page faults of the worker process", ReadingKind::block, ReadingSummary::sum},
       {"context_switches", "", "context switches of the worker process", ReadingKind::block,
        ReadingSummary::sum},
       {"steal_ns", "ns", "time that the hypervisor took from the worker's processors", ReadingKind::block,
        ReadingSummary::sum}},
      [](std::span<const std::string> ids) { return std::make_unique<DisturbanceWatch>(ids); }};
}

TableObserver package_energy_observer(const fs::path& powercap) {
  return {
      TableObserver::Devices::processors,
      {{"energy", "J", "energy of all processor packages per execution, idle power included",
        ReadingKind::pass, ReadingSummary::mean, true}},
      [powercap](std::span<const std::string>) { return std::make_unique<PackageEnergyWatch>(powercap); }};
}

// cpuN user nice system idle iowait irq softirq steal …
double stolen_ns(const fs::path& stat, std::span<const int> cpus) {
  std::ifstream file(stat);
  if (!file) throw std::runtime_error(fmt::format("{} cannot be read", stat.string()));
  std::uint64_t ticks = 0;
  for (std::string line; std::getline(file, line) && line.starts_with("cpu");) {
    if (line.size() < 4 || line[3] == ' ') continue;
    std::istringstream fields(line.substr(3));
    int cpu = -1;
    std::uint64_t value = 0;
    fields >> cpu;
    for (int field = 0; field < 8; ++field) fields >> value;
    if (fields && std::ranges::find(cpus, cpu) != cpus.end()) ticks += value;
  }
  return static_cast<double>(ticks) * 1e9 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace benchctl
