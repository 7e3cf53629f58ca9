#include "engine/interrupt.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>

namespace benchctl {

namespace {

constexpr std::chrono::milliseconds between_looks{200};
/// A machine may be so busy that a look comes late: this much counts.
constexpr double most_between_looks = 2;

volatile std::sig_atomic_t interrupts = 0;
int guards = 0;  // that live

extern "C" void on_interrupt(int) {
  interrupts = interrupts + 1;
  // Workers are told by the kernel that their coordinator is gone; the store is valid at any moment.
  if (interrupts > 1) _exit(130);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  if (guards++ > 0) return;
  interrupts = 0;
  handle(SIGINT, on_interrupt);
  handle(SIGTERM, on_interrupt);
}

InterruptGuard::~InterruptGuard() {
  if (--guards > 0) return;
  handle(SIGINT, SIG_DFL);
  handle(SIGTERM, SIG_DFL);
}

bool InterruptGuard::requested() { return interrupts > 0; }

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
