#include "worker/processor_state.hpp"

#include <sys/resource.h>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace benchctl {

namespace {

constexpr std::size_t mask_words = 8;  // 8 · 1024 processors
constexpr std::size_t mask_bytes = mask_words * sizeof(cpu_set_t);

/// How the calling thread computes, without the flags of what it has computed.
unsigned floating_point_mode() {
#ifdef __SSE__
  return _mm_getcsr() & ~static_cast<unsigned>(_MM_EXCEPT_MASK);
#else
  return 0;
#endif
}

void set_floating_point_mode([[maybe_unused]] unsigned mode) {
#ifdef __SSE__
  _mm_setcsr(mode);
#endif
}

/// What every thread of this program starts with.
const unsigned usual_mode = floating_point_mode();

}  // namespace

std::map<int, ProcessorState::Thread> ProcessorState::read() {
  std::map<int, Thread> threads;
  std::error_code unreadable;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", unreadable)) {
    const std::string name = task.path().filename().string();
    int id = 0;
    std::from_chars(name.data(), name.data() + name.size(), id);
    Thread thread{std::vector<cpu_set_t>(mask_words), getpriority(PRIO_PROCESS, static_cast<id_t>(id))};
    if (sched_getaffinity(id, mask_bytes, thread.cpus.data()) == 0) threads[id] = std::move(thread);
  }
  return threads;
}

void ProcessorState::look() { threads_.merge(read()); }

std::string ProcessorState::restore() {
  std::string harm;
  if (floating_point_mode() != usual_mode) {
    set_floating_point_mode(usual_mode);
    harm = "it changes how floating-point numbers are rounded or denormals treated, and leaves it so";
  }
  std::map<int, Thread> now = read();
  for (auto& [id, thread] : now) {
    const auto before = threads_.find(id);
    if (before == threads_.end()) continue;
    const Thread& usual = before->second;
    if (thread.nice != usual.nice) {
      harm = fmt::format("it changes the nice level of a thread from {} to {}", usual.nice, thread.nice);
      if (setpriority(PRIO_PROCESS, static_cast<id_t>(id), usual.nice) != 0) spoilt_ = true;
    }
    if (!CPU_EQUAL_S(mask_bytes, thread.cpus.data(), usual.cpus.data())) {
      harm = "it changes on which processors a thread may run";
      if (sched_setaffinity(id, mask_bytes, usual.cpus.data()) != 0) spoilt_ = true;
    }
    thread = usual;
  }
  threads_ = std::move(now);
  return harm;
}

}  // namespace benchctl
