// Does everything that is made go again? What the process holds is looked at after a third, two thirds and
// all of many cycles: caches fill up and stop, leaks grow.
#include "conformance/checks.hpp"

#include <benchctl/software.hpp>

#include <malloc.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

namespace benchctl::conformance {

namespace {

struct Resource {
  const char* unit;
  double slack;  ///< what grows by less in a cycle is a driver's, or the allocator's
};
constexpr std::array<Resource, 4> resources{{{"file descriptors", 0},
                                             {"bytes from malloc", 512},
                                             {"bytes of memory", 32 << 10},
                                             {"bytes of the device's memory", 64 << 10}}};

/// What this process holds of each, up to a constant; 0 where nobody knows.
using Holdings = std::array<double, resources.size()>;

Holdings look(Subject& subject) {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  const struct mallinfo2 info = mallinfo2();
  std::ifstream statm("/proc/self/statm");
  double total = 0;
  double resident = 0;
  statm >> total >> resident;
  return {static_cast<double>(std::distance(begin(files), end(files))),
          static_cast<double>(info.uordblks + info.hblkhd),
          resident * static_cast<double>(sysconf(_SC_PAGESIZE)),
          -static_cast<double>(subject.here().session().device().free_memory().value_or(0))};
}

/// What is left behind by each cycle in the better of the two later thirds, in words; empty if nothing is.
std::vector<std::string> leaks_in(const std::array<Holdings, 3>& seen, int cycles) {
  std::vector<std::string> leaks;
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const double grown = std::min(seen[1][i] - seen[0][i], seen[2][i] - seen[1][i]) / cycles;
    if (grown > resources[i].slack) leaks.push_back(fmt::format("{:.7g} {}", grown, resources[i].unit));
  }
  return leaks;
}

template <class Cycle>
void repeat(Subject& subject, int cycles, const std::string& of_what, Cycle cycle) {
  // A cache that fills up in steps looks like a leak until it is full; a leak keeps growing.
  std::vector<std::string> leaks;
  for (const int times : {cycles, 4 * cycles}) {
    std::array<Holdings, 3> seen;
    for (Holdings& holdings : seen) {
      for (int i = 0; i < times; ++i) cycle();
      holdings = look(subject);
    }
    leaks = leaks_in(seen, times);
    if (leaks.empty()) return;
  }
  throw Broken(fmt::format("every {} leaves {} behind", of_what, fmt::join(leaks, ", ")));
}

/// What software compiled may stay in memory until its device closes: Mesa's lavapipe keeps 0.4 MB of each
/// pipeline.
void needs_hardware(const Subject& subject) {
  if (is_software(subject.device())) {
    throw NotPossible("software may keep what it compiled until its device closes");
  }
}

void whole_cycles(Subject& subject, const Case& one) {
  needs_hardware(subject);
  const int cycles = subject.full() ? 100 : 15;
  repeat(subject, cycles, "cycle of problem, prepare, run, sample and drop", [&] {
    Ready ready(subject, one);
    ready.check("in one of many cycles");
    ready.sample({}, "in one of many cycles");
  });
}

/// Preparing alone, many more times, so that small leaks show.
void prepare_cycles(Subject& subject, const Case& one) {
  needs_hardware(subject);
  const int cycles = subject.full() ? 200 : 30;
  const auto bench = std::make_shared<Bench>(subject, subject.here(), one.problem);
  repeat(subject, cycles, "prepare and drop", [&] { static_cast<void>(Ready(subject, one, bench)); });
}

void failed_cycles(Subject& subject, const Case& one) {
  const int cycles = subject.full() ? 100 : 30;
  Bench bench(subject, subject.here(), one.problem);
  repeat(subject, cycles, "refused prepare", [&] {
    try {
      prepare_stranger(bench, one);
    } catch (const Failure&) {
      // The check `errors` asks what it is.
    }
  });
}

}  // namespace

void check_leaks(Subject& subject, Trials& trials) {
  if (sanitized) {
    trials.skip("cycles", "sanitizers keep what is freed for a while");
    return;
  }
  const std::vector<Case> cases = subject.typical();
  for (const Case& one : cases) {
    trials.add(one.label() + ", whole", [&subject, one] { whole_cycles(subject, one); });
    trials.add(one.label() + ", prepared and dropped", [&subject, one] { prepare_cycles(subject, one); });
    if (&one == &cases.front()) {
      trials.add(one.label() + ", refused", [&subject, one] { failed_cycles(subject, one); });
    }
    if (!subject.full() && &one - cases.data() >= 1) break;
  }
}

}  // namespace benchctl::conformance
