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

/// A device as its data sheet describes it: times can be predicted for hardware that is not there. 0: not
/// known.
struct DescribedDevice {
  double multiprocessors = 0;
  double clock_mhz = 0;               ///< of the arithmetic units
  double fma_per_clock = 0;           ///< multiply-adds in f32 of one multiprocessor
  double shared_bytes_per_clock = 0;  ///< of one multiprocessor's shared memory
  double cache_bytes_per_clock = 0;   ///< of the last cache
  double memory_gbytes_per_s = 0;

  bool operator==(const DescribedDevice&) const = default;
};

/// Its members by the names that configs and stores have for them.
[[nodiscard]] std::span<const std::pair<const char*, double DescribedDevice::*>> described_device_fields();

/// What one execution computes and moves.
struct CountedWork {
  double flops = 0;  ///< a multiply-add counts two
  double memory_bytes = 0;
  double cache_bytes = 0;
  double shared_bytes = 0;  ///< conflicts counted as the bytes that they displace
};

/// The longest of the times that arithmetic, memory, cache and shared memory take, in ns: the roofline
/// model (Williams, Waterman, Patterson, CACM 52, 2009). NaN if nothing that the work needs is known of the
/// device.
[[nodiscard]] double least_ns(const CountedWork& work, const DescribedDevice& device);

/// One series: a metric along one axis, everything else fixed by `match`.
struct Published {
  std::string source;                ///< who published it and where
  std::string hardware;              ///< on what it was measured
  std::string metric = "median_ns";  ///< which of our metrics it compares with (core/model/metrics.hpp)
  std::string unit;                  ///< of `values`, as published; for the reader
  /// What our points must be to stand beside it: `workload`, and any of `variant`, `backend`, `device`,
  /// `device_type`, `layout`, `cache`, `launch`, `basis`, problem parameters and tunables.
  Parameters match;
  std::string axis;                              ///< `variant`, `layout`, a parameter …
  std::vector<std::pair<Value, double>> values;  ///< value of the axis, figure
  /// The value of the axis that ratios are taken to; without, the first one.
  std::optional<Value> relative_to;
  std::optional<DescribedDevice> device;  ///< the hardware, for predictions

  bool operator==(const Published&) const = default;
  /// The figure that ratios are taken to.
  [[nodiscard]] const std::pair<Value, double>& base() const;
};

[[nodiscard]] nlohmann::json to_json(const Published& published);
[[nodiscard]] Published published_from_json(const nlohmann::json& json);

}  // namespace benchctl
