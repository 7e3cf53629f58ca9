// The answer in one sentence: what a person would say who had read all tables of an experiment.
#pragma once

#include "report/report.hpp"

#include <span>
#include <string>
#include <vector>

namespace benchctl {

/// A row as headlines see it.
struct HeadlineRow {
  const ResultRow* row = nullptr;
  std::size_t platform = 0;
  Standing standing = Standing::outside;
};

struct Headline {
  std::string title;     ///< of the experiment
  std::string workload;  ///< there is a headline for each
  std::string text;      ///< one sentence
  /// What a chart beside it shows: rows along `axis`, or, where that is empty, one after the other.
  std::string axis{};                 ///< a parameter, `layout`, `cache` or `launch`
  std::string quantity = "time";      ///< `time`, `access` (time per access), `gflops` or `gbytes`
  std::vector<std::size_t> rows{};    ///< places among the rows given
  std::vector<std::size_t> beside{};  ///< yardsticks of these: one time for the whole axis
};

/// Answers the title from the rows, workload by workload. Probes of roofs are left out beside anything
/// else.
///
/// The question: the parameter that the title names first (`which tile size?`). If it names none: which
/// variant or configuration is fastest (by its value, if a single tunable of a single variant is all in
/// which they differ). Where a device has hardly more than one row for each of many problems: the parameter
/// of the problem, the cache mode or the launch mode with most values.
///
/// Only rows that may head (report/standing.hpp) are named; each device speaks of its largest problem. What
/// cannot be told apart from the fastest (overlapping intervals) is named with it as a tie. The yardstick
/// is the vendor's fastest variant; where there is none, a faster variant without the parameter.
///
/// `labels` are those of the platforms.
[[nodiscard]] std::vector<Headline> headlines_of(const std::string& title,
                                                 std::span<const HeadlineRow> rows,
                                                 std::span<const std::string> labels);

/// Of all runs; those of one title are one experiment. Places are those of the report's rows.
[[nodiscard]] std::vector<Headline> headlines_of(const Report& report);

}  // namespace benchctl
