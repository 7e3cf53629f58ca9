// What else is different about a device that is slow: clocks, power, temperature, link, environment.
#pragma once

#include <benchctl/backend.hpp>

#include "model/point.hpp"
#include "observe/environment.hpp"

#include <map>
#include <string>
#include <vector>

namespace benchctl {

/// What is on record of a device beside its times.
class FleetTelemetry {
 public:
  /// Of one point that was measured on it.
  void add(const Resources& metrics, const Lane& lane, const Environment& environment);
  /// Median over its points; NaN if it was never read.
  [[nodiscard]] double reading(const std::string& metric) const;
  [[nodiscard]] const std::map<std::string, std::string>& facts() const { return facts_; }

 private:
  std::map<std::string, std::vector<double>> readings_;
  std::map<std::string, std::string> facts_;  ///< drivers, links, settings: as last seen
};

/// Sentences on what sets a device apart from all of its class, the device among them.
[[nodiscard]] std::vector<std::string> likely_causes(const FleetTelemetry& device,
                                                     const std::vector<const FleetTelemetry*>& all);

}  // namespace benchctl
