#include "counters.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace benchctl::cpu_avx {

namespace {

constexpr auto step = std::chrono::milliseconds(10);

}  // namespace

double context_switches() {
  rusage usage{};
  if (getrusage(RUSAGE_THREAD, &usage) != 0) return 0;
  return static_cast<double>(usage.ru_nvcsw + usage.ru_nivcsw);
}

StealClock::StealClock(std::vector<int> cpus)
    : cpus_(std::move(cpus)), last_ticks_(ticks()), last_time_(std::chrono::steady_clock::now()) {}

double StealClock::since_last(bool now) {
  const auto time = std::chrono::steady_clock::now();
  if (!now && time - last_time_ < step) return 0;
  last_time_ = time;
  const std::uint64_t current = ticks();
  const std::uint64_t stolen = current - std::min(current, last_ticks_);
  last_ticks_ = current;
  return static_cast<double>(stolen) * 1e9 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

// cpuN user nice system idle iowait irq softirq steal …
std::uint64_t StealClock::ticks() const {
  std::uint64_t sum = 0;
  std::ifstream file("/proc/stat");
  std::string line;
  while (std::getline(file, line) && line.starts_with("cpu")) {
    if (line.size() < 4 || line[3] == ' ') continue;
    std::istringstream fields(line.substr(3));
    int cpu = -1;
    std::uint64_t value = 0;
    fields >> cpu;
    for (int field = 0; field < 8; ++field) fields >> value;
    if (fields && std::ranges::find(cpus_, cpu) != cpus_.end()) sum += value;
  }
  return sum;
}

}  // namespace benchctl::cpu_avx
