// What the plugin says of hardware: its list of devices, and the readings of its observer.
#include "conformance/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace benchctl::conformance {

namespace {

bool has_blank(const std::string& text) {
  return std::ranges::any_of(text, [](char c) { return c == ' ' || c == '\t' || c == '\n'; });
}

void check_device(const DeviceInfo& device) {
  want(!device.id.empty() && !has_blank(device.id),
       fmt::format(
           "the id '{}' is what users write behind the backend's name: it must not be empty or have blanks",
           device.id));
  want(!device.name.empty(), "it has no name; results show it");
  want(!device.driver.empty(),
       "it has no driver ('none' if there is none); it distinguishes results of different drivers");
  want(!device.physical.empty(),
       "it has no physical identity; without it one piece of hardware could be measured as if it were two");
  want(device.max_batch >= 1, "max_batch is 0: at least one execution must fit into a sample");
  want(device.timer_step_ns > 0, "timer_step_ns is 0: samples are made long enough by it");
  want(device.compute_units >= 1, "compute_units is 0: grids are made from it");
  want(to_string(device.type) != "?", "its type is not one of the enumerators");
}

void check_table(Observer& observer) {
  std::set<std::string> ids;
  for (const ReadingInfo& reading : observer.readings()) {
    want(!reading.id.empty() && !reading.doc.empty(),
         fmt::format("reading '{}' needs an id and a doc: results and `benchctl list` show them",
                     reading.id));
    want(ids.insert(reading.id).second, fmt::format("two readings are called '{}'", reading.id));
  }
  want(!ids.empty(), "it has no readings");
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
  want(observer.watch(stranger, ids_of(observer, ReadingKind::block)) == nullptr,
       "it watches a device that it cannot know ('conformance:nothing'); watch() must return null");
}

/// What a block of one sample, or a pass, reads.
Readings read(Watch& watch) {
  Readings readings;
  Window window;
  window.wall_ns = 1e6;
  window.busy_ns = 5e5;
  window.executions = 1;
  window.by_sample = true;
  watch.begin();
  watch.begin_sample();
  watch.end_sample();
  watch.end(window, readings);
  return readings;
}

void watches(Observer& observer, const Lane& lane, ReadingKind kind) {
  const std::vector<std::string> ids = ids_of(observer, kind);
  if (ids.empty()) throw NotPossible("it has no readings of this kind");
  std::vector<Readings> all;
  bool knows = true;
  try {
    const std::unique_ptr<Watch> watch = observer.watch(lane.device, ids);
    knows = watch != nullptr;
    for (int i = 0; i < 2 && knows; ++i) all.push_back(read(*watch));
  } catch (const std::exception& error) {
    // It may do that: readings are absent then.
    throw NotPossible(fmt::format("its readings would be absent: {}", error.what()));
  }
  if (!knows) throw NotPossible("it does not know this device");
  const auto table = observer.readings();
  for (const Readings& readings : all) {
    for (const auto& [id, values] : readings.values) {
      want(std::ranges::find(table, id, &ReadingInfo::id) != table.end(),
           fmt::format("it gave '{}', which is not in its table", id));
    }
  }
}

}  // namespace

void check_devices(Subject& subject, Trials& trials) {
  const DeviceList list = subject.backend().devices();
  trials.add("they are enumerated", [list] {
    want(!list.devices.empty() || !list.unavailable.empty(),
         "there is no device and no reason: `unavailable` must say why, because users see it");
    if (list.devices.empty()) throw NotPossible("no device: " + list.unavailable);
  });
  trials.add("their ids are unique, and the same at the next call", [&subject, list] {
    std::set<std::string> ids;
    for (const DeviceInfo& device : list.devices) {
      want(ids.insert(device.id).second, fmt::format("two devices have the id '{}'", device.id));
    }
    const DeviceList again = subject.backend().devices();
    want(std::ranges::equal(list.devices, again.devices, {}, &DeviceInfo::id, &DeviceInfo::id),
         "the second call to devices() returned other ids than the first");
    if (ids.empty()) throw NotPossible("no device");
  });
  for (const DeviceInfo& device : list.devices) {
    trials.add(fmt::format("device '{}'", device.id), [device] { check_device(device); });
  }
}

void check_observer(Subject& subject, Trials& trials) {
  Observer* observer = subject.plugin().observer;
  if (observer == nullptr) {
    trials.skip("readings", "the plugin has no observer");
    return;
  }
  trials.add("readings", [observer] { check_table(*observer); });
  trials.add("a device that does not exist", [observer] { ignores_strangers(*observer); });
  for (const Lane& lane : subject.task().lanes) {
    for (const ReadingKind kind : {ReadingKind::block, ReadingKind::pass}) {
      trials.add(fmt::format("{}, {}", lane.name(), to_string(kind)),
                 [observer, lane, kind] { watches(*observer, lane, kind); });
    }
  }
}

}  // namespace benchctl::conformance
