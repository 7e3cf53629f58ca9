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
  const auto wants = [](bool holds, const std::string& broken) {
    if (!holds) throw Broken(broken);
  };
  wants(
      !device.id.empty() && !has_blank(device.id),
      fmt::format(
          "the id '{}' is what users write behind the backend's name: it must not be empty or have blanks",
          device.id));
  wants(!device.name.empty(), "it has no name; results show it");
  wants(!device.driver.empty(),
        "it has no driver ('none' if there is none); it distinguishes results of different drivers");
  wants(
      !device.physical.empty(),
      "it has no physical identity; without it one piece of hardware could be measured as if it were two");
  wants(device.max_batch >= 1, "max_batch is 0: at least one execution must fit into a sample");
  wants(device.timer_step_ns > 0, "timer_step_ns is 0: samples are made long enough by it");
  wants(device.compute_units >= 1, "compute_units is 0: grids are made from it");
  wants(to_string(device.type) != "?", "its type is not one of the enumerators");
}

}  // namespace

void check_devices(Subject& subject, Trials& trials) {
  DeviceList list;
  trials.run("they are enumerated", [&] {
    list = subject.backend().devices();
    if (list.devices.empty() && list.unavailable.empty()) {
      throw Broken("there is no device and no reason: `unavailable` must say why, because users see it");
    }
    if (list.devices.empty()) throw NotPossible("no device: " + list.unavailable);
  });
  trials.run("their ids are unique, and the same at the next call", [&] {
    if (list.devices.empty()) list = subject.backend().devices();
    std::set<std::string> ids;
    for (const DeviceInfo& device : list.devices) {
      if (!ids.insert(device.id).second)
        throw Broken(fmt::format("two devices have the id '{}'", device.id));
    }
    const DeviceList again = subject.backend().devices();
    if (!std::ranges::equal(list.devices, again.devices, {}, &DeviceInfo::id, &DeviceInfo::id)) {
      throw Broken("the second call to devices() returned other ids than the first");
    }
    if (ids.empty()) throw NotPossible("no device");
  });
  for (const DeviceInfo& device : list.devices) {
    trials.run(fmt::format("device '{}'", device.id), [&] { check_device(device); });
  }
}

}  // namespace benchctl::conformance
