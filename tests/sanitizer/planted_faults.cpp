// planted_faults FAULT LIBRARY: commits one fault that a sanitizer has to report, or does one thing that it
// must bear. LIBRARY: libthread_local_block.so.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <semaphore>
#include <string_view>
#include <thread>

namespace {

using Block = char** (*)();

/// Not known to the optimiser.
volatile int seven = 7;

int race() {
  int shared = 0;
  std::thread other([&] { shared += seven; });
  shared += seven;
  other.join();
  return shared == 0 ? 1 : 0;
}

int leak() {
  // Overwritten, so that no register or stack slot holds the address.
  for (int i = 0; i < 8; ++i) {
    auto* volatile lost = static_cast<char*>(std::malloc(1000));
    lost[0] = 1;
    lost = nullptr;
  }
  return 0;
}

int overflow() {
  auto* numbers = new int[static_cast<unsigned>(seven)];
  numbers[0] = 1;
  const int beyond = numbers[seven];
  delete[] numbers;
  return beyond == 1 ? 1 : 0;
}

int shift() { return (1 << (seven * 5)) == 0 ? 1 : 0; }

/// Memory whose only address is in a thread-local variable of a library.
int held(Block block) {
  *block() = static_cast<char*>(std::malloc(1000));
  return 0;
}

/// Threads that live until the process ends, with a block 16 bytes into a page: for a new thread the first
/// allocation of its size.
int page_start(Block block) {
  int reached = 0;
  for (int i = 0; i < 8; ++i) {
    std::binary_semaphore placed{0};
    std::thread([&reached, &placed, block] {
      if (reinterpret_cast<std::uintptr_t>(block()) % 4096 == 16) ++reached;
      placed.release();
      for (;;) pause();
    }).detach();
    placed.acquire();
  }
  if (reached > 0) return 0;
  std::fputs("no block lies 16 bytes into a page: this test shows nothing here\n", stderr);
  return 1;
}

int misused(const char* why) {
  std::fprintf(stderr, "planted_faults: %s\n", why);
  return 2;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return misused("two arguments: FAULT LIBRARY");
  const std::string_view fault = arguments[1];
  void* library = dlopen(arguments[2], RTLD_NOW);
  if (library == nullptr) return misused(dlerror());
  const auto block = reinterpret_cast<Block>(dlsym(library, "benchctl_thread_local"));
  if (block == nullptr) return misused(dlerror());
  if (fault == "race") return race();
  if (fault == "leak") return leak();
  if (fault == "overflow") return overflow();
  if (fault == "shift") return shift();
  if (fault == "held") return held(block);
  if (fault == "page_start") return page_start(block);
  return misused("no such fault");
}
