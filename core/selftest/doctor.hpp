// What `benchctl doctor` says of a machine: each figure beside what is known of it, a verdict, the likely
// cause and what to try. Pure functions of points that were measured, devices and the environment record.
#pragma once

#include "engine/host.hpp"
#include "model/published.hpp"
#include "observe/environment.hpp"
#include "store/store.hpp"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace benchctl::selftest {

enum class Verdict : std::uint8_t {
  normal,
  low,      ///< less than cards of its kind have, or than the datasheet lets expect
  noisy,    ///< times scatter, or something else is using the machine
  missing,  ///< a device that cannot be used
  failed,   ///< a probe gave no time
  unknown,  ///< there is nothing to hold the figure against
};

/// One line of the doctor's table.
struct Diagnosis {
  std::string device;    ///< lane or backend; empty: the machine
  std::string what;      ///< `dram_read`, `noise`, `load`
  std::string found;     ///< with its unit
  std::string expected;  ///< the value to compare with; empty if there is none
  Verdict verdict = Verdict::unknown;
  std::string cause = {};   ///< likely; empty where all is well
  std::string advice = {};  ///< what to try
  /// The same as numbers, by name with the unit at its end: `per_second`.
  std::map<std::string, double, std::less<>> figures = {};
};

/// Rates that cards of one kind reached in probes of the workload `peaks`.
struct KnownCards {
  std::string backend;
  std::string device;  ///< DeviceInfo::name
  int cards = 0;       ///< so many were measured
  /// The lowest and the highest rate of each probe: bytes or operations per second, launches per second.
  std::map<std::string, std::pair<double, double>, std::less<>> per_second;
};

/// From the text of share/benchctl/known_cards.json. Throws std::runtime_error for a text of another form.
[[nodiscard]] std::vector<KnownCards> parse_known_cards(const std::string& text);

/// Backends without devices and plugins that were refused, with the reason.
[[nodiscard]] std::vector<Diagnosis> diagnose_missing(const LaneTable& lanes, const PluginTable& plugins);

/// Load and settings of the machine that make times scatter.
[[nodiscard]] std::vector<Diagnosis> diagnose_machine(const Environment& environment);

/// The best rate of each probe, then throttling and noise. `points` are of the workload `peaks` on
/// that lane; `peaks` what the datasheet says of it.
[[nodiscard]] std::vector<Diagnosis> diagnose_lane(const Lane& lane, std::span<const Result> points,
                                                   const DatasheetPeaks& peaks,
                                                   std::span<const KnownCards> known);

}  // namespace benchctl::selftest

BENCHCTL_WORDS(benchctl::selftest::Verdict, normal, low, noisy, missing, failed, unknown)
