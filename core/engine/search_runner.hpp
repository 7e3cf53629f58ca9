// A search from its strategy's first proposal to its finals: proposes points, has them measured in batches,
// tells the strategy.
#pragma once

#include "engine/finals.hpp"
#include "engine/run_record.hpp"
#include "sweep/search.hpp"

#include <functional>
#include <string>

namespace benchctl {

class SearchRunner {
 public:
  /// Measures the points at some places of the record; false when something stopped it.
  using Measure = std::function<bool(const std::vector<std::size_t>&)>;

  /// `planned` is the number of points that all searches may still try; what the task at hand no longer
  /// needs is taken off.
  SearchRunner(RunContext& context, RunRecord& record, Measure measure, std::uint64_t& planned)
      : context_(context), record_(record), measure_(std::move(measure)), planned_(planned) {}

  /// What the search found, which the run's events hold from then on; nothing when something stopped it.
  /// Throws StoreError.
  [[nodiscard]] std::optional<SearchSummary> run(SearchTask& task);

 private:
  /// Places of all points that the strategy tried; false when something stopped it.
  [[nodiscard]] bool try_points(SearchTask& task, std::vector<std::size_t>& tried);
  /// The best points once more, in turns: what was measured at other times is not comparable to the last
  /// percent. False when something stopped it.
  [[nodiscard]] bool finals(const std::vector<Tried>& measured, SearchSummary& summary);
  /// The best measured point that has its variant's defaults.
  [[nodiscard]] std::optional<std::size_t> best_default(const std::vector<Tried>& measured) const;
  /// Those of these places that have a figure of the objective.
  [[nodiscard]] std::vector<Tried> with_costs(const std::vector<std::size_t>& places,
                                              const MetricInfo& objective) const;
  /// Nothing if the point failed, or has no figure of the objective.
  [[nodiscard]] std::optional<double> cost(std::size_t place, const MetricInfo& objective) const;

  RunContext& context_;
  RunRecord& record_;
  Measure measure_;
  std::uint64_t& planned_;
};

}  // namespace benchctl
