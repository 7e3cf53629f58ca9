// A library to be preloaded: an allocator that puts pages which nobody may touch on both sides of what a
// thread allocates while it asks for it (conformance/memory.cpp). An access to such a page ends the
// process; what it was beside is written to standard error before. Freed memory becomes such pages, too.
#include <dlfcn.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// The names of the C library.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" void* __libc_malloc(std::size_t bytes);
extern "C" void* __libc_calloc(std::size_t count, std::size_t bytes);
extern "C" void* __libc_realloc(void* old, std::size_t bytes);
extern "C" void* __libc_memalign(std::size_t alignment, std::size_t bytes);
extern "C" void __libc_free(void* block);
// NOLINTEND(bugprone-reserved-identifier)

namespace {

using Address = std::uintptr_t;

constexpr std::size_t page = 4096;
constexpr std::size_t least_alignment = 16;
/// Addresses, not memory.
constexpr std::size_t arena_bytes = std::size_t{1} << 36;

struct Block {
  Address first;  ///< 0: no block begins on this page
  std::size_t bytes;
};

// Not allocated at first use, which would call the allocator.
__attribute__((tls_model("initial-exec"))) thread_local int guarded_end = 0;

Address arena = 0;
Block* blocks = nullptr;  ///< by the page on which they begin
std::atomic<std::size_t> next_page{1};

void* reserve(std::size_t bytes, int protection) {
  void* const place = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return place == MAP_FAILED ? nullptr : place;
}

bool in_arena(Address address) { return arena != 0 && address >= arena && address - arena < arena_bytes; }

Block& block_at(Address address) { return blocks[(address - arena) / page]; }

Address round_up(Address value, std::size_t step) { return (value + step - 1) / step * step; }

/// Null without enough room.
void* allocate_guarded(std::size_t alignment, std::size_t bytes) {
  const std::size_t span = std::max(round_up(bytes, page), page);
  const std::size_t most = span + std::max(alignment, page) + page;
  if (bytes > arena_bytes || most > arena_bytes) return nullptr;
  const std::size_t from = next_page.fetch_add(most / page);
  if ((from + most / page) * page > arena_bytes) return nullptr;
  const Address start = round_up(arena + from * page, std::max(alignment, page));
  if (mprotect(reinterpret_cast<void*>(start), span, PROT_READ | PROT_WRITE) != 0) return nullptr;
  const Address last = (start + span - bytes) / alignment * alignment;
  const Address first = guarded_end == 1 ? last : start;
  block_at(first) = {first, bytes};
  return reinterpret_cast<void*>(first);
}

void* allocate(std::size_t alignment, std::size_t bytes) {
  if (guarded_end != 0) {
    if (void* const block = allocate_guarded(std::max(alignment, least_alignment), bytes)) return block;
  }
  return alignment <= least_alignment ? __libc_malloc(bytes) : __libc_memalign(alignment, bytes);
}

void release(void* pointer) {
  const auto address = reinterpret_cast<Address>(pointer);
  const Address start = address / page * page;
  const std::size_t span = round_up(address + block_at(address).bytes, page) - start;
  void* const place = reinterpret_cast<void*>(start);
  madvise(place, span, MADV_DONTNEED);
  mprotect(place, span, PROT_NONE);
}

/// What an access to a guard page was beside.
int describe(Address address, char* text, std::size_t room) {
  const std::size_t most = std::min(next_page.load(), arena_bytes / page);
  std::size_t before = (address - arena) / page;
  std::size_t after = before;
  while (before > 0 && (blocks[before].first == 0 || blocks[before].first > address)) --before;
  while (after < most && blocks[after].first <= address) ++after;
  const std::size_t bytes = blocks[before].bytes;
  const std::size_t place = address - blocks[before].first;
  if (before > 0 && place < bytes) {
    return std::snprintf(text, room, "an access to a buffer of %zu bytes that was freed\n", bytes);
  }
  if (before == 0 || (after < most && blocks[after].first - address <= place - bytes)) {
    return std::snprintf(text, room, "an access %zu bytes before the begin of a buffer of %zu bytes\n",
                         static_cast<std::size_t>(blocks[after].first - address), blocks[after].bytes);
  }
  return std::snprintf(text, room, "an access at byte %zu of a buffer of %zu bytes\n", place, bytes);
}

/// Lets the access end the process.
void explain(int number, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<Address>(info->si_addr);
  if (in_arena(address)) {
    char text[200];
    const int length = describe(address, text, sizeof text);
    static_cast<void>(!write(STDERR_FILENO, text, static_cast<std::size_t>(length)));
  }
  std::signal(number, SIG_DFL);
}

/// The system's own.
std::size_t usable_bytes(void* block) {
  using Function = std::size_t (*)(void*);
  static const auto function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "malloc_usable_size"));
  return function(block);
}

}  // namespace

/// 0: none, 1: the last byte of what this thread allocates is beside a guard page, 2: the first. False if
/// there is no address space for it.
extern "C" bool benchctl_guard_pages(int end) {
  if (arena == 0) {
    blocks = static_cast<Block*>(reserve(arena_bytes / page * sizeof(Block), PROT_READ | PROT_WRITE));
    arena = blocks == nullptr ? 0 : reinterpret_cast<Address>(reserve(arena_bytes, PROT_NONE));
    if (arena == 0) return false;
    struct sigaction action {};
    action.sa_sigaction = &explain;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, nullptr);
  }
  guarded_end = end;
  return true;
}

extern "C" void* malloc(std::size_t bytes) noexcept { return allocate(least_alignment, bytes); }

extern "C" void* calloc(std::size_t count, std::size_t bytes) noexcept {
  if (guarded_end == 0) return __libc_calloc(count, bytes);
  std::size_t all = 0;
  if (__builtin_mul_overflow(count, bytes, &all)) return nullptr;
  void* const block = allocate(least_alignment, all);
  if (block != nullptr) std::memset(block, 0, all);
  return block;
}

extern "C" void* realloc(void* old, std::size_t bytes) noexcept {
  if (guarded_end == 0 && !in_arena(reinterpret_cast<Address>(old))) return __libc_realloc(old, bytes);
  void* const block = allocate(least_alignment, bytes);
  if (block == nullptr || old == nullptr) return block;
  std::memcpy(block, old, std::min(bytes, malloc_usable_size(old)));
  free(old);
  return block;
}

extern "C" std::size_t malloc_usable_size(void* block) noexcept {
  const auto address = reinterpret_cast<Address>(block);
  return in_arena(address) ? block_at(address).bytes : usable_bytes(block);
}

extern "C" void free(void* block) noexcept {
  if (in_arena(reinterpret_cast<Address>(block))) {
    release(block);
  } else {
    __libc_free(block);
  }
}

extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  return allocate(alignment, bytes);
}

extern "C" void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  return allocate(alignment, bytes);
}

extern "C" int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) noexcept {
  *block = allocate(alignment, bytes);
  return *block == nullptr ? ENOMEM : 0;
}
