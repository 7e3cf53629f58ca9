// May results of two runs stand beside one another? A pure function of what the runs recorded.
#pragma once

#include "model/point.hpp"
#include "observe/environment.hpp"

#include <string>
#include <vector>

namespace benchctl {

/// What a run recorded of where it was made.
struct Circumstances {
  Environment environment;
  std::vector<Lane> lanes;  ///< one entry for each Lane::name()
};

enum class Comparability : std::uint8_t { comparable, comparable_with_warnings, not_comparable };

BENCHCTL_WORDS(Comparability, comparable, comparable_with_warnings, not_comparable)

/// A key in which two records differ.
struct Difference {
  std::string lane;   ///< whose device it is; empty: of the machine, the build or the process
  std::string key;    ///< `cpu.model`, `driver`, `property.uuid`
  std::string first;  ///< value in the first record; empty: it has no such key
  std::string second;
  /// What it does to the verdict. Weaker than the key's own class where one record does not know its value.
  EnvironmentClass weight = EnvironmentClass::information;
  std::string reason;  ///< a sentence: what differs and what that means

  bool operator==(const Difference&) const = default;
};

struct ComparabilityVerdict {
  /// The best of the lanes: at least one of them can be compared like that. Not comparable when the records
  /// have no lane in common.
  Comparability verdict = Comparability::not_comparable;
  /// In the order of the first record: environment, then lanes; then what only the second has.
  std::vector<Difference> differences;
};

/// Compares key by key. A must-match key that differs makes lanes incomparable, a should-match key warns.
/// Devices are compared lane by lane: product, architecture and what changes results by design must match;
/// driver, clocks, power limit, link and identity should. A host that differs makes lanes of the CPU
/// incomparable and warns for others: their device clocks do not see it, host clocks do.
[[nodiscard]] ComparabilityVerdict compare_circumstances(const Circumstances& first,
                                                         const Circumstances& second);

/// What it means that two records differ in a key, of the environment or of a device; `property.` is before
/// keys of DeviceInfo::properties. Keys that no rule knows warn: nothing is recorded idly.
[[nodiscard]] EnvironmentClass key_class(std::string_view key);

}  // namespace benchctl
