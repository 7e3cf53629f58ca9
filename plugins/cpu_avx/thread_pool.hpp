// A pool for kernels of microseconds: threads pinned to one core each, woken by a flag that they watch for
// a short while before they go to sleep, work divided beforehand.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace benchctl::cpu_avx {

/// Binds the calling thread to one logical processor until the end of the scope. Where binding is not
/// allowed, the thread stays as it is.
class PinnedScope {
 public:
  explicit PinnedScope(int cpu);
  PinnedScope(const PinnedScope&) = delete;
  PinnedScope& operator=(const PinnedScope&) = delete;
  ~PinnedScope();

 private:
  std::vector<cpu_set_t> before_;  ///< empty: nothing to restore
};

class ThreadPool {
 public:
  /// `cores`: one logical processor per thread; the caller's part runs on the first, by PinnedScope.
  explicit ThreadPool(std::vector<int> cores);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool();

  [[nodiscard]] unsigned capacity() const { return static_cast<unsigned>(cores_.size()); }
  [[nodiscard]] int core(unsigned thread) const { return cores_[thread]; }

  /// Starts threads, so that `threads` (at most capacity()) can work together with no start in a sample.
  void require(unsigned threads);

  /// Calls job(0) … job(threads - 1), each on its own thread, job(0) on the caller's; returns when all
  /// have ended. `threads` must have been required. The job must not throw.
  void run(unsigned threads, const std::function<void(unsigned)>& job);

 private:
  struct alignas(64) Worker {
    std::atomic<std::uint32_t> ticket{0};  ///< raised by one for each job
    std::atomic<bool> stop{false};
    std::thread thread;
  };

  void serve(Worker& worker, unsigned number);

  std::vector<int> cores_;
  std::vector<std::unique_ptr<Worker>> workers_;
  const std::function<void(unsigned)>* job_ = nullptr;
  alignas(64) std::atomic<unsigned> open_{0};  ///< workers that have not finished their part
};

/// Part `number` of `parts` of [0, count), in whole multiples of `granule` but for the last.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};
[[nodiscard]] Range part_of(std::size_t count, std::size_t granule, unsigned number, unsigned parts);

}  // namespace benchctl::cpu_avx
