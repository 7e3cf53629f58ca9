// Figures that others state: those that somebody has published, and what a device's vendor says that it can
// do at most.
#pragma once

#include <benchctl/device.hpp>
#include <benchctl/types.hpp>

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace benchctl {

/// One series: a metric along one axis, everything else fixed by `match`.
struct Published {
  std::string source;                ///< who published it and where
  std::string hardware;              ///< on what it was measured
  std::string metric = "median_ns";  ///< which of our metrics it compares with (core/model/metrics.hpp)
  std::string unit;                  ///< unit of `values`, as published; for the reader
  /// What our points must be to stand beside it: `workload`, and any of `variant`, `backend`, `device`,
  /// `device_type`, `layout`, `cache`, `launch`, `basis`, problem parameters and tunables.
  Parameters match;
  std::string axis;                              ///< `variant`, `layout`, a parameter …
  std::vector<std::pair<Value, double>> values;  ///< value of the axis, figure
  /// The value of the axis that ratios are taken to; without, the first one.
  std::optional<Value> relative_to;

  bool operator==(const Published&) const = default;
  /// The figure that ratios are taken to.
  [[nodiscard]] const std::pair<Value, double>& base() const;
};

[[nodiscard]] nlohmann::json to_json(const Published& published);
[[nodiscard]] Published published_from_json(const nlohmann::json& json);

/// Facts that the backend reports about the device; core knows none of its own. Units per second by what
/// they are: `dram`, bytes of the device's memory, read and written together; `fma_f32`, `fma_f64`:
/// operations of that compute path; `any`: operations of the fastest path that the device has, of whatever
/// precision.
using DatasheetPeaks = std::map<std::string, double, std::less<>>;

/// The device's properties `peak_dram_per_s`, `peak_fma_f32_per_s` and so on. A record from before these
/// were reported may have `memory_clock_max_khz` and `memory_bus_bits`: memory that transfers twice in a
/// cycle (DDR, GDDR, HBM) moves 2 · clock · width / 8 bytes per second. Empty where nothing is known.
[[nodiscard]] DatasheetPeaks datasheet_peaks(const DeviceInfo& device);

}  // namespace benchctl
