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
  const bool changes_input = in_place(one.problem);
  ready.bench().clear(0);
  ready.bench().clear(1);
  for (int i = 0; i < 3; ++i) {
    for (std::uint32_t set = 0; set < 2; ++set) {
      if (changes_input) ready.bench().clear(set);
      ready.run(set);
    }
  }
  for (const std::uint32_t set : {0U, 1U}) {
    ready.verify(set,
                 "after three executions on each of two sets in turn, outputs cleared before the first");
  }
  SampleRequest request;
  request.count = changes_input ? 1 : 3;
  request.batch = changes_input || subject.device().max_batch < 4 ? 1 : 4;
  request.sets = 2;
  request.set = 1;
  ready.bench().clear(0);
  ready.bench().clear(1);
  static_cast<void>(ready.sample(request));
  for (const std::uint32_t set : {1U, 0U}) {
    if (set == 1 || request.count * request.batch > 1)
      ready.verify(set, "after samples that use two sets in turn, beginning with set 1");
  }
}

/// Races show now and then: many executions, each verified.
void agrees_with_itself(Subject& subject, const Case& one) {
  Ready ready(subject, one);
  const Stopwatch watch;
  for (int i = 0; i < most_executions && (i < 2 || watch.seconds() < most_seconds); ++i) {
    ready.prove(fmt::format("in execution {} of the same", i + 1));
  }
}

/// An execution must not pass with what an earlier one left.
void heeds_new_inputs(Subject& subject, const Case& one) {
  if (in_place(one.problem)) return;
  Ready ready(subject, one);
  ready.execute();
  ready.bench().draw_anew();
  ready.run();
  ready.verify(0, "after its inputs were drawn anew, outputs left as they were");
}

void survives_a_neighbour(Subject& subject, const Case& one) {
  const auto bench = std::make_shared<Bench>(subject.session(), one.problem);
  std::optional<Ready> first(std::in_place, subject, one, bench, subject.device());
  Ready second(subject, one, bench, subject.device());
  first->execute();
  first.reset();
  second.prove("after the same variant, prepared beside it, was dropped");
}

/// Something made ready on a device.
struct Player {
  std::string name;
  Ready ready;
};

/// All execute in turn, on outputs that were cleared for all at once; then all are verified.
void play(std::deque<Player>& players) {
  constexpr int rounds = 3;
  for (int round = 0; round < rounds; ++round) {
    for (Player& player : players) player.ready.bench().clear(0);
    for (Player& player : players) player.ready.run();
    for (Player& player : players) {
      player.ready.verify(0, fmt::format("on {}, executed in turn with others", player.name));
    }
  }
}

Player player_of(Subject& subject, Session& session, const Lane& lane, const Case& one) {
  return {lane.name() + " " + one.label(),
          Ready(subject, one, std::make_shared<Bench>(session, one.problem), lane.device)};
}

std::vector<Case> typical_on(Subject& subject, const Lane& lane) {
  return typical_cases(cases_of(subject.entry(), lane.device, false));
}

/// As many problems as the engine holds in a group: several variants, each on buffers of its own.
void several_problems(Subject& subject, const Lane& lane) {
  const std::unique_ptr<Session> session = subject.open(lane);
  std::deque<Player> players;
  std::set<std::string> workloads;
  for (const Case& one : typical_on(subject, lane)) {
    if (players.size() >= 6) break;
    // Two of a workload, so that the same kernel meets other buffers.
    const bool first = workloads.insert(one.variant->workload).second;
    players.push_back(player_of(subject, *session, lane, one));
    if (first) players.push_back(player_of(subject, *session, lane, one));
  }
  if (players.empty()) throw NotPossible("no variant runs on this device");
  play(players);
}

void several_devices(Subject& subject, const std::vector<Lane>& lanes) {
  std::vector<std::unique_ptr<Session>> sessions;
  std::deque<Player> players;
  for (const Lane& lane : lanes) {
    const std::vector<Case> cases = typical_on(subject, lane);
    if (cases.empty()) continue;
    sessions.push_back(subject.open(lane));
    players.push_back(player_of(subject, *sessions.back(), lane, cases.front()));
  }
  if (players.size() < 2) throw NotPossible("variants run on fewer than two devices");
  play(players);
  // One device's releases must not affect the others.
  players.pop_front();
  sessions.erase(sessions.begin());
  play(players);
}

}  // namespace

void check_results(Subject& subject, Trials& trials) {
  std::shared_ptr<Bench> bench;
  std::string held;
  for (const Case& one : subject.cases().runnable) {
    trials.run(one.label(), [&] {
      // Cases of one problem follow one another only within a variant: buffers are made anew otherwise.
      const std::string wanted = fmt::format("{} {} {}", one.problem.workload,
                                             to_text(one.problem.parameters), one.problem.layout);
      if (held != wanted) {
        held.clear();
        bench.reset();
        bench = std::make_shared<Bench>(subject.session(), one.problem);
        held = wanted;
      }
      Ready(subject, one, bench, subject.device()).prove("after the first execution");
    });
  }
  for (const auto& [variant, reason] : subject.cases().without) {
    trials.skip(variant, reason);
  }
}

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

void check_together(Subject& subject, Trials& trials) {
  const std::vector<Lane>& lanes = subject.task().lanes;
  for (const Lane& lane : lanes) {
    trials.run("several problems on " + lane.name(), [&] { several_problems(subject, lane); });
  }
  trials.run("several devices", [&] {
    if (lanes.size() < 2) throw NotPossible("there are fewer than two devices");
    several_devices(subject, lanes);
  });
}

}  // namespace benchctl::conformance
