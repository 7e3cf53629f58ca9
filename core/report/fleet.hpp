// Which card of many is slow: control problems measured on every device, each held against the fleet.
#pragma once

#include "report/report.hpp"
#include "stats/summary.hpp"

#include <string>
#include <vector>

namespace benchctl {

struct FleetOptions {
  std::string control = "control";  ///< name of the runs that hold the control problems
  double threshold = 0.01;          ///< a device that is slower by no more than this share is not slow
  double error = 0.05;              ///< share of fleets in which a device is called slow by chance, at most
};

/// A device in one control problem. Ratios are of times: above 1 is slower than the fleet's median.
struct FleetFigure {
  std::string problem;        ///< label without the device
  std::size_t processes = 0;  ///< that the time comes from, all runs together
  double median_ns = 0;       ///< median over the processes
  double ratio = 1;
  stats::Interval interval;  ///< 95 %, over the processes
  double change = 1;         ///< time in the last run over that in the first; 1 where there is one run
  bool slow = false;         ///< beyond the fleet's own scatter and the threshold
  bool changed = false;      ///< became slower by more than the changes of the others scatter
  double bound = 0;          ///< ratio from which a device of this fleet stands out; 0: too few devices
};

struct FleetDevice {
  std::string node;
  Lane lane;
  std::size_t runs = 0;  ///< control runs in which it was measured
  std::vector<FleetFigure> figures;
  std::vector<std::string> causes;  ///< likely ones, of a device that is slow or changed: sentences

  [[nodiscard]] bool stands_out() const;
  /// The largest of its ratios.
  [[nodiscard]] double worst() const;
};

/// Devices that may be held against each other: same product, backend, size.
struct FleetClass {
  std::string name;
  std::vector<FleetDevice> devices;  ///< those that stand out first, then by node and lane
};

struct Fleet {
  std::vector<FleetClass> classes;
  std::size_t runs = 0;
};

/// From all control runs of these stores. A device is the same in several runs if node, backend and UUID
/// (without one: physical identity) agree. Points without a time are left out. Throws StoreError.
[[nodiscard]] Fleet make_fleet(const std::vector<const Store*>& stores, const FleetOptions& options);

struct FleetTextOptions {
  bool markdown = false;
  bool colours = false;
  std::size_t width = 0;
};
[[nodiscard]] std::string fleet_text(const Fleet& fleet, const FleetTextOptions& options);
/// `benchctl.fleet`, version 1.
[[nodiscard]] std::string fleet_json(const Fleet& fleet);

}  // namespace benchctl
