// A library to be preloaded that makes one call of the program fail, as a full disk, a lack of descriptors
// or of memory would. It is how tools/campaign tries every place at which a call can fail.
//
//   BENCHCTL_FAULT_STATE     file of `State` that all processes of a trial share; without it nothing fails
//   BENCHCTL_FAULT_PROCESS   `coordinator` or `worker`: where calls are counted
//   BENCHCTL_FAULT_CALL      open, read, write, sync, name, process, channel, map, allocate or clock
//   BENCHCTL_FAULT_PLACE     where it fails: an id from the state of an earlier run; with 0 calls are only
//                            counted. For `clock` the number of the reading, from 1
//   BENCHCTL_FAULT_NTH       which call there fails (default 1)
//   BENCHCTL_FAULT_ERROR     errno of the call that fails; for `clock` seconds by which the time jumps
//   BENCHCTL_FAULT_RANGES    for `allocate`: file of addresses `begin end` in hexadecimal, relative to the
//                            program: the functions whose calls have a place
//
// A place is a chain of calls in the program, of one process of a run: workers count in the order of their
// start. For `allocate` it is where the innermost function of the ranges called what allocates.
#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>

extern "C" void* __libc_malloc(std::size_t bytes);
extern "C" void* __libc_calloc(std::size_t count, std::size_t bytes);
extern "C" void* __libc_realloc(void* old, std::size_t bytes);

namespace {

constexpr std::size_t most_frames = 40;
constexpr std::size_t most_places = 1 << 14;
constexpr std::size_t most_ranges = 1 << 14;

struct Place {
  std::atomic<std::uint64_t> id;  ///< 0: none
  std::atomic<std::uint64_t> calls;
};

/// What the processes of a trial share; tools/support/campaign/faults.py reads it.
struct State {
  std::atomic<std::uint64_t> processes;  ///< in which calls are counted
  std::atomic<std::uint64_t> readings;   ///< readings of the clock
  std::atomic<std::uint64_t> failed;     ///< calls that were made to fail
  std::int64_t frames;                   ///< number of frames of the call that failed
  std::uint64_t frame[most_frames];      ///< their addresses relative to the program; 0: in a library
  Place places[most_places];
};

enum class Call : std::uint8_t {
  none,
  open,
  read,
  write,
  sync,
  name,
  process,
  channel,
  map,
  allocate,
  clock
};

struct Name {
  std::string_view text;
  Call call;
};
constexpr Name names[] = {{"open", Call::open},       {"read", Call::read}, {"write", Call::write},
                          {"sync", Call::sync},       {"name", Call::name}, {"process", Call::process},
                          {"channel", Call::channel}, {"map", Call::map},   {"allocate", Call::allocate},
                          {"clock", Call::clock}};

struct Range {
  std::uint64_t begin;
  std::uint64_t end;
};

Call watched = Call::none;
std::uint64_t place = 0;
std::uint64_t nth = 1;
std::uint64_t process = 0;
int error = 0;
State* state = nullptr;
Range* ranges = nullptr;
std::size_t range_count = 0;
std::uint64_t program_base = 0;
std::uint64_t program_end = 0;
thread_local bool inside = false;

/// The system's function behind one of ours.
template <class Function>
Function* next(Function*, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}
#define NEXT(name) static auto* const system_##name = next(static_cast<decltype(&name)>(nullptr), #name)

std::uint64_t number(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 0;
}

bool is_worker() {
  char text[4096];
  const long file = syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY, 0);
  const long bytes = file < 0 ? -1 : syscall(SYS_read, file, text, sizeof text - 1);
  if (file >= 0) syscall(SYS_close, file);
  if (bytes <= 0) return false;
  text[bytes] = 0;
  const char* const second = text + std::strlen(text) + 1;
  return second < text + bytes && std::string_view(second) == "worker";
}

void* map_file(const char* name, std::size_t bytes, int access, int flags) {
  const long file = syscall(SYS_openat, AT_FDCWD, name, access == PROT_READ ? O_RDONLY : O_RDWR, 0);
  if (file < 0) return nullptr;
  const long at = syscall(SYS_mmap, nullptr, bytes, access, flags, file, 0);
  syscall(SYS_close, file);
  return at < 0 && at > -4096 ? nullptr : reinterpret_cast<void*>(at);
}

void read_ranges(const char* name) {
  static Range storage[most_ranges];
  struct stat status {};
  if (syscall(SYS_newfstatat, AT_FDCWD, name, &status, 0) != 0 || status.st_size == 0) return;
  const auto bytes = static_cast<std::size_t>(status.st_size);
  const char* text = static_cast<const char*>(map_file(name, bytes, PROT_READ, MAP_PRIVATE));
  if (text == nullptr) return;
  for (const char* at = text; at < text + bytes && range_count < most_ranges;) {
    char* rest = nullptr;
    Range& range = storage[range_count++];
    range.begin = std::strtoull(at, &rest, 16);
    range.end = std::strtoull(rest, &rest, 16);
    at = rest + 1;
  }
  ranges = storage;
}

