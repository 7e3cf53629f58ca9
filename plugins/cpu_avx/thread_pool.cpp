#include "thread_pool.hpp"

#include <benchctl/rounding.hpp>

#include <immintrin.h>

#include <algorithm>
#include <chrono>

namespace benchctl::cpu_avx {

namespace {

using Clock = std::chrono::steady_clock;

// Longer than the gap between the executions of a batch, far shorter than what a neighbour would notice.
constexpr auto watch_time = std::chrono::microseconds(50);
constexpr std::size_t mask_words = 8;  // 8 · 1024 processors

bool bind_to(int cpu) {
  std::vector<cpu_set_t> mask(mask_words);
  CPU_SET_S(static_cast<std::size_t>(cpu), mask.size() * sizeof(cpu_set_t), mask.data());
  return sched_setaffinity(0, mask.size() * sizeof(cpu_set_t), mask.data()) == 0;
}

/// Watches for `done` for a bounded time; was it seen?
template <class Done>
bool watch(Done done) {
  const auto end = Clock::now() + watch_time;
  do {
    for (int i = 0; i < 64; ++i) {
      if (done()) return true;
      _mm_pause();
    }
  } while (Clock::now() < end);
  return false;
}

}  // namespace

PinnedScope::PinnedScope(int cpu) {
  std::vector<cpu_set_t> before(mask_words);
  if (sched_getaffinity(0, before.size() * sizeof(cpu_set_t), before.data()) != 0) return;
  if (bind_to(cpu)) before_ = std::move(before);
}

PinnedScope::~PinnedScope() {
  if (before_.empty()) return;
  sched_setaffinity(0, before_.size() * sizeof(cpu_set_t), before_.data());
}

ThreadPool::ThreadPool(std::vector<int> cores) : cores_(std::move(cores)) {}

ThreadPool::~ThreadPool() {
  for (const auto& worker : workers_) {
    worker->stop = true;
    worker->ticket.fetch_add(1);
    worker->ticket.notify_one();
  }
  for (const auto& worker : workers_) worker->thread.join();
}

void ThreadPool::require(unsigned threads) {
  while (workers_.size() + 1 < std::min(threads, capacity())) {
    auto& worker = *workers_.emplace_back(std::make_unique<Worker>());
    const auto number = static_cast<unsigned>(workers_.size());
    worker.thread = std::thread([this, &worker, number] { serve(worker, number); });
  }
}

void ThreadPool::serve(Worker& worker, unsigned number) {
  bind_to(cores_[number]);
  std::uint32_t seen = 0;
  for (;;) {
    if (!watch([&] { return worker.ticket.load() != seen; })) worker.ticket.wait(seen);
    ++seen;
    if (worker.stop) return;
    (*job_)(number);
    if (open_.fetch_sub(1) == 1) open_.notify_one();
  }
}

void ThreadPool::run(unsigned threads, const std::function<void(unsigned)>& job) {
  if (threads > 1) {
    job_ = &job;
    open_ = threads - 1;
    for (unsigned number = 1; number < threads; ++number) {
      Worker& worker = *workers_[number - 1];
      worker.ticket.fetch_add(1);
      worker.ticket.notify_one();
    }
  }
  job(0);
  if (threads > 1 && !watch([this] { return open_.load() == 0; })) {
    for (unsigned left = open_.load(); left != 0; left = open_.load()) open_.wait(left);
  }
}

Range part_of(std::size_t count, std::size_t granule, unsigned number, unsigned parts) {
  const std::size_t granules = ceil_div(count, granule);
  const auto edge = [&](std::size_t part) { return std::min(count, granules * part / parts * granule); };
  return {edge(number), edge(number + std::size_t{1})};
}

}  // namespace benchctl::cpu_avx
