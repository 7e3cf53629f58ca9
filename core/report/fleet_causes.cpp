#include "report/fleet_causes.hpp"

#include "observe/comparability.hpp"
#include "report/format.hpp"
#include "stats/fleet_scatter.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace benchctl {

namespace {

/// A reading that explains slowness when it lies on one side of the fleet's.
struct CauseRule {
  const char* metric;
  bool lower;       ///< is slowness explained by a lower value?
  double relative;  ///< smallest difference that explains anything, as a share of the fleet's median
  double absolute;  ///< the same in the reading's unit, on top
  const char* sentence;
};

constexpr std::array cause_rules{
    CauseRule{"sm_clock", true, 0.01, 0, "its SM clock is lower: {} MHz, the fleet's median is {}"},
    CauseRule{"memory_clock", true, 0.01, 0, "its memory clock is lower: {} MHz, the fleet's median is {}"},
    CauseRule{
        "throttled_samples", false, 0, 0.5,
        "it was slowed down by heat, power brake or hardware during {} samples of a point, the others "
        "during {}"},
    CauseRule{"power_capped_samples", false, 0, 0.5,
              "its power limit kept the clock down during {} samples of a point, the others' during {}"},
    CauseRule{"temperature", false, 0, 8, "it is hotter: {} °C, the fleet's median is {}"},
    CauseRule{"power", true, 0.1, 0, "it draws less power: {} W, the fleet's median is {}"},
};
/// Beyond so many times the fleet's scatter.
constexpr double scatters = 4;

/// `16.0 GT/s PCIe x8` → `x8`: an idle device lets the speed of its link fall back, not its width.
std::string width_of(const std::string& link) {
  const std::size_t x = link.rfind('x');
  return x == std::string::npos ? "" : link.substr(x);
}

std::string commonest_fact(const std::string& key, const std::vector<const FleetTelemetry*>& all) {
  std::map<std::string, std::size_t> counts;
  for (const FleetTelemetry* one : all) {
    if (const auto found = one->facts().find(key); found != one->facts().end()) ++counts[found->second];
  }
  const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  // What most do not share explains nothing.
  return most != counts.end() && 2 * most->second > all.size() ? most->first : "";
}

}  // namespace

void FleetTelemetry::add(const Resources& metrics, const Lane& lane, const Environment& environment) {
  for (const CauseRule& rule : cause_rules) {
    const auto found = metrics.find(rule.metric);
    if (found != metrics.end()) readings_[rule.metric].push_back(found->second);
  }
  facts_["driver"] = lane.device.driver;
  for (const auto& [key, value] : lane.device.properties) {
    if (key == "pcie_link_now") {
      facts_["width of the PCIe link"] = width_of(value);
    } else if (key != "uuid" && key != "pci" && key != "numa_node" &&
               device_key_class("property." + key) != EnvironmentClass::information) {
      facts_[key] = value;
    }
  }
  for (const EnvironmentEntry& entry : environment.entries) {
    if (entry.entry_class != EnvironmentClass::information) facts_[entry.key] = entry.value;
  }
}

double FleetTelemetry::reading(const std::string& metric) const {
  const auto found = readings_.find(metric);
  return found == readings_.end() ? no_number : stats::median(found->second);
}

std::vector<std::string> likely_causes(const FleetTelemetry& device,
                                       const std::vector<const FleetTelemetry*>& all) {
  std::vector<std::string> causes;
  for (const CauseRule& rule : cause_rules) {
    const double own = device.reading(rule.metric);
    std::vector<double> others;
    for (const FleetTelemetry* one : all) {
      if (const double value = one->reading(rule.metric); std::isfinite(value)) others.push_back(value);
    }
    if (!std::isfinite(own) || others.size() < stats::fewest_members) continue;
    const double centre = stats::median(others);
    const double beyond = rule.lower ? centre - own : own - centre;
    const double least = std::max(rule.relative * centre + rule.absolute, scatters * stats::mad(others));
    if (beyond > least) {
      causes.push_back(fmt::format(fmt::runtime(rule.sentence), format_significant(own, 4),
                                   format_significant(centre, 4)));
    }
  }
  for (const auto& [key, value] : device.facts()) {
    const std::string usual = commonest_fact(key, all);
    if (!usual.empty() && usual != value) {
      causes.push_back(
          fmt::format("{} is {}, on most others {}", key, first_line(value), first_line(usual)));
    }
  }
  return causes;
}

}  // namespace benchctl
