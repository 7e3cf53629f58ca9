#include "model/keys.hpp"

#include "model/values.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace benchctl {

namespace {

std::weak_ordering by_value(const Parameters& a, const Parameters& b) {
  if (&a == &b) return std::weak_ordering::equivalent;
  return std::lexicographical_compare_three_way(
      a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) -> std::weak_ordering {
        if (const auto names = one.first <=> other.first; names != 0) return names;
        if (ValueOrder{}(one.second, other.second)) return std::weak_ordering::less;
        return ValueOrder{}(other.second, one.second) ? std::weak_ordering::greater
                                                      : std::weak_ordering::equivalent;
      });
}

std::size_t mixed_in(std::size_t hash, const std::string& text) {
  return mixed(hash, std::hash<std::string>{}(text));
}

}  // namespace

std::weak_ordering operator<=>(const ProblemKey& a, const ProblemKey& b) {
  if (const auto workloads = a.workload <=> b.workload; workloads != 0) return workloads;
  return by_value(a.parameters, b.parameters);
}

std::size_t ProblemKey::hash() const { return mixed_in(hash_of(parameters), workload); }

std::string ProblemKey::text() const { return KeyText().add(workload).add(parameters).take(); }

std::size_t InputsKey::hash() const { return mixed(mixed_in(problem.hash(), layout), seed); }

std::string InputsKey::text() const {
  return KeyText().add(std::to_string(seed)).take() + problem.text() + KeyText().add(layout).take();
}

std::size_t RivalKey::hash() const {
  const auto modes = (static_cast<std::size_t>(measure.cache) << 16U) ^
                     (static_cast<std::size_t>(measure.launch) << 8U) ^
                     static_cast<std::size_t>(measure.basis);
  return mixed(problem.hash(), modes);
}

std::weak_ordering operator<=>(const PointKey& a, const PointKey& b) {
  if (const auto rivals = a.rivals <=> b.rivals; rivals != 0) return rivals;
  const auto words = [](const PointKey& key) {
    return std::tie(key.backend, key.device, key.variant, key.layout);
  };
  if (const auto order = words(a) <=> words(b); order != 0) return order;
  return by_value(a.tunables, b.tunables);
}

std::size_t PointKey::hash() const {
  std::size_t hash = mixed(rivals.hash(), hash_of(tunables));
  for (const std::string* text : {&device, &variant, &layout}) hash = mixed_in(hash, *text);
  return hash;
}

std::string PointKey::text() const {
  return KeyText()
      .add(rivals.problem.text())
      .add(to_string(rivals.measure.cache))
      .add(to_string(rivals.measure.launch))
      .add(to_string(rivals.measure.basis))
      .add(backend)
      .add(device)
      .add(variant)
      .add(layout)
      .add(tunables)
      .take();
}

DeviceKey::DeviceKey(const DeviceInfo& device)
    : name(device.name),
      vendor(device.vendor),
      driver(device.driver),
      architecture(device.architecture),
      physical(device.physical),
      compute_units(device.compute_units) {
  for (const auto& [name, member] : {std::pair{"uuid", &uuid}, {"compiler", &compiler}}) {
    if (const auto found = device.properties.find(name); found != device.properties.end())
      *member = found->second;
  }
}

bool same_kind(const DeviceKey& a, const DeviceKey& b) {
  const auto kind = [](const DeviceKey& key) {
    return std::tie(key.name, key.vendor, key.driver, key.compiler, key.architecture, key.compute_units);
  };
  return kind(a) == kind(b);
}

std::string hardware_of(const Lane& lane) {
  return lane.device.physical.empty() ? lane.name() : lane.device.physical;
}

}  // namespace benchctl
