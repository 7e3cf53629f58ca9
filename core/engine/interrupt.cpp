#include "engine/interrupt.hpp"

#include <unistd.h>
#include <csignal>

namespace benchctl {

namespace {

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

}  // namespace benchctl
