// Hardware counters of the worker's threads through perf_event_open(2), where the kernel allows.
#include "observe/machine_observers.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <utility>

namespace benchctl {

namespace {

/// An open counter.
class Counter {
 public:
  Counter(const PerfEvent& event, pid_t thread, int group) {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = event.type;
    attributes.config = event.config;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.read_format =
        PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    descriptor_ = static_cast<int>(
        syscall(SYS_perf_event_open, &attributes, thread, -1, group, PERF_FLAG_FD_CLOEXEC));
    if (descriptor_ < 0) error_ = errno;
  }
  Counter(Counter&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), error_(other.error_) {}
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;
  Counter& operator=(Counter&&) = delete;
  ~Counter() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] int error() const { return error_; }  ///< 0: it is open

 private:
  int descriptor_ = -1;
  int error_ = 0;
};

/// Sums over all threads: the counts, and for how long they were wanted and counted.
struct Counts {
  std::vector<std::uint64_t> values;
  std::uint64_t enabled = 0;
  std::uint64_t running = 0;
};

class PerfWatch final : public Watch {
 public:
  explicit PerfWatch(const std::vector<PerfEvent>& wanted) {
    for (const PerfEvent& event : wanted) {
      const Counter probe(event, 0, -1);
      if (probe.error() == 0) {
        events_.push_back(event);
      } else {
        absent_[event.id] = perf_refusal(probe.error());
      }
    }
  }

  void begin() override {
    follow_threads();
    series_.assign(events_.size(), {});
    multiplexed_ = false;
    before_block_ = counts();
  }
  void begin_sample() override { before_ = counts(); }
  void end_sample() override { add(before_); }

  void end(const Window& window, Readings& readings) override {
    for (const auto& [id, reason] : absent_) readings.absent[id] = reason;
    std::string reason;
    const double executions = window.by_sample ? window.batch : window.executions;
    if (!window.by_sample) {
      if (window.only_executions) {
        add(before_block_);
      } else {
        reason = "the backend does not mark its samples, and there is other work between them";
      }
    }
    if (multiplexed_) reason = "the processor has too few counters for all of these at once: ask for fewer";
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (reason.empty()) {
        for (double& value : series_[i]) value /= std::max(1.0, executions);
        readings.values[events_[i].id] = series_[i];
      } else {
        readings.absent[events_[i].id] = reason;
      }
    }
  }

 private:
  /// Counters for threads that have come since the last time. Those of ended threads keep their counts.
  void follow_threads() {
    if (events_.empty()) return;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
      const auto thread = static_cast<pid_t>(std::stol(entry.path().filename().string()));
      if (groups_.contains(thread)) continue;
      std::vector<Counter> group;
      for (const PerfEvent& event : events_) {
        group.emplace_back(event, thread, group.empty() ? -1 : group.front().descriptor());
        const int error = group.back().error();
        if (error == 0) continue;
        group.clear();
        if (error == ESRCH) break;  // it has ended meanwhile
        throw std::runtime_error(fmt::format("counting '{}': {}", event.id, perf_refusal(error)));
      }
      if (!group.empty()) groups_.emplace(thread, std::move(group));
    }
  }

  [[nodiscard]] Counts counts() const {
    Counts sum;
    sum.values.assign(events_.size(), 0);
    std::vector<std::uint64_t> words(3 + events_.size());
    for (const auto& [thread, group] : groups_) {
      const auto bytes = static_cast<ssize_t>(words.size() * sizeof(std::uint64_t));
      if (read(group.front().descriptor(), words.data(), static_cast<std::size_t>(bytes)) != bytes) {
        throw std::runtime_error("a hardware counter cannot be read");
      }
      sum.enabled += words[1];
      sum.running += words[2];
      for (std::size_t i = 0; i < events_.size(); ++i) sum.values[i] += words[3 + i];
    }
    return sum;
  }

  void add(const Counts& before) {
    const Counts now = counts();
    multiplexed_ = multiplexed_ || now.enabled - before.enabled != now.running - before.running;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      series_[i].push_back(static_cast<double>(now.values[i] - before.values[i]));
    }
  }

  std::vector<PerfEvent> events_;
  std::map<std::string, std::string> absent_;
  std::map<pid_t, std::vector<Counter>> groups_;  ///< by thread: the first leads the others
  Counts before_block_;
  Counts before_;
  bool multiplexed_ = false;
  std::vector<std::vector<double>> series_;  ///< by event
};

constexpr std::uint64_t cache_event(std::uint64_t cache, std::uint64_t operation, std::uint64_t result) {
  return cache | operation << 8 | result << 16;
}

}  // namespace

std::vector<PerfEvent> hardware_events() {
  return {
      {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, "processor cycles"},
      {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, "instructions"},
      {"cache_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, "misses of the last-level cache"},
      {"branch_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, "mispredicted branches"},
      {"dtlb_misses", PERF_TYPE_HW_CACHE,
       cache_event(PERF_COUNT_HW_CACHE_DTLB, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS),
       "loads that missed the data TLB"}};
}

TableObserver perf_observer(const std::vector<PerfEvent>& events) {
  std::vector<ReadingInfo> readings;
  for (const PerfEvent& event : events) {
    readings.push_back({event.id, "", event.doc + " per execution, over all threads", ReadingKind::block,
                        ReadingSummary::median, true});
  }
  return {TableObserver::Devices::processors, std::move(readings),
          [events](std::span<const std::string> ids) {
            std::vector<PerfEvent> wanted;
            std::ranges::copy_if(events, std::back_inserter(wanted), [&](const PerfEvent& event) {
              return std::ranges::find(ids, event.id) != ids.end();
            });
            return std::make_unique<PerfWatch>(wanted);
          }};
}

std::string perf_refusal(int error) {
  switch (error) {
    case EACCES:
    case EPERM:
      return "the kernel does not permit it: /proc/sys/kernel/perf_event_paranoid must be 2 or less, or in "
             "a container perf_event_open allowed";
    case ENOENT:
    case EOPNOTSUPP:
    case ENODEV:
      return "this machine has no such counter (a virtual machine without performance counters?)";
    case ENOSYS:
      return "this kernel was built without performance counters";
    case EMFILE:
      return "too many open files: raise the limit (ulimit -n)";
    default:
      return fmt::format("perf_event_open fails: {}", std::strerror(error));
  }
}

}  // namespace benchctl
