// A run as lines of JSON for programs that read along: one for each point as soon as it has a result, and a
// last one that sums up. schema/benchctl.schema.json says what they hold.
#pragma once

#include "store/store.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// {format: document_version, type: "point", row}; the row is that of an export, without a rank. Throws
/// StoreError.
[[nodiscard]] std::string stream_point(const Store& store, PointId point);

/// The same of all points of a run that are not `told` or have a rank, with their ranks: a line each.
[[nodiscard]] std::string stream_ranked(const Store& store, RunId run, const std::set<PointId>& told);

struct StreamSummary {
  RunId run{};
  bool interrupted = false;
  bool out_of_budget = false;
  int exit_code = 0;
  std::string_view meaning;           ///< of the exit code
  std::vector<std::string> searches;  ///< what each search found, as text
};

/// {format, type: "summary", run, store, points, …}. Throws StoreError.
[[nodiscard]] std::string stream_summary(const Store& store, const StreamSummary& summary);

}  // namespace benchctl
