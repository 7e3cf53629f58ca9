// Published figures matched with our rows.
#pragma once

#include "model/published.hpp"
#include "store/store.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace benchctl {

/// What tells the device of a row: a name for readers and the type that `match` may ask for.
struct RowDevice {
  std::string label;
  std::optional<DeviceType> type;
};

/// One published figure beside one of ours.
struct PublishedPair {
  Value at;                    ///< value of the axis
  double published = 0;        ///< as published, in its unit
  double published_ratio = 0;  ///< to the base of the series
  std::size_t row = 0;         ///< ours
  double measured = 0;         ///< in the metric's own unit
  double measured_ratio = 0;   ///< NaN where the base is not measured
  std::string key = {};        ///< that of its series; empty but for the first
};

/// Rows of one device that differ in nothing but the axis.
struct PublishedSeries {
  std::string key;                     ///< the device and everything that the rows share
  std::vector<PublishedPair> entries;  ///< at least two, in the order of the published values
};

/// The rows that match, by series. `devices` belong to the rows.
[[nodiscard]] std::vector<PublishedSeries> published_series(const Published& published,
                                                            std::span<const Result> rows,
                                                            const std::vector<RowDevice>& devices);

}  // namespace benchctl
