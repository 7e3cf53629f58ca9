// What variants do to memory: `canaries` behind buffers and in other sets, inaccessible `pages` beside them
// (of a library that is preloaded into the process, preload/guard_pages.cpp, since a plugin allocates its
// buffers itself), and requests for more `memory` than there is.
#include "conformance/checks.hpp"

#include <benchctl/rounding.hpp>

#include <dlfcn.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>

namespace benchctl::conformance {

namespace {

/// Bytes of buffers that no set of another number may have.
std::byte mark(std::uint32_t set, std::size_t buffer) {
  return static_cast<std::byte>(0x11 + 16 * set + buffer % 8);
}

/// Reads and writes at odd places, to the last byte of every allocation, and finds what was written where.
void keeps_bytes(Session& session, const ProblemSpec& spec) {
  ProblemRequest request{spec, 2, {}};
  for (const BufferSpec& buffer : spec.buffers) request.allocation.push_back(guarded_bytes(buffer.bytes()));
  const auto problem = session.create_problem(request);
  for (std::uint32_t set = 0; set < request.sets; ++set) {
    for (std::size_t i = 0; i < request.allocation.size(); ++i) {
      problem->fill(set, i, 0, request.allocation[i] / 4 * 4, mark(set, i));
    }
  }
  const std::array<std::byte, 5> written{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4},
                                         std::byte{5}};
  for (std::uint32_t set = 0; set < request.sets; ++set) {
    for (std::size_t i = 0; i < request.allocation.size(); ++i) {
      const std::uint64_t bytes = request.allocation[i];
      problem->write(set, i, 3, written);
      problem->write(set, i, bytes - written.size(), written);
      std::vector<std::byte> read(bytes);
      problem->read(set, i, 0, read);
      std::vector<std::byte> expected(bytes, mark(set, i));
      std::ranges::copy(written, expected.begin() + 3);
      std::ranges::copy(written, expected.end() - static_cast<std::ptrdiff_t>(written.size()));
      const auto differs = std::ranges::mismatch(read, expected);
      if (differs.in1 != read.end()) {
        throw Broken(fmt::format(
            "byte {} of {} of buffer {} of set {} is {:#04x} instead of {:#04x}: read, write and "
            "fill do not agree on sets, buffers or offsets",
            differs.in1 - read.begin(), bytes, spec.buffers[i].name, set,
            std::to_integer<int>(*differs.in1), std::to_integer<int>(*differs.in2)));
      }
    }
  }
}

void stays_in_its_set(Subject& subject, const Case& one) {
  Ready ready(subject, one, 2);
  const auto contents = [&](std::uint32_t set) {
    std::vector<std::vector<std::byte>> all;
    for (std::size_t i = 0; i < one.problem.buffers.size(); ++i) {
      std::vector<std::byte>& bytes = all.emplace_back(one.problem.buffers[i].bytes());
      ready.buffers().device().read(set, i, 0, bytes);
    }
    return all;
  };
  for (const std::uint32_t set : {1U, 0U}) {
    const auto before = contents(1 - set);
    static_cast<void>(ready.prepared().run(set));
    const auto after = contents(1 - set);
    for (std::size_t i = 0; i < before.size(); ++i) {
      want(after[i] == before[i], fmt::format("an execution on set {} has written to {} of set {}", set,
                                              one.problem.buffers[i].name, 1 - set));
    }
  }
  ready.check("after executions on two sets");
}

/// Which end of an allocation touches an inaccessible page; the other may be up to a page away.
enum class GuardedEnd : std::uint8_t { neither, last, first };

using SetEnd = bool (*)(int);

SetEnd preloaded() { return reinterpret_cast<SetEnd>(dlsym(RTLD_DEFAULT, "benchctl_guard_pages")); }

constexpr const char* no_guard_pages = "the allocator with guard pages is missing";

/// While it lives, allocations of this thread lie between inaccessible pages.
class GuardPages {
 public:
  /// Throws NotPossible where the library is not preloaded.
  explicit GuardPages(GuardedEnd end) {
    const SetEnd set = preloaded();
    if (set == nullptr || !set(static_cast<int>(end))) throw NotPossible(no_guard_pages);
  }
  GuardPages(const GuardPages&) = delete;
  GuardPages& operator=(const GuardPages&) = delete;
  ~GuardPages() { preloaded()(static_cast<int>(GuardedEnd::neither)); }
};

/// Kernels may read the pack of so many bytes in which a buffer ends.
constexpr std::uint64_t pack_bytes = 16;

/// Buffers of their size alone: an access beside one ends the process.
void stays_between(Subject& subject, const Case& one, GuardedEnd end) {
  const ProblemSpec& spec = one.problem;
  ProblemRequest wanted{spec, 1, {}};
  for (const BufferSpec& buffer : spec.buffers) {
    wanted.allocation.push_back(std::max(pack_bytes, round_up(buffer.bytes(), pack_bytes)));
  }
  std::unique_ptr<Problem> problem;
  {
    const GuardPages guarded(end);
    problem = subject.here().session().device().create_problem(wanted);
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < spec.buffers.size(); ++i) {
      bytes.resize(spec.buffers[i].bytes());
      if (spec.buffers[i].role != BufferRole::out)
        Workloads::built_in().find(spec.workload)->generate(spec, i, 1, 0, bytes);
      problem->write(0, i, 0, bytes);
    }
  }
  const Candidate candidate = std::move(subject.candidates(one, subject.device()).front());
  const std::unique_ptr<Prepared> prepared =
      problem->prepare({one.variant, candidate.tunables, candidate.plan, one.label()});
  if (prepared != nullptr) static_cast<void>(prepared->run(0));
}

