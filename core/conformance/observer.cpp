#include "conformance/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace benchctl::conformance {

namespace {

void check_table(Observer& observer) {
  std::set<std::string> ids;
  for (const ReadingInfo& reading : observer.readings()) {
    if (reading.id.empty() || reading.doc.empty()) {
      throw Broken(fmt::format("reading '{}' needs an id and a doc: results and `benchctl list` show them",
                               reading.id));
    }
    if (!ids.insert(reading.id).second)
      throw Broken(fmt::format("two readings are called '{}'", reading.id));
  }
  if (ids.empty()) throw Broken("it has no readings");
}

std::vector<std::string> ids_of(Observer& observer, ReadingKind kind) {
  std::vector<std::string> ids;
  for (const ReadingInfo& reading : observer.readings()) {
    if (reading.kind == kind) ids.push_back(reading.id);
  }
  return ids;
}

/// A device that does not exist.
void ignores_strangers(Observer& observer) {
  DeviceInfo stranger;
  stranger.id = "0";
  stranger.physical = "conformance:nothing";
  const std::vector<std::string> ids = ids_of(observer, ReadingKind::block);
  if (observer.watch(stranger, ids) != nullptr) {
    throw Broken(
        "it watches a device that it cannot know ('conformance:nothing'); watch() must return "
        "null");
  }
}

/// What a block of one sample, or a pass, reads. An exception makes readings absent, which an observer may
/// do.
Readings read(Watch& watch) {
  Readings readings;
  Window window;
  window.wall_ns = 1e6;
  window.busy_ns = 5e5;
  window.executions = 1;
  window.by_sample = true;
  try {
    watch.begin();
    watch.begin_sample();
    watch.end_sample();
    watch.end(window, readings);
  } catch (const std::exception& error) {
    throw NotPossible(fmt::format("its readings would be absent: {}", error.what()));
  }
  return readings;
}

void watches(Observer& observer, const Lane& lane, ReadingKind kind) {
  const std::vector<std::string> ids = ids_of(observer, kind);
  if (ids.empty()) throw NotPossible("it has no readings of this kind");
  std::unique_ptr<Watch> watch;
  try {
    watch = observer.watch(lane.device, ids);
  } catch (const std::exception& error) {
    throw NotPossible(fmt::format("its readings would be absent: {}", error.what()));
  }
  if (watch == nullptr) throw NotPossible("it does not know this device");
  for (int i = 0; i < 2; ++i) {
    const Readings readings = read(*watch);
    for (const auto& [id, values] : readings.values) {
      const auto table = observer.readings();
      if (std::ranges::find(table, id, &ReadingInfo::id) == table.end()) {
        throw Broken(fmt::format("it gave '{}', which is not in its table", id));
      }
    }
  }
}

}  // namespace

void check_observer(Subject& subject, Trials& trials) {
  Observer* observer = subject.plugin().observer;
  if (observer == nullptr) {
    trials.run("readings", [] { throw NotPossible("the plugin has no observer"); });
    return;
  }
  trials.run("readings", [&] { check_table(*observer); });
  trials.run("a device that does not exist", [&] { ignores_strangers(*observer); });
  for (const Lane& lane : subject.task().lanes) {
    for (const ReadingKind kind : {ReadingKind::block, ReadingKind::pass}) {
      trials.run(fmt::format("{}, {}", lane.name(), to_string(kind)),
                 [&] { watches(*observer, lane, kind); });
    }
  }
}

}  // namespace benchctl::conformance
