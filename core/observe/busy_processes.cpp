#include "observe/busy_processes.hpp"

#include "model/words.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <functional>
#include <numeric>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

namespace benchctl {

namespace {

namespace fs = std::filesystem;

/// Share of one processor: every machine does less than that on the side.
constexpr double share_worth_telling = 0.1;
constexpr std::size_t processes_told = 3;

struct ProcessStat {
  std::string name;
  pid_t parent = 0;
  double started = 0;
  double ticks = 0;
};

/// A line of /proc/PID/stat (proc(5)): `PID (name) state parent …`. The name may hold blanks and brackets.
std::optional<ProcessStat> parse_stat(const std::string& line) {
  const std::size_t open = line.find('(');
  const std::size_t close = line.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return std::nullopt;
  ProcessStat stat{.name = line.substr(open + 1, close - open - 1)};
  std::istringstream fields(line.substr(close + 1));
  char state = 0;
  std::string skipped;
  double user = 0;
  double system = 0;
  fields >> state >> stat.parent;
  for (int field = 5; field <= 13; ++field) fields >> skipped;
  fields >> user >> system;
  for (int field = 16; field <= 21; ++field) fields >> skipped;
  if (!(fields >> stat.started)) return std::nullopt;
  stat.ticks = user + system;
  return stat;
}

std::map<pid_t, ProcessStat> all_processes(const fs::path& proc) {
  std::map<pid_t, ProcessStat> processes;
  std::error_code error;
  for (fs::directory_iterator entry(proc, error), end; !error && entry != end; entry.increment(error)) {
    const auto number = number_from<pid_t>(entry->path().filename().string());
    if (!number) continue;
    std::string line;
    std::getline(std::ifstream(entry->path() / "stat"), line);
    if (auto stat = parse_stat(line)) processes.emplace(*number, std::move(*stat));
  }
  return processes;
}

bool is_below(pid_t process, pid_t ancestor, const std::map<pid_t, ProcessStat>& processes) {
  for (std::size_t steps = 0; steps <= processes.size(); ++steps) {
    if (process == ancestor) return true;
    const auto found = processes.find(process);
    if (found == processes.end()) return false;
    process = found->second.parent;
  }
  return false;
}

}  // namespace

BusyProcesses::BusyProcesses(fs::path proc, pid_t self) : proc_(std::move(proc)), self_(self) {}

void BusyProcesses::look() {
  const std::map<pid_t, ProcessStat> processes = all_processes(proc_);
  std::map<pid_t, Process> now;
  for (const auto& [number, stat] : processes) {
    if (is_below(number, self_, processes)) continue;
    now[number] = {stat.started, stat.ticks};
    const auto before = seen_.find(number);
    const bool known = before != seen_.end() && before->second.started == stat.started;
    if (looked_) ticks_[stat.name] += std::max(0.0, stat.ticks - (known ? before->second.ticks : 0.0));
  }
  seen_ = std::move(now);
  looked_ = true;
}

std::string BusyProcesses::text(double seconds) const {
  const auto a_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  std::vector<std::pair<std::string, double>> most(ticks_.begin(), ticks_.end());
  std::ranges::stable_sort(most, std::greater<>(), &std::pair<std::string, double>::second);
  const double used = std::accumulate(most.begin(), most.end(), 0.0, [&](double sum, const auto& process) {
    return sum + process.second / a_second;
  });
  if (!(seconds > 0) || !(used >= share_worth_telling * seconds)) return {};
  std::string text =
      fmt::format("{} {:.3g} s of processor time in {:.3g} s, most of all", busy_words, used, seconds);
  for (std::size_t i = 0; i < std::min(most.size(), processes_told) && most[i].second > 0; ++i) {
    text += fmt::format("{} {} ({:.3g} s)", i > 0 ? "," : "", most[i].first, most[i].second / a_second);
  }
  return text;
}

// ns on a processor, ns in the queue for one, number of turns
RunQueueWaits run_queue_waits(const fs::path& process) {
  RunQueueWaits waits;
  std::error_code unreadable;
  for (const fs::directory_entry& task : fs::directory_iterator(process / "task", unreadable)) {
    // Audits read it around each execution: a stream takes several times as long.
    std::array<char, 128> line{};
    const int file = open((task.path() / "schedstat").c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) continue;
    const ssize_t length = read(file, line.data(), line.size() - 1);
    close(file);
    double waiting = 0;
    if (length > 0 && std::sscanf(line.data(), "%*u %lf", &waiting) == 1)
      waits[task.path().filename()] = waiting;
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

}  // namespace benchctl
