#include "conformance/checks.hpp"
#include "engine/stopwatch.hpp"

#include <fmt/format.h>

namespace benchctl::conformance {

namespace {

constexpr int most_executions = 200;
/// Limit for one variant.
constexpr double most_seconds = 0.3;

void runs_again(Subject& subject, const Case& one) {
  Bench bench(subject.session(), one.problem, 2);
  const std::unique_ptr<Prepared> prepared = subject.prepare(one, bench);
  const bool changes_input = in_place(one.problem);
  bench.ready(0);
  bench.ready(1);
  for (int i = 0; i < 3; ++i) {
    for (std::uint32_t set = 0; set < 2; ++set) {
      if (changes_input) bench.ready(set);
      static_cast<void>(prepared->run(set));
    }
  }
  bench.judge(*one.variant, 0,
              "after three executions on each of two sets in turn, outputs cleared before the first");
  bench.judge(*one.variant, 1,
              "after three executions on each of two sets in turn, outputs cleared before the first");
  SampleRequest request;
  request.count = changes_input ? 1 : 3;
  request.batch = changes_input || subject.lane().device.max_batch < 4 ? 1 : 4;
  request.sets = 2;
  request.set = 1;
  bench.ready(0);
  bench.ready(1);
  static_cast<void>(prepared->sample(request));
  bench.judge(*one.variant, 1, "after samples that use two sets in turn, beginning with set 1");
  if (request.count * request.batch > 1) {
    bench.judge(*one.variant, 0, "after samples that use two sets in turn, beginning with set 1");
  }
}

/// Races show now and then: many executions, each judged.
void agrees_with_itself(Subject& subject, const Case& one) {
  Bench bench(subject.session(), one.problem);
  const std::unique_ptr<Prepared> prepared = subject.prepare(one, bench);
  const Stopwatch watch;
  for (int i = 0; i < most_executions && (i < 2 || watch.seconds() < most_seconds); ++i) {
    bench.ready(0);
    static_cast<void>(prepared->run(0));
    bench.judge(*one.variant, 0, fmt::format("in execution {} of the same", i + 1));
  }
}

/// An execution must not pass with what an earlier one left.
void heeds_new_inputs(Subject& subject, const Case& one) {
  if (in_place(one.problem)) return;
  Bench bench(subject.session(), one.problem);
  const std::unique_ptr<Prepared> prepared = subject.prepare(one, bench);
  bench.ready(0);
  static_cast<void>(prepared->run(0));
  bench.draw_anew();
  static_cast<void>(prepared->run(0));
  bench.judge(*one.variant, 0, "after its inputs were drawn anew, outputs left as they were");
}

void survives_a_neighbour(Subject& subject, const Case& one) {
  Bench bench(subject.session(), one.problem);
  std::unique_ptr<Prepared> first = subject.prepare(one, bench);
  std::unique_ptr<Prepared> second = subject.prepare(one, bench);
  bench.ready(0);
  static_cast<void>(first->run(0));
  first.reset();
  bench.ready(0);
  static_cast<void>(second->run(0));
  bench.judge(*one.variant, 0, "after the same variant, prepared beside it, was dropped");
}

}  // namespace

void check_repeats(Subject& subject, Trials& trials) {
  for (const Case& one : typical_cases(subject.cases())) {
    trials.run(one.label(), [&] { runs_again(subject, one); });
  }
  for (const Case& one : typical_cases(subject.cases())) {
    trials.run(one.label() + ", many times", [&] { agrees_with_itself(subject, one); });
    trials.run(one.label() + ", new inputs", [&] { heeds_new_inputs(subject, one); });
  }
  for (const Case& one : subject.typical()) {
    trials.run(one.label() + ", prepared twice", [&] { survives_a_neighbour(subject, one); });
  }
}

}  // namespace benchctl::conformance
