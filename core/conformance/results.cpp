#include "conformance/checks.hpp"

#include <fmt/format.h>

namespace benchctl::conformance {

void check_results(Subject& subject, Trials& trials) {
  std::unique_ptr<Bench> bench;
  std::string held;
  for (const Case& one : subject.cases().runnable) {
    trials.run(one.label(), [&] {
      // Cases of one problem follow one another only within a variant: buffers are made anew otherwise.
      const std::string wanted = fmt::format("{} {} {}", one.problem.workload,
                                             to_text(one.problem.parameters), one.problem.layout);
      if (held != wanted) {
        held.clear();
        bench.reset();
        bench = std::make_unique<Bench>(subject.session(), one.problem);
        held = wanted;
      }
      const std::unique_ptr<Prepared> prepared = subject.prepare(one, *bench);
      bench->ready(0);
      static_cast<void>(prepared->run(0));
      bench->judge(*one.variant, 0, "after the first execution");
    });
  }
  for (const auto& [variant, reason] : subject.cases().without) {
    trials.run(variant, [&why = reason] { throw NotPossible(why); });
  }
}

}  // namespace benchctl::conformance
