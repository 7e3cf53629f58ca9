// How many fresh processes it takes to tell two sides of a point apart, from what earlier runs scattered
// by.
#pragma once

#include "stats/components.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace benchctl {

/// A point that is to be measured, and what is known of its scatter.
struct PointRepetition {
  const Point* point = nullptr;
  std::size_t runs = 0;       ///< earlier ones that have it
  std::size_t processes = 0;  ///< of all of them together
  stats::VarianceComponents components;
  std::optional<unsigned> needed;  ///< processes for each side; unknown with fewer than three of them
  double process_seconds = 0;      ///< that one process takes for it, warm-up included
  std::optional<double> executions_worthwhile;  ///< samples in each process
};

/// For each point, from the complete runs of that name in the store: the same point on the same device with
/// the same driver, of the newest 20 runs. `share`: the difference that is to be found. Throws StoreError.
[[nodiscard]] std::vector<PointRepetition> plan_repetition(const Store& store, const std::string& run_name,
                                                           const std::vector<const Point*>& points,
                                                           const std::vector<Lane>& lanes, double share);

/// A table of them, and a last line with the processes and seconds that the most demanding point asks for.
[[nodiscard]] std::string repetition_text(const std::vector<PointRepetition>& points, double share);

}  // namespace benchctl
