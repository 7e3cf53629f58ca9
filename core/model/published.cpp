#include "model/published.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "model/json.hpp"

namespace benchctl {

using nlohmann::json;

const std::pair<Value, double>& Published::base() const {
  if (relative_to) {
    const auto found =
        std::ranges::find_if(values, [&](const auto& entry) { return entry.first == *relative_to; });
    if (found != values.end()) return *found;
  }
  return values.at(0);
}

namespace {

/// Names of the fields, in configs as in stores.
constexpr std::array<std::pair<const char*, double DescribedDevice::*>, 6> device_fields{
    {{"multiprocessors", &DescribedDevice::multiprocessors},
     {"clock_mhz", &DescribedDevice::clock_mhz},
     {"fma_per_clock", &DescribedDevice::fma_per_clock},
     {"shared_bytes_per_clock", &DescribedDevice::shared_bytes_per_clock},
     {"cache_bytes_per_clock", &DescribedDevice::cache_bytes_per_clock},
     {"memory_gbytes_per_s", &DescribedDevice::memory_gbytes_per_s}}};

}  // namespace

std::span<const std::pair<const char*, double DescribedDevice::*>> described_device_fields() {
  return device_fields;
}

double least_ns(const CountedWork& work, const DescribedDevice& device) {
  const double clocks_per_ns = device.clock_mhz * 1e-3;
  const double all = device.multiprocessors * clocks_per_ns;
  const std::array<std::pair<double, double>, 4> needs{
      {{work.flops, 2 * device.fma_per_clock * all},
       {work.memory_bytes, device.memory_gbytes_per_s},
       {work.cache_bytes, device.cache_bytes_per_clock * clocks_per_ns},
       {work.shared_bytes, device.shared_bytes_per_clock * all}}};
  double longest = std::nan("");
  for (const auto& [units, per_ns] : needs) {
    if (units > 0 && per_ns > 0) longest = std::fmax(longest, units / per_ns);
  }
  return longest;
}

json to_json(const Published& published) {
  json values = json::array();
  for (const auto& [at, figure] : published.values) values.push_back({to_json(at), figure});
  json device;
  if (published.device) {
    for (const auto& [name, field] : device_fields) device[name] = (*published.device).*field;
  }
  return {{"source", published.source},
          {"hardware", published.hardware},
          {"metric", published.metric},
          {"unit", published.unit},
          {"match", to_json(published.match)},
          {"axis", published.axis},
          {"values", std::move(values)},
          {"relative_to", published.relative_to ? to_json(*published.relative_to) : json()},
          {"device", std::move(device)}};
}

Published published_from_json(const json& j) {
  Published published;
  j.at("source").get_to(published.source);
  j.at("hardware").get_to(published.hardware);
  j.at("metric").get_to(published.metric);
  j.at("unit").get_to(published.unit);
  published.match = parameters_from_json(j.at("match"));
  j.at("axis").get_to(published.axis);
  for (const json& entry : j.at("values")) {
    published.values.emplace_back(value_from_json(entry.at(0)), entry.at(1).get<double>());
  }
  if (published.values.empty()) throw std::invalid_argument("published figures without a figure");
  if (!j.at("relative_to").is_null()) published.relative_to = value_from_json(j.at("relative_to"));
  if (const auto device = j.find("device"); device != j.end() && !device->is_null()) {
    published.device.emplace();
    for (const auto& [name, field] : device_fields)
      (*published.device).*field = device->at(name).get<double>();
  }
  return published;
}

}  // namespace benchctl
