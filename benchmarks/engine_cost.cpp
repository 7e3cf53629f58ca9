// What benchctl itself costs, seen from outside: start-up, planning, overhead per point. Runs the real
// program on the tests' scripted backend, whose executions take no time, so that all time is benchctl's.
//
//   engine_cost [REPETITIONS [POINTS]]
//
// Prints the median and the extremes of each figure beside its target. POINTS: also a run of so many points
// in ten groups, once. Processor time is that of the program and its workers: other work on the machine
// makes it longer, too, but less than the time by the clock. A figure, not a test: it never fails.
#include "stats/summary.hpp"
#include "support/program.hpp"

#include <fmt/format.h>

#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdlib>
#include <functional>

namespace {

using namespace benchctl;
using Clock = std::chrono::steady_clock;

struct Cost {
  double seconds = 0;
  double processor_seconds = 0;
  double megabytes = 0;  // largest resident size of the process itself
};

Cost cost_of(const test::Sandbox& sandbox, const std::vector<std::string>& arguments) {
  const auto begin = Clock::now();
  const pid_t process = sandbox.start(arguments);
  int status = 0;
  rusage usage{};
  if (wait4(process, &status, 0, &usage) < 0 || status != 0) {
    throw std::runtime_error(fmt::format("benchctl {} failed", fmt::join(arguments, " ")));
  }
  const auto seconds_of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {std::chrono::duration<double>(Clock::now() - begin).count(),
          seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
          static_cast<double>(usage.ru_maxrss) / 1024};
}

void report(const std::string& what, const std::vector<double>& values, const std::string& unit,
            double target) {
  const stats::Summary summary = stats::summarize(values);
  fmt::print("{:<46} {:>9.2f} {:<3} (min {:.2f}, max {:.2f}; target < {:g} {})\n", what, summary.median,
             unit, summary.minimum, summary.maximum, target, unit);
}

std::string range(int from, int to) { return fmt::format("{{ from = {}, to = {}, step = 1 }}", from, to); }

}  // namespace

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 5;
  const int many_points = argc > 2 ? std::atoi(argv[2]) : 0;
  std::vector<double> start;
  std::vector<double> plan_seconds;
  std::vector<double> plan_megabytes;
  std::vector<double> overhead_ms;
  std::vector<double> point_ms;
  constexpr int planned = 100'000;
  constexpr int problems = 10;
  constexpr int points_each = 40;
  const auto sweep = [](int sizes, int tiles, const std::string& measure = {}) {
    return test::fake_config("variants = [\"steady\"]",
                             "n = " + range(1, sizes) + "\ntile = " + range(1, tiles), measure);
  };
  for (int i = 0; i < repetitions; ++i) {
    test::Sandbox sandbox;
    sandbox.set("BENCHCTL_FAKE_LOG", "");
    start.push_back(cost_of(sandbox, {"list"}).seconds * 1e3);

    const auto large = sandbox.write("large.toml", sweep(planned / 100, 100));
    const Cost plan = cost_of(sandbox, {"check", large.string()});
    plan_seconds.push_back(plan.seconds);
    plan_megabytes.push_back(plan.megabytes);

    const auto once = sandbox.write("once.toml", sweep(problems, points_each, "samples = 1\n"));
    overhead_ms.push_back(cost_of(sandbox, {"run", once.string()}).seconds * 1e3 /
                          (problems * points_each));
    const auto few = sandbox.write("few.toml", sweep(problems, points_each));
    point_ms.push_back(cost_of(sandbox, {"run", few.string()}).seconds * 1e3 / (problems * points_each));
  }
  report("start-up of `benchctl list`", start, "ms", 50);
  report("planning 100,000 points", plan_seconds, "s", 1);
  report("  memory of that", plan_megabytes, "MB", 300);
  report("whole run per point, sampled once", overhead_ms, "ms", 2);
  report("whole run per point, as many rounds as needed", point_ms, "ms", 4);
  if (many_points == 0) return 0;
  test::Sandbox sandbox;
  sandbox.set("BENCHCTL_FAKE_LOG", "");
  const auto many = sandbox.write("many.toml", sweep(problems, many_points / problems));
  const Cost run = cost_of(sandbox, {"run", many.string()});
  const double share = many_points / 1e5;
  report(fmt::format("run of {} points", many_points), {run.seconds}, "s", 60 * share);
  report("  processor time of that", {run.processor_seconds}, "s", 60 * share);
  report("  memory of that", {run.megabytes}, "MB", 400);
  return 0;
}
