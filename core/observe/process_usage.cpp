#include "observe/process_usage.hpp"

#include "observe/machine_observers.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace benchctl {

namespace {

namespace fs = std::filesystem;

bool has(std::span<const std::string> ids, std::string_view id) {
  return std::ranges::find(ids, id) != ids.end();
}

class HostMemoryWatch final : public Watch {
 public:
  // Writing 5 resets the peak to what is resident now (proc(5)); where that is not allowed, the figure is
  // the peak since the process began.
  void begin() override { std::ofstream("/proc/self/clear_refs") << 5; }

  void end(const Window&, Readings& readings) override {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
      if (!line.starts_with("VmHWM:")) continue;
      const double kibibytes = std::stod(line.substr(6));
      readings.values["peak_host_bytes"] = {kibibytes * 1024};
      return;
    }
    readings.absent["peak_host_bytes"] = "/proc/self/status has no line VmHWM";
  }
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

class DisturbanceWatch final : public Watch {
 public:
  DisturbanceWatch(fs::path stat, std::span<const std::string> ids)
      : stat_(std::move(stat)),
        cpus_(usable_cpu_numbers()),
        faults_wanted_(has(ids, "page_faults")),
        switches_wanted_(has(ids, "context_switches")),
        steal_wanted_(has(ids, "steal_ns")) {}

  void begin() override {
    faults_.clear();
    switches_.clear();
    if (steal_wanted_) stolen_before_ = stolen_ns(stat_, cpus_);
    before_block_ = usage_now();
  }
  void begin_sample() override { before_ = usage_now(); }
  void end_sample() override { add(before_); }

  void end(const Window& window, Readings& readings) override {
    if (!window.by_sample) add(before_block_);
    if (faults_wanted_) readings.values["page_faults"] = faults_;
    if (switches_wanted_) readings.values["context_switches"] = switches_;
    if (steal_wanted_) readings.values["steal_ns"] = {stolen_ns(stat_, cpus_) - stolen_before_};
  }

 private:
  void add(const Usage& before) {
    const Usage now = usage_now();
    faults_.push_back(now.page_faults - before.page_faults);
    switches_.push_back(now.context_switches - before.context_switches);
  }

  fs::path stat_;
  std::vector<int> cpus_;
  bool faults_wanted_;
  bool switches_wanted_;
  bool steal_wanted_;
  Usage before_block_;
  Usage before_;
  double stolen_before_ = 0;
  std::vector<double> faults_;
  std::vector<double> switches_;
};

}  // namespace

std::span<const ReadingInfo> HostMemoryObserver::readings() const {
  static const std::vector<ReadingInfo> table{
      {"peak_host_bytes", "B", "largest resident memory of the worker process during the samples",
       ReadingKind::block, ReadingSummary::maximum}};
  return table;
}

std::unique_ptr<Watch> HostMemoryObserver::watch(const DeviceInfo&, std::span<const std::string>) {
  return std::make_unique<HostMemoryWatch>();
}

std::span<const ReadingInfo> DisturbanceObserver::readings() const {
  static const std::vector<ReadingInfo> table{
      {"page_faults", "", "page faults of the worker process", ReadingKind::block, ReadingSummary::sum},
      {"context_switches", "", "context switches of the worker process", ReadingKind::block,
       ReadingSummary::sum},
      {"steal_ns", "ns", "time that the hypervisor took from the worker's processors", ReadingKind::block,
       ReadingSummary::sum}};
  return table;
}

std::unique_ptr<Watch> DisturbanceObserver::watch(const DeviceInfo& device,
                                                  std::span<const std::string> ids) {
  if (!is_processor(device)) return nullptr;
  return std::make_unique<DisturbanceWatch>(proc_ / "stat", ids);
}

// ns on a processor, ns in the queue for one, number of turns
RunQueueWaits run_queue_waits(const fs::path& process) {
  RunQueueWaits waits;
  std::error_code unreadable;
  for (const fs::directory_entry& task : fs::directory_iterator(process / "task", unreadable)) {
    std::ifstream file(task.path() / "schedstat");
    double running = 0;
    double waiting = 0;
    if (file >> running >> waiting) waits[task.path().filename()] = waiting;
  }
  return waits;
}

double waited_ns(const RunQueueWaits& before, const RunQueueWaits& after, const std::string& caller) {
  double own = 0;
  double longest = 0;
  for (const auto& [thread, ns] : after) {
    const auto found = before.find(thread);
    double& most = thread == caller ? own : longest;
    most = std::max(most, ns - (found == before.end() ? 0.0 : found->second));
  }
  return own + longest;
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
