#include "conformance/checks.hpp"

#include <fmt/format.h>

#include <new>

namespace benchctl::conformance {

namespace {

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
      static_cast<void>(subject.session().create_problem(request));
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
    if (!refused) {
      throw Broken(fmt::format(
          "buffers of {} bytes each were accepted: allocate when the problem is made, not later", bytes));
    }
  }
  Bench bench(subject.session(), one.problem);
  const std::unique_ptr<Prepared> prepared = subject.prepare(one, bench);
  bench.ready(0);
  static_cast<void>(prepared->run(0));
  bench.judge(*one.variant, 0, "after memory ran out");
}

}  // namespace

void check_memory(Subject& subject, Trials& trials) {
  if (sanitized) {
    trials.run("buffers of 2^50 bytes",
               [] { throw NotPossible("sanitizers end the program where memory runs out"); });
    return;
  }
  const std::vector<Case> cases = subject.typical();
  if (cases.empty()) {
    trials.run("buffers of 2^50 bytes", [] { throw NotPossible("no variant runs on this device"); });
    return;
  }
  trials.run("buffers of 2^50 bytes", [&] { refuse(subject, cases.front(), absurd_bytes); });
  // On a device with memory of its own; a host would rather end a process than refuse it memory.
  const DeviceInfo& device = subject.lane().device;
  if (device.type == DeviceType::gpu && device.limits.memory_bytes > 0) {
    trials.run("buffers of twice the device's memory",
               [&] { refuse(subject, cases.front(), 2 * device.limits.memory_bytes); });
  }
}

}  // namespace benchctl::conformance