/// More than any machine can address.
constexpr std::uint64_t absurd_bytes = std::uint64_t{1} << 50;
constexpr int attempts = 3;

/// Asks for buffers of so many bytes each, again and again, and then for reasonable ones.
void refuse(Subject& subject, const Case& one, std::uint64_t bytes) {
  for (int i = 0; i < attempts; ++i) {
    ProblemRequest request{one.problem, 1, {}};
    for (BufferSpec& buffer : request.spec.buffers) {
      buffer.count = bytes / size_of(buffer.type);
      request.allocation.push_back(guarded_bytes(buffer.bytes()));
    }
    bool refused = false;
    try {
      static_cast<void>(subject.here().session().device().create_problem(request));
    } catch (const Failure& failure) {
      if (failure.kind() != FailureKind::out_of_memory && failure.kind() != FailureKind::unsupported) {
        throw Broken(fmt::format("buffers of {} bytes must be refused as out_of_memory, not as {}: {}",
                                 bytes, to_string(failure.kind()), failure.what()));
      }
      if (failure.sticky()) throw;
      refused = true;
    } catch (const std::bad_alloc&) {
      refused = true;  // the host takes it for out_of_memory
    }
    want(refused,
         fmt::format("buffers of {} bytes each were accepted: allocate when the problem is made, not later",
                     bytes));
  }
  Ready(subject, one).check("after memory ran out");
}

}  // namespace

void check_canaries(Subject& subject, Trials& trials) {
  std::vector<Case> cases = typical_cases(subject.cases());
  if (!cases.empty()) {
    trials.add("buffers keep what is written to them", [&subject, problem = cases.front().problem] {
      keeps_bytes(subject.here().session().device(), problem);
    });
  }
  for (const Case& one : cases) {
    trials.add(one.label(), [&subject, one] { stays_in_its_set(subject, one); });
  }
}

void check_pages(Subject& subject, Trials& trials) {
  const bool on_processor = subject.device().type == DeviceType::cpu;
  if (!on_processor || preloaded() == nullptr) {
    trials.skip("buffers between guard pages",
                on_processor ? no_guard_pages : "only memory of a processor has guard pages");
    return;
  }
  for (const Case& one : subject.cases().runnable) {
    for (const GuardedEnd end : {GuardedEnd::last, GuardedEnd::first}) {
      trials.add(fmt::format("{}, pages {}", one.label(), end == GuardedEnd::last ? "behind" : "before"),
                 [&subject, one, end] { stays_between(subject, one, end); });
    }
  }
}

void check_memory(Subject& subject, Trials& trials) {
  const std::vector<Case> cases = sanitized ? std::vector<Case>() : subject.typical();
  if (cases.empty()) {
    trials.skip("buffers of 2^50 bytes", sanitized ? "sanitizers end the program where memory runs out"
                                                   : "no variant runs on this device");
    return;
  }
  const auto add = [&](const std::string& what, std::uint64_t bytes) {
    trials.add(what, [&subject, one = cases.front(), bytes] { refuse(subject, one, bytes); });
  };
  add("buffers of 2^50 bytes", absurd_bytes);
  // On a device with memory of its own; a host would rather end a process than refuse it memory.
  const DeviceInfo& device = subject.device();
  if (device.type == DeviceType::gpu && device.limits.memory_bytes > 0) {
    add("buffers of twice the device's memory", 2 * device.limits.memory_bytes);
  }
}

}  // namespace benchctl::conformance
