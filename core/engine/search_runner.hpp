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
  /// Measures the points at some places of the record, and compares them; false when something stopped it.
  using Measure = std::function<bool(const std::vector<std::size_t>&, const CompareSettings&)>;

  /// The budget expects all points that searches may try; what one no longer needs is taken off.
  SearchRunner(RunContext& run, RunRecord& record, const CompareSettings& compare, Measure measure)
      : run_(run), record_(record), compare_(compare), measure_(std::move(measure)) {}

  /// What the search found, which the run's events hold from then on; nothing when something stopped it.
  /// Throws StoreError.
  [[nodiscard]] std::optional<SearchSummary> run(SearchTask& task);

 private:
  /// Places of all points that the strategy tried; false when something stopped it.
  [[nodiscard]] bool try_points(SearchTask& task, std::vector<std::size_t>& tried);
  /// The best points once more, in turns: what was measured at other times is not comparable to the last
  /// percent. False when something stopped it.
  [[nodiscard]] bool finals(const Costs& measured, SearchSummary& summary);
  /// The best measured point that has its variant's defaults.
  [[nodiscard]] std::optional<std::size_t> best_default(const Costs& measured) const;
  /// What the point at that place has of a result.
  [[nodiscard]] Result& result(std::size_t place) {
    return record_.points()[place].result_in(record_.store());
  }
  /// Adds a note to that result.
  void note(std::size_t place, std::string_view key, const std::string& text);
  /// Points without a figure of the objective are left out.
  [[nodiscard]] Costs costs(const std::vector<std::size_t>& places, const MetricInfo& objective);
  /// Nothing if the point failed, or has no figure of the objective.
  [[nodiscard]] std::optional<double> cost(std::size_t place, const MetricInfo& objective);

  RunContext& run_;
  RunRecord& record_;
  const CompareSettings& compare_;
  Measure measure_;
};

}  // namespace benchctl
