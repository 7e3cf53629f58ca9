#include "selftest/checks.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace benchctl::selftest {

namespace {

constexpr std::array<Check, 6> checks{
    {{"durations", "kernels of known duration come out within the larger of 1 % and the timer's step", true,
      &check_durations, nullptr},
     {"gate", "the time of an empty kernel does not contain the latency of its launch", true, &check_gate,
      nullptr},
     {"caches",
      "a hot working set is read faster than memory can deliver, a cold one is not; APIs of one card agree",
      true, &check_caches, nullptr, &compare_caches},
     {"twins", "one variant under two names is called different in at most 5 % of comparisons", true,
      &check_twins, nullptr},
     {"slowdown", "a variant that takes 2 % longer is found to be slower in at least 95 % of comparisons",
      true, &check_slowdown, nullptr},
     {"coverage",
      "intervals of 95 % cover the true median of independent synthetic series in 92 to 98 % of cases, "
      "stop "
      "rule included",
      false, nullptr, &check_coverage}}};

}  // namespace

std::span<const Check> all_checks() { return checks; }

std::vector<Finding> run_check(const Check& check, Bench& bench) {
  if (!check.needs_device) {
    std::vector<Finding> all = check.alone(bench.full());
    for (Finding& finding : all) finding.check = check.id;
    return all;
  }
  std::vector<Finding> all;
  for (const Lane& lane : bench.lanes()) {
    for (Finding& finding : check.on_lane(bench, lane)) {
      finding.lane = lane.name();
      all.push_back(std::move(finding));
    }
  }
  if (check.across != nullptr) std::ranges::move(check.across(bench.lanes(), all), std::back_inserter(all));
  for (Finding& finding : all) finding.check = check.id;
  return all;
}

}  // namespace benchctl::selftest