int note_program(dl_phdr_info* info, std::size_t /*bytes*/, void* /*none*/) {
  program_base = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    program_end =
        std::max(program_end, info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz);
  return 1;  // the first is the program
}

__attribute__((constructor)) void begin() {
  const char* file = std::getenv("BENCHCTL_FAULT_STATE");
  const char* whom = std::getenv("BENCHCTL_FAULT_PROCESS");
  const char* call = std::getenv("BENCHCTL_FAULT_CALL");
  if (file == nullptr || whom == nullptr || call == nullptr) return;
  if (is_worker() != (std::string_view(whom) == "worker")) return;
  place = number("BENCHCTL_FAULT_PLACE");
  if (std::getenv("BENCHCTL_FAULT_NTH") != nullptr) nth = number("BENCHCTL_FAULT_NTH");
  error = static_cast<int>(std::strtol(std::getenv("BENCHCTL_FAULT_ERROR"), nullptr, 10));
  dl_iterate_phdr(note_program, nullptr);
  if (const char* name = std::getenv("BENCHCTL_FAULT_RANGES")) read_ranges(name);
  void* warm_up[1];
  backtrace(warm_up, 1);  // loads the unwinder, which allocates
  state = static_cast<State*>(map_file(file, sizeof(State), PROT_READ | PROT_WRITE, MAP_SHARED));
  if (state == nullptr) return;
  process = state->processes.fetch_add(1);
  for (const Name& name : names) {
    if (name.text == call) watched = name.call;
  }
}

std::uint64_t in_program(const void* address) {
  const auto at = reinterpret_cast<std::uint64_t>(address);
  return at >= program_base && at < program_end ? at - program_base : 0;
}

void note_failure(void* const* frames, int count) {
  state->frames = count;
  for (int i = 0; i < count; ++i) state->frame[i] = in_program(frames[i]);
  state->failed.fetch_add(1);
}

bool in_ranges(std::uint64_t address) {
  const Range* const found =
      std::upper_bound(ranges, ranges + range_count, address,
                       [](std::uint64_t at, const Range& range) { return at < range.end; });
  return found != ranges + range_count && found->begin <= address;
}

/// Counts a call at that place. Its number there, from 1; 0 if the table is full.
std::uint64_t count_call(std::uint64_t id) {
  for (std::size_t tried = 0; tried < most_places; ++tried) {
    Place& entry = state->places[(id + tried) % most_places];
    std::uint64_t there = 0;
    if (entry.id.compare_exchange_strong(there, id) || there == id) return entry.calls.fetch_add(1) + 1;
  }
  return 0;
}

/// 0: this call has no place.
std::uint64_t place_of(Call call, void* const* frames, int count) {
  std::uint64_t id = 14695981039346656037U + process;  // hashed as FNV-1a does
  for (int i = 0; i < count; ++i) {
    const std::uint64_t at = in_program(frames[i]);
    if (call == Call::allocate && at != 0 && in_ranges(at)) return at;
    id = (id ^ at) * 1099511628211U;
  }
  return call == Call::allocate ? 0 : id;
}

/// Whether this call is the one that fails.
bool fails(Call call) {
  if (watched != call || inside || (place != 0 && state->failed.load() != 0)) return false;
  inside = true;
  void* frames[most_frames];
  const int count = backtrace(frames, most_frames);
  const std::uint64_t id = place_of(call, frames, count);
  const bool failing = id != 0 && count_call(id) == nth && id == place;
  if (failing) note_failure(frames, count);
  inside = false;
  if (failing) errno = error;
  return failing;
}

}  // namespace

