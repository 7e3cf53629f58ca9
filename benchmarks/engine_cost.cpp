// What benchctl itself costs, seen from outside: start-up, planning, overhead per point. Runs the real
// program on the tests' scripted backend, whose executions take no time, so that all time is benchctl's.
//
//   engine_cost [REPETITIONS]
//
// Prints the median and the extremes of each figure beside its target. A figure, not a test: it never
// fails.
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
  return {std::chrono::duration<double>(Clock::now() - begin).count(),
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
  std::vector<double> start;
  std::vector<double> plan_seconds;
  std::vector<double> plan_megabytes;
  std::vector<double> point_ms;
  constexpr int planned = 100'000;
  constexpr int problems = 10;
  constexpr int points_each = 40;
  const std::string steady = "variants = [\"steady\"]";
  for (int i = 0; i < repetitions; ++i) {
    const test::Sandbox sandbox;
    start.push_back(cost_of(sandbox, {"list"}).seconds * 1e3);

    const auto large = sandbox.write(
        "large.toml",
        test::fake_config(steady, "n = " + range(1, planned / 100) + "\ntile = " + range(1, 100)));
    const Cost plan = cost_of(sandbox, {"check", large.string()});
    plan_seconds.push_back(plan.seconds);
    plan_megabytes.push_back(plan.megabytes);

    const auto many = sandbox.write(
        "many.toml",
        test::fake_config(steady, "n = " + range(1, problems) + "\ntile = " + range(1, points_each)));
    point_ms.push_back(cost_of(sandbox, {"run", many.string()}).seconds * 1e3 / (problems * points_each));
  }
  report("start-up of `benchctl list`", start, "ms", 50);
  report("planning 100,000 points", plan_seconds, "s", 1);
  report("  memory of that", plan_megabytes, "MB", 300);
  report("whole run per point (fake device, n = 1..10)", point_ms, "ms", 5);
  return 0;
}
