#include "observe/busy_processes.hpp"

#include "model/words.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
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

RunQueue::Thread::Thread(const fs::path& task)
    : file_(open((task / "schedstat").c_str(), O_RDONLY | O_CLOEXEC)) {}

RunQueue::Thread::~Thread() {
  if (file_ >= 0) close(file_);
}

// ns on a processor, ns in the queue for one, number of turns
double RunQueue::Thread::read() const {
  std::array<char, 128> line{};
  double waited = 0;
  const bool is_told = file_ >= 0 && pread(file_, line.data(), line.size() - 1, 0) > 0 &&
                       std::sscanf(line.data(), "%*u %lf", &waited) == 1;
  return is_told ? waited : -1;
}

void RunQueue::look(bool ended) {
  std::error_code unreadable;
  const std::uintmax_t links = fs::hard_link_count(tasks_, unreadable);
  // Some file systems count no folders.
  if (!ended && links == links_ && links > 2) return;
  links_ = links;
  std::map<pid_t, Thread> old = std::exchange(threads_, {});
  for (const fs::directory_entry& task : fs::directory_iterator(tasks_, unreadable)) {
    const pid_t number = std::atoi(task.path().filename().c_str());
    if (auto known = old.extract(number); known && known.mapped().read() >= 0) {
      threads_.insert(std::move(known));
    } else {
      threads_.try_emplace(number, task.path());
    }
  }
}

void RunQueue::begin() {
  const auto read_all = [&] {
    bool all = true;
    for (auto& [number, thread] : threads_) all = (thread.before = thread.read()) >= 0 && all;
    return all;
  };
  look(false);
  if (read_all()) return;
  look(true);
  read_all();
}

double RunQueue::waited_ns(pid_t caller) {
  look(false);
  double own = 0;
  double longest = 0;
  for (const auto& [number, thread] : threads_) {
    double& most = number == caller ? own : longest;
    most = std::max(most, thread.read() - std::max(0.0, thread.before));
  }
  return own + longest;
}

}  // namespace benchctl