extern "C" {

// What a mode is needed for.
#define OPEN_WITH_MODE(flags, mode)             \
  mode_t mode = 0;                              \
  if (((flags) & (O_CREAT | O_TMPFILE)) != 0) { \
    va_list more;                               \
    va_start(more, flags);                      \
    mode = va_arg(more, mode_t);                \
    va_end(more);                               \
  }

int open(const char* file, int flags, ...) {
  NEXT(open);
  OPEN_WITH_MODE(flags, mode)
  return fails(Call::open) ? -1 : system_open(file, flags, mode);
}
int open64(const char* file, int flags, ...) {
  NEXT(open64);
  OPEN_WITH_MODE(flags, mode)
  return fails(Call::open) ? -1 : system_open64(file, flags, mode);
}
int openat(int folder, const char* file, int flags, ...) {
  NEXT(openat);
  OPEN_WITH_MODE(flags, mode)
  return fails(Call::open) ? -1 : system_openat(folder, file, flags, mode);
}

#define FAILING_WITH(call, failure, result, name, parameters, arguments) \
  result name parameters {                                               \
    NEXT(name);                                                          \
    return fails(Call::call) ? failure : system_##name arguments;        \
  }
// Those that give a number of bytes, a descriptor or an error, all alike.
#define FAILING(call, result, name, parameters, arguments) \
  FAILING_WITH(call, -1, result, name, parameters, arguments)

FAILING_WITH(open, nullptr, FILE*, fopen, (const char* file, const char* mode), (file, mode))
FAILING_WITH(open, nullptr, FILE*, fopen64, (const char* file, const char* mode), (file, mode))
FAILING_WITH(open, nullptr, DIR*, opendir, (const char* folder), (folder))
FAILING(open, int, mkstemp, (char* pattern), (pattern))
FAILING(read, ssize_t, read, (int file, void* to, size_t bytes), (file, to, bytes))
FAILING(read, ssize_t, pread, (int file, void* to, size_t bytes, off_t at), (file, to, bytes, at))
FAILING(read, ssize_t, pread64, (int file, void* to, size_t bytes, off64_t at), (file, to, bytes, at))
FAILING(read, ssize_t, readv, (int file, const iovec* to, int count), (file, to, count))
FAILING(read, ssize_t, recv, (int file, void* to, size_t bytes, int flags), (file, to, bytes, flags))
FAILING(write, ssize_t, write, (int file, const void* from, size_t bytes), (file, from, bytes))
FAILING(write, ssize_t, pwrite, (int file, const void* from, size_t bytes, off_t at),
        (file, from, bytes, at))
FAILING(write, ssize_t, pwrite64, (int file, const void* from, size_t bytes, off64_t at),
        (file, from, bytes, at))
FAILING(write, ssize_t, writev, (int file, const iovec* from, int count), (file, from, count))
FAILING(write, ssize_t, send, (int file, const void* from, size_t bytes, int flags),
        (file, from, bytes, flags))
FAILING(write, int, ftruncate, (int file, off_t bytes), (file, bytes))
FAILING(write, int, ftruncate64, (int file, off64_t bytes), (file, bytes))
FAILING(sync, int, fsync, (int file), (file))
FAILING(sync, int, fdatasync, (int file), (file))
FAILING(name, int, rename, (const char* from, const char* to), (from, to))
FAILING(name, int, unlink, (const char* file), (file))
FAILING(name, int, unlinkat, (int folder, const char* file, int flags), (folder, file, flags))
FAILING(name, int, rmdir, (const char* folder), (folder))
FAILING(name, int, mkdir, (const char* folder, mode_t mode), (folder, mode))
FAILING(name, int, flock, (int file, int operation), (file, operation))
FAILING(process, pid_t, fork, (), ())
FAILING(channel, int, socketpair, (int domain, int type, int protocol, int* ends),
        (domain, type, protocol, ends))
FAILING(channel, int, pipe, (int* ends), (ends))
FAILING(channel, int, pipe2, (int* ends, int flags), (ends, flags))

FAILING_WITH(name, nullptr, char*, mkdtemp, (char* pattern), (pattern))
FAILING_WITH(process, error, int, pthread_create,
             (pthread_t * thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument),
             (thread, attributes, start, argument))
FAILING_WITH(process, error, int, posix_spawn,
             (pid_t * process, const char* file, const posix_spawn_file_actions_t* actions,
              const posix_spawnattr_t* attributes, char* const* arguments, char* const* variables),
             (process, file, actions, attributes, arguments, variables))
FAILING_WITH(map, MAP_FAILED, void*, mmap,
             (void* at, size_t bytes, int access, int flags, int file, off_t offset),
             (at, bytes, access, flags, file, offset))
FAILING_WITH(map, MAP_FAILED, void*, mmap64,
             (void* at, size_t bytes, int access, int flags, int file, off64_t offset),
             (at, bytes, access, flags, file, offset))

void* malloc(size_t bytes) { return fails(Call::allocate) ? nullptr : __libc_malloc(bytes); }
void* calloc(size_t count, size_t bytes) {
  return fails(Call::allocate) ? nullptr : __libc_calloc(count, bytes);
}
void* realloc(void* old, size_t bytes) {
  return fails(Call::allocate) ? nullptr : __libc_realloc(old, bytes);
}

int clock_gettime(clockid_t clock, timespec* time) {
  NEXT(clock_gettime);
  const int code = system_clock_gettime(clock, time);
  if (code != 0 || clock != CLOCK_REALTIME || watched != Call::clock) return code;
  if (state->readings.fetch_add(1) + 1 >= place && place != 0) {
    state->failed.fetch_add(1);
    time->tv_sec += error;
  }
  return code;
}
}
