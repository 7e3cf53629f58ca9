#include "conformance/checks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl::conformance {

namespace {

using Attempt = std::function<void()>;

/// The attempt must end with a Failure; its kind is one of those, if any are named.
void must_fail(const std::string& what, const std::vector<FailureKind>& kinds, const Attempt& attempt) {
  try {
    attempt();
  } catch (const Failure& failure) {
    want(!failure.sticky(), fmt::format("{} made the session unusable (a sticky failure)", what));
    want(*failure.what() != 0, fmt::format("{}: the failure has no text", what));
    if (kinds.empty() || std::ranges::find(kinds, failure.kind()) != kinds.end()) return;
    std::vector<std::string_view> names;
    for (const FailureKind kind : kinds) names.push_back(to_string(kind));
    throw Broken(fmt::format("{} must be a Failure of kind {}; it is {}: {}", what,
                             fmt::join(names, " or "), to_string(failure.kind()), failure.what()));
  }
  throw Broken(fmt::format("{} was accepted; it must be refused with a Failure", what));
}

void unknown_device(Subject& subject) {
  must_fail("a device that does not exist", {FailureKind::no_device},
            [&] { static_cast<void>(subject.backend().open("no such device", subject.options())); });
}

void unknown_variant(Subject& subject, const Case& one) {
  Bench bench(subject, subject.here(), one.problem);
  must_fail("a native variant that the plugin does not have", {}, [&] { prepare_stranger(bench, one); });
}

void broken_kernel(Subject& subject, const Case& one, const std::string& what,
                   const std::vector<FailureKind>& kinds,
                   const std::function<void(PlannedLaunch&)>& spoil) {
  Bench bench(subject, subject.here(), one.problem);
  std::vector<Candidate> candidates = subject.candidates(one, subject.device());
  spoil(candidates.front().plan->launches.front());
  must_fail(what, kinds, [&] {
    const std::uint64_t id = bench.prepare(*one.variant, candidates);
    // A backend may see it only when it launches.
    bench.worker().ask(verbs::Check{id});
  });
}

/// Values that a careless config might have: what the table lets through must work or be refused.
void odd_tunable(Subject& subject, const Case& one, const TunableInfo& tunable, std::int64_t value) {
  Case odd = one;
  odd.tunables[tunable.name] = value;
  if (!subject.obstacle_to(odd).empty()) return;
  try {
    Ready(subject, odd)
        .check(fmt::format("with {} = {}, which no `require` rules out", tunable.name, value));
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
    static_cast<void>(subject.here().session().device().create_problem(request));
  } catch (const Failure& failure) {
    if (failure.kind() != FailureKind::unsupported) throw;
  }
}

}  // namespace

void check_errors(Subject& subject, Trials& trials) {
  trials.add("a device that does not exist", [&] { unknown_device(subject); });
  const auto afterwards = [&](const Case& one, const std::string& what, const Attempt& attempt) {
    trials.add(fmt::format("{}, {}", one.label(), what), [&subject, one, attempt] {
      attempt();
      // Everything works as if nothing had been.
      Ready(subject, one).check("after the refused requests");
    });
  };
  const std::vector<Case> cases = subject.typical();
  const std::vector<Case> all = typical_cases(subject.cases());
  const auto with_kernel =
      std::ranges::find_if(all, [](const Case& one) { return one.variant->kernel.has_value(); });
  if (!cases.empty()) {
    const Case& one = cases.front();
    afterwards(one, "an unknown variant", [&subject, one] { unknown_variant(subject, one); });
    for (const Space space : {Space::host_pageable, Space::host_pinned}) {
      afterwards(one, fmt::format("buffers in {}", to_string(space)),
                 [&subject, one, space] { other_space(subject, one, space); });
    }
  }
  if (with_kernel != all.end()) {
    const Case& one = *with_kernel;
    const auto spoilt = [&](const char* trial, const char* what, const std::vector<FailureKind>& kinds,
                            const std::function<void(PlannedLaunch&)>& spoil) {
      afterwards(one, trial,
                 [&subject, one, what, kinds, spoil] { broken_kernel(subject, one, what, kinds, spoil); });
    };
    spoilt("no kernel file", "a missing kernel file", {}, [&subject](PlannedLaunch& launch) {
      launch.source = (subject.task().folder / "there_is_no_such_file").string();
    });
    spoilt("a kernel file of garbage", "a kernel with invalid source", {FailureKind::compile_error},
           [&subject](PlannedLaunch& launch) { replace_by_garbage(launch, subject); });
    spoilt("an unknown entry", "an entry that is not in the kernel's file", {},
           [](PlannedLaunch& launch) { launch.entry = "no_such_entry"; });
  }
  for (const Case& one : cases) {
    for (const TunableInfo& tunable : one.variant->tunables) {
      if (!std::holds_alternative<std::int64_t>(tunable.default_value)) continue;
      afterwards(one, fmt::format("{} of 0 or -1", tunable.name), [&subject, one, tunable] {
        for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-1}}) {
          odd_tunable(subject, one, tunable, value);
        }
      });
    }
  }
}

}  // namespace benchctl::conformance
