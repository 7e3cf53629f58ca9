// What the searches of a tune found.
#pragma once

#include "config/tuning_file.hpp"
#include "engine/finals.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/lanes.hpp"

#include <optional>
#include <string>
#include <vector>

namespace benchctl::cli {

/// How many times as long, or as much, the defaults take.
struct Gain {
  double ratio = 1;
  double low = 1;  ///< 95 % interval of a ratio of times; NaN of other figures
  double high = 1;
};

/// What came of one search.
struct Found {
  const SearchSummary* search = nullptr;
  const Lane* lane = nullptr;  ///< null: no configuration was measured
  std::string workload;
  TunedClass tuned;
  std::vector<double> medians;  ///< ns, of the class's configurations
  std::string best;             ///< the first of these, without what is a default
  /// The best of the defaults against the best, if they were compared.
  std::optional<Gain> gain = {};
};

/// The configuration without tunables that have their defaults.
[[nodiscard]] Configuration without_defaults(Configuration one, const std::string& workload,
                                             const BackendEntry& backend);
/// The search, the lanes and the catalogue must outlive it.
[[nodiscard]] Found found_by(const SearchSummary& search, const LaneTable& lanes,
                             const Catalogue& catalogue);
/// Those that are known.
[[nodiscard]] std::vector<double> gains_of(const std::vector<Found>& all);

}  // namespace benchctl::cli
