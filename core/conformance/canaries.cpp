#include "conformance/checks.hpp"

#include <fmt/format.h>

#include <algorithm>

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
  Bench bench(subject.session(), one.problem, 2);
  const std::unique_ptr<Prepared> prepared = subject.prepare(one, bench);
  bench.ready(0);
  bench.ready(1);
  const auto contents = [&](std::size_t buffer) {
    std::vector<std::byte> bytes(one.problem.buffers[buffer].bytes());
    bench.buffers().device().read(0, buffer, 0, bytes);
    return bytes;
  };
  std::vector<std::vector<std::byte>> before;
  for (std::size_t i = 0; i < one.problem.buffers.size(); ++i) before.push_back(contents(i));
  static_cast<void>(prepared->run(1));
  bench.judge(*one.variant, 1, "after an execution on set 1");
  for (std::size_t i = 0; i < one.problem.buffers.size(); ++i) {
    if (contents(i) != before[i]) {
      throw Broken(
          fmt::format("an execution on set 1 has written to {} of set 0", one.problem.buffers[i].name));
    }
  }
  static_cast<void>(prepared->run(0));
  bench.judge(*one.variant, 0, "after an execution on set 0");
  bench.judge(*one.variant, 1, "after a later execution on set 0");
}

}  // namespace

void check_canaries(Subject& subject, Trials& trials) {
  std::vector<Case> cases = typical_cases(subject.cases());
  if (!cases.empty()) {
    trials.run("buffers keep what is written to them",
               [&] { keeps_bytes(subject.session(), cases.front().problem); });
  }
  for (const Case& one : cases) {
    trials.run(one.label(), [&] { stays_in_its_set(subject, one); });
  }
}

}  // namespace benchctl::conformance
