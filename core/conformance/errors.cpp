#include "conformance/checks.hpp"
#include "sweep/kernel_plan.hpp"
#include "sweep/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace benchctl::conformance {

namespace {

using Attempt = std::function<void()>;

/// The attempt must end with a Failure; its kind is one of those, if any are named.
void must_fail(const std::string& what, const std::vector<FailureKind>& kinds, const Attempt& attempt) {
  try {
    attempt();
  } catch (const Failure& failure) {
    if (failure.sticky())
      throw Broken(fmt::format("{} made the session unusable (a sticky failure)", what));
    if (std::string_view(failure.what()).empty())
      throw Broken(fmt::format("{}: the failure has no text", what));
    if (kinds.empty() || std::ranges::find(kinds, failure.kind()) != kinds.end()) return;
    std::vector<std::string_view> names;
    for (const FailureKind kind : kinds) names.push_back(to_string(kind));
    throw Broken(fmt::format("{} must be a Failure of kind {}; it is {}: {}", what,
                             fmt::join(names, " or "), to_string(failure.kind()), failure.what()));
  }
  throw Broken(fmt::format("{} was accepted; it must be refused with a Failure", what));
}

/// Everything works as if nothing had been.
void still_works(Subject& subject, const Case& one) {
  Bench bench(subject.session(), one.problem);
  const std::unique_ptr<Prepared> prepared = subject.prepare(one, bench);
  bench.ready(0);
  static_cast<void>(prepared->run(0));
  bench.judge(*one.variant, 0, "after the refused requests");
}

void unknown_device(Subject& subject) {
  must_fail("a device that does not exist", {FailureKind::no_device},
            [&] { static_cast<void>(subject.backend().open("no such device", subject.options())); });
}

void unknown_variant(Subject& subject, const Case& one) {
  VariantInfo stranger = *one.variant;
  stranger.name = "no_such_variant";
  stranger.kernel.reset();
  Bench bench(subject.session(), one.problem);
  must_fail("a native variant that the plugin does not have", {}, [&] {
    PrepareRequest request = subject.request(one, one.problem);
    request.variant = &stranger;
    request.kernel.reset();
    static_cast<void>(bench.buffers().device().prepare(request));
  });
}

enum class KernelFault { missing, garbage, entry };

void broken_kernel(Subject& subject, const Case& one, KernelFault fault) {
  Bench bench(subject.session(), one.problem);
  PrepareRequest request = subject.request(one, one.problem);
  PlannedLaunch& launch = request.kernel->launches.front();
  std::string what;
  std::vector<FailureKind> kinds{FailureKind::compile_error};
  if (fault == KernelFault::missing) {
    launch.source = (subject.task().folder / "there_is_no_such_file").string();
    what = "a missing kernel file";
    kinds = {};
  } else if (fault == KernelFault::garbage) {
    const std::filesystem::path file =
        subject.task().folder / std::filesystem::path(launch.source).filename();
    std::ofstream(file) << "this is not a kernel in any language @#$\n";
    launch.source = file.string();
    what = "a kernel with invalid source";
  } else {
    launch.entry = "no_such_entry";
    what = "an entry that is not in the kernel's file";
    kinds = {};
  }
  must_fail(what, kinds, [&] {
    const auto prepared = bench.buffers().device().prepare(request);
    // A backend may see it only when it launches.
    bench.ready(0);
    static_cast<void>(prepared->run(0));
  });
}

/// Values that a careless config might have: what the table lets through must work or be refused.
void odd_tunable(Subject& subject, const Case& one, const TunableInfo& tunable, std::int64_t value) {
  Case odd = one;
  odd.tunables[tunable.name] = value;
  const Parameters values = kernel_values(odd.problem.parameters, odd.problem.layout, odd.tunables,
                                          device_values(subject.lane().device));
  const std::string obstacle =
      ruled_out_by({*odd.variant, subject.entry(), subject.lane().device, odd.problem, values});
  if (!obstacle.empty()) return;
  try {
    Bench bench(subject.session(), odd.problem);
    const std::unique_ptr<Prepared> prepared = subject.prepare(odd, bench);
    bench.ready(0);
    static_cast<void>(prepared->run(0));
    bench.judge(*odd.variant, 0,
                fmt::format("with {} = {}, which no `require` rules out", tunable.name, value));
  } catch (const Failure& failure) {
    if (failure.sticky()) throw;
  }
}

/// Host memory as a buffer: given, or refused.
void other_space(Subject& subject, const Case& one, Space space) {
  ProblemRequest request{one.problem, 1, {}};
  for (BufferSpec& buffer : request.spec.buffers) {
    buffer.space = space;
    request.allocation.push_back(guarded_bytes(buffer.bytes()));
  }
  try {
    static_cast<void>(subject.session().create_problem(request));
  } catch (const Failure& failure) {
    if (failure.kind() != FailureKind::unsupported) throw;
  }
}

}  // namespace

void check_errors(Subject& subject, Trials& trials) {
  trials.run("a device that does not exist", [&] { unknown_device(subject); });
  const auto afterwards = [&](const Case& one, const std::string& what, const Attempt& attempt) {
    trials.run(fmt::format("{}, {}", one.label(), what), [&] {
      attempt();
      still_works(subject, one);
    });
  };
  const std::vector<Case> cases = subject.typical();
  const std::vector<Case> all = typical_cases(subject.cases());
  const auto with_kernel =
      std::ranges::find_if(all, [](const Case& one) { return one.variant->kernel.has_value(); });
  if (!cases.empty()) {
    const Case& one = cases.front();
    afterwards(one, "an unknown variant", [&] { unknown_variant(subject, one); });
    for (const Space space : {Space::host_pageable, Space::host_pinned}) {
      afterwards(one, fmt::format("buffers in {}", to_string(space)),
                 [&] { other_space(subject, one, space); });
    }
  }
  if (with_kernel != all.end()) {
    const Case& one = *with_kernel;
    afterwards(one, "no kernel file", [&] { broken_kernel(subject, one, KernelFault::missing); });
    afterwards(one, "a kernel file of garbage", [&] { broken_kernel(subject, one, KernelFault::garbage); });
    afterwards(one, "an unknown entry", [&] { broken_kernel(subject, one, KernelFault::entry); });
  }
  for (const Case& one : cases) {
    for (const TunableInfo& tunable : one.variant->tunables) {
      if (!std::holds_alternative<std::int64_t>(tunable.default_value)) continue;
      afterwards(one, fmt::format("{} of 0 or -1", tunable.name), [&] {
        for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-1}}) {
          odd_tunable(subject, one, tunable, value);
        }
      });
    }
  }
}

}  // namespace benchctl::conformance
