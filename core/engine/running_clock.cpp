#include "engine/running_clock.hpp"

#include <algorithm>
#include <chrono>

namespace benchctl {

namespace {

constexpr std::chrono::milliseconds between_looks{200};
/// A machine may be so busy that a look comes late: this much counts.
constexpr double most_between_looks = 2;

}  // namespace

RunningClock::RunningClock(std::function<double()> now)
    : now_(std::move(now)), last_(now_()), thread_([this] {
        std::unique_lock lock(mutex_);
        while (!ends_.wait_for(lock, between_looks, [this] { return ended_; })) look();
      }) {}

RunningClock::~RunningClock() {
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  }
  ends_.notify_one();
  thread_.join();
}

double RunningClock::seconds() {
  const std::scoped_lock lock(mutex_);
  look();
  return counted_;
}

void RunningClock::look() {
  const double now = now_();
  counted_ += std::min(now - last_, most_between_looks);
  last_ = now;
}

}  // namespace benchctl
