#include "conformance/checks.hpp"
#include "conformance/guard_pages.hpp"

#include <benchctl/rounding.hpp>

#include <dlfcn.h>

#include <algorithm>

namespace benchctl::conformance {

namespace {

using SetEnd = bool (*)(int);

SetEnd preloaded() { return reinterpret_cast<SetEnd>(dlsym(RTLD_DEFAULT, "benchctl_guard_pages")); }

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
    problem = subject.session().create_problem(wanted);
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < spec.buffers.size(); ++i) {
      bytes.resize(spec.buffers[i].bytes());
      if (spec.buffers[i].role != BufferRole::out)
        Workloads::built_in().find(spec.workload)->generate(spec, i, 1, 0, bytes);
      problem->write(0, i, 0, bytes);
    }
  }
  const std::unique_ptr<Prepared> prepared = problem->prepare(subject.request(one, spec));
  if (prepared != nullptr) static_cast<void>(prepared->run(0));
}

}  // namespace

std::filesystem::path guard_pages_library(const std::filesystem::path& program) {
  return program.parent_path() / "../lib/benchctl/libbenchctl_guard_pages.so";
}

GuardPages::GuardPages(GuardedEnd end) {
  const SetEnd set = preloaded();
  if (set == nullptr || !set(static_cast<int>(end)))
    throw NotPossible("the allocator with guard pages is missing");
}

GuardPages::~GuardPages() { preloaded()(static_cast<int>(GuardedEnd::neither)); }

void check_pages(Subject& subject, Trials& trials) {
  if (subject.lane().device.type != DeviceType::cpu) {
    trials.run("buffers between guard pages",
               [] { throw NotPossible("only memory of a processor has guard pages"); });
    return;
  }
  if (preloaded() == nullptr) {
    trials.run("buffers between guard pages",
               [] { throw NotPossible("the allocator with guard pages is missing"); });
    return;
  }
  for (const Case& one : subject.cases().runnable) {
    trials.run(one.label() + ", pages behind", [&] { stays_between(subject, one, GuardedEnd::last); });
    trials.run(one.label() + ", pages before", [&] { stays_between(subject, one, GuardedEnd::first); });
  }
}

}  // namespace benchctl::conformance
