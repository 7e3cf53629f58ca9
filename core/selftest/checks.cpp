#include "selftest/checks.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace benchctl::selftest {

namespace {

constexpr std::array<Check, 5> checks{
    {{"durations", "kernels of known duration come out within the larger of 1 % and the timer's step",
      &check_durations},
     {"gate", "the time of an empty kernel does not contain the latency of its launch", &check_gate},
     {"caches",
      "a hot working set is read faster than memory can deliver, a cold one is not; APIs of one card agree",
      &check_caches, &compare_caches},
     {"twins", "one variant under two names is called different in at most 5 % of comparisons",
      &check_twins},
     {"slowdown", "a variant that takes 2 % longer is found to be slower in at least 95 % of comparisons",
      &check_slowdown}}};

}  // namespace

std::span<const Check> all_checks() { return checks; }

std::vector<CaseResult> run_check(const Check& check, Bench& bench) {
  std::vector<CaseResult> all;
  for (const Lane& lane : bench.lanes()) {
    for (CaseResult& result : check.on_lane(bench, lane)) {
      result.lane = lane.name();
      all.push_back(std::move(result));
    }
  }
  if (check.across != nullptr) std::ranges::move(check.across(bench.lanes(), all), std::back_inserter(all));
  for (CaseResult& result : all) result.check = check.id;
  return all;
}

}  // namespace benchctl::selftest
