// Figures that somebody has published, to stand beside ours.
#pragma once

#include <benchctl/types.hpp>

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
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

}  // namespace benchctl
