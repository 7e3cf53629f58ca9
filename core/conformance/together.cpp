#include "conformance/checks.hpp"

#include <fmt/format.h>

#include <set>

namespace benchctl::conformance {

namespace {

/// Something made ready on a device.
struct Player {
  std::string name;
  Case one;
  std::unique_ptr<Bench> bench;
  std::unique_ptr<Prepared> prepared;
};

/// All execute in turn, on outputs that were cleared for all at once; then all are judged.
void play(std::vector<Player>& players) {
  constexpr int rounds = 3;
  for (int round = 0; round < rounds; ++round) {
    for (Player& player : players) player.bench->ready(0);
    for (Player& player : players) static_cast<void>(player.prepared->run(0));
    for (Player& player : players) {
      player.bench->judge(*player.one.variant, 0,
                          fmt::format("on {}, executed in turn with others", player.name));
    }
  }
}

std::vector<Case> typical_on(Subject& subject, const Lane& lane) {
  return typical_cases(cases_of(subject.entry(), lane.device, false));
}

Player player_of(Subject& subject, Session& session, const Lane& lane, const Case& one) {
  Player player{lane.name() + " " + one.label(), one, std::make_unique<Bench>(session, one.problem),
                nullptr};
  PrepareRequest request;
  request = subject.request_on(lane, one, one.problem);
  player.prepared = player.bench->buffers().device().prepare(request);
  return player;
}

/// As many problems as the engine holds in a group: several variants, each on buffers of its own.
void several_problems(Subject& subject, const Lane& lane) {
  const std::unique_ptr<Session> session = subject.open(lane);
  std::vector<Player> players;
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
  std::vector<Player> players;
  for (const Lane& lane : lanes) {
    const std::vector<Case> cases = typical_on(subject, lane);
    if (cases.empty()) continue;
    sessions.push_back(subject.open(lane));
    players.push_back(player_of(subject, *sessions.back(), lane, cases.front()));
  }
  if (players.size() < 2) throw NotPossible("variants run on fewer than two devices");
  play(players);
  // One device's releases must not affect the others.
  players.erase(players.begin());
  sessions.erase(sessions.begin());
  play(players);
}

}  // namespace

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
