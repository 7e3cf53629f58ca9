// Are the results right: once, again and again, and together with others?
#include "conformance/checks.hpp"
#include "worker/stopwatch.hpp"

#include <fmt/format.h>

#include <deque>
#include <optional>
#include <set>

namespace benchctl::conformance {

namespace {

constexpr int most_executions = 200;
/// Limit for one variant.
constexpr double most_seconds = 0.3;

void runs_again(Subject& subject, const Case& one) {
  Ready ready(subject, one, 2);
  SampleRequest request;
  request.sets = 2;
  request.count = 6;
  ready.sample(request,
               "after three executions on each of two sets in turn, outputs cleared before the first");
  request.count = 3;
  if (!in_place(one.problem) && subject.device().max_batch >= 4) request.batch = 4;
  ready.sample(request, "after samples that use two sets in turn");
  for (int i = 0; i < 3; ++i) ready.check("in executions on two sets in turn");
}

/// Races show now and then: many executions, each verified.
void agrees_with_itself(Subject& subject, const Case& one) {
  Ready ready(subject, one);
  const Stopwatch watch;
  for (int i = 0; i < most_executions && (i < 2 || watch.seconds() < most_seconds); ++i) {
    ready.check(fmt::format("in execution {} of the same", i + 1));
  }
}

/// An execution must not pass with what an earlier one left.
void heeds_new_inputs(Subject& subject, const Case& one) {
  if (in_place(one.problem)) return;
  constexpr std::uint64_t seed = 2;
  Ready(subject, one)
      .check_with_new_inputs(subject.reference(one.problem, seed), seed,
                             "after its inputs were drawn anew");
}

void survives_a_neighbour(Subject& subject, const Case& one) {
  const auto bench = std::make_shared<Bench>(subject, subject.here(), one.problem);
  Ready(subject, one, bench).check("in its first execution");
  Ready second(subject, one, bench, 1);
  static_cast<void>(Ready(subject, one, bench));  // instead of the first
  second.check("after the same variant, prepared beside it, was dropped");
}

/// Something made ready on a device.
struct Player {
  std::string name;
  Ready ready;
};

/// All execute in turn.
void play(std::deque<Player>& players) {
  constexpr int rounds = 3;
  for (int round = 0; round < rounds; ++round) {
    for (Player& player : players)
      player.ready.check(fmt::format("on {}, executed in turn with others", player.name));
  }
}

Player player_of(Subject& subject, Opened& on, const Case& one) {
  const Lane& lane = on.worker.lane();
  return {lane.name() + " " + one.label(),
          Ready(subject, one, std::make_shared<Bench>(subject, on, one.problem))};
}

std::vector<Case> typical_on(Subject& subject, const Lane& lane) {
  return typical_cases(cases_of(subject.entry(), lane.device, false));
}

/// As many problems as the engine holds in a group: several variants, each on buffers of its own.
void several_problems(Subject& subject, const Lane& lane) {
  const std::unique_ptr<Opened> device = subject.open(lane);
  std::deque<Player> players;
  std::set<std::string> workloads;
  for (const Case& one : typical_on(subject, lane)) {
    if (players.size() >= 6) break;
    // Two of a workload, so that the same kernel meets other buffers.
    const bool first = workloads.insert(one.variant->workload).second;
    players.push_back(player_of(subject, *device, one));
    if (first) players.push_back(player_of(subject, *device, one));
  }
  if (players.empty()) throw NotPossible("no variant runs on this device");
  play(players);
}

void several_devices(Subject& subject, const std::vector<Lane>& lanes) {
  std::vector<std::unique_ptr<Opened>> devices;
  std::deque<Player> players;
  for (const Lane& lane : lanes) {
    const std::vector<Case> cases = typical_on(subject, lane);
    if (cases.empty()) continue;
    devices.push_back(subject.open(lane));
    players.push_back(player_of(subject, *devices.back(), cases.front()));
  }
  if (players.size() < 2) throw NotPossible("variants run on fewer than two devices");
  play(players);
  // One device's releases must not affect the others.
  players.pop_front();
  devices.erase(devices.begin());
  play(players);
}

}  // namespace

void check_results(Subject& subject, Trials& trials) {
  // Cases of one problem follow one another only within a variant: buffers are made anew otherwise.
  const auto bench = std::make_shared<std::shared_ptr<Bench>>();
  for (const Case& one : subject.cases().runnable) {
    trials.add(one.label(), [&subject, bench, one] {
      if (*bench == nullptr || !(*bench)->holds(one.problem)) {
        bench->reset();
        *bench = std::make_shared<Bench>(subject, subject.here(), one.problem);
      }
      Ready(subject, one, *bench).check("after the first execution");
    });
  }
  for (const auto& [variant, reason] : subject.cases().without) {
    trials.skip(variant, reason);
  }
}

void check_repeats(Subject& subject, Trials& trials) {
  for (const Case& one : typical_cases(subject.cases())) {
    trials.add(one.label(), [&subject, one] { runs_again(subject, one); });
  }
  for (const Case& one : typical_cases(subject.cases())) {
    trials.add(one.label() + ", many times", [&subject, one] { agrees_with_itself(subject, one); });
    trials.add(one.label() + ", new inputs", [&subject, one] { heeds_new_inputs(subject, one); });
  }
  for (const Case& one : subject.typical()) {
    trials.add(one.label() + ", prepared twice", [&subject, one] { survives_a_neighbour(subject, one); });
  }
}

void check_together(Subject& subject, Trials& trials) {
  const std::vector<Lane>& lanes = subject.task().lanes;
  for (const Lane& lane : lanes) {
    trials.add("several problems on " + lane.name(), [&] { several_problems(subject, lane); });
  }
  trials.add("several devices", [&] {
    if (lanes.size() < 2) throw NotPossible("there are fewer than two devices");
    several_devices(subject, lanes);
  });
}

}  // namespace benchctl::conformance
