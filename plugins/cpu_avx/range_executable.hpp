// Work on a range of elements, rows or blocks that threads divide among themselves.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "executable.hpp"
#include "machine.hpp"

namespace benchctl::cpu_avx {

class RangeExecutable final : public Executable {
 public:
  using Buffers = std::span<const std::span<std::byte>>;
  /// Does the part `range` of [0, count); `thread` counts from 0. Must not throw nor allocate.
  using Body = std::function<void(Buffers buffers, Range range, unsigned thread)>;

  /// Parts are whole multiples of `granule` but for the last. `instructions` names what runs, for a reader.
  RangeExecutable(Machine& machine, unsigned threads, std::size_t count, std::size_t granule, Body body,
                  std::string instructions)
      : pool_(machine.pool),
        threads_(threads),
        instructions_(std::move(instructions)),
        body_(std::move(body)) {
    pool_.require(threads_);
    // Divided once: a division takes as long as ten vectors. So for the std::function, which could
    // allocate.
    for (unsigned thread = 0; thread < threads_; ++thread) {
      ranges_.push_back(part_of(count, granule, thread, threads_));
    }
    job_ = [this](unsigned thread) {
      const Range range = ranges_[thread];
      if (range.begin < range.end) body_(buffers_, range, thread);
    };
  }

  void execute(Buffers buffers) override {
    if (threads_ == 1) {
      // Nanoseconds less than by way of the pool, some per cent of a thousand elements.
      if (ranges_[0].begin < ranges_[0].end) body_(buffers, ranges_[0], 0);
      return;
    }
    buffers_ = buffers;
    pool_.run(threads_, job_);
  }
  [[nodiscard]] unsigned threads() const override { return threads_; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return {{"instructions", instructions_}, {"threads", std::to_string(threads_)}};
  }

 private:
  ThreadPool& pool_;
  unsigned threads_;
  std::string instructions_;
  Buffers buffers_;
  std::vector<Range> ranges_;
  Body body_;
  std::function<void(unsigned)> job_;
};

/// The payload of a buffer as elements.
template <class T>
[[nodiscard]] T* elements(RangeExecutable::Buffers buffers, std::size_t index) {
  return reinterpret_cast<T*>(buffers[index].data());
}

}  // namespace benchctl::cpu_avx
