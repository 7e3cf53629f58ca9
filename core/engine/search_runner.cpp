#include "engine/search_runner.hpp"

#include "store/result.hpp"

#include <algorithm>
#include <map>

namespace benchctl {

bool SearchRunner::try_points(SearchTask& task, std::vector<std::size_t>& tried) {
  SearchSpace space = task.space();
  space.possible = [&](const Coordinates& coordinates) {
    const Point point = task.point(coordinates);
    return point.status == Status::not_run && record_.wanted(point);
  };
  const std::unique_ptr<Strategy> strategy =
      find_strategy(task.settings().strategy.text)->make(space, task.seed());
  const MetricInfo& objective = *find_metric(task.settings().objective.text);
  std::uint64_t left = task.max_points();
  while (left > 0) {
    const std::vector<Coordinates> batch = strategy->next(std::min<std::uint64_t>(left, search_batch));
    if (batch.empty()) break;
    std::vector<Point> points;
    for (const Coordinates& coordinates : batch) points.push_back(task.point(coordinates));
    left -= batch.size();
    run_.budget.expect_no_more(batch.size());
    const std::vector<std::size_t> places = record_.propose(std::move(points));
    if (!measure_(places, compare_)) return false;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      strategy->learn(batch[i], cost(places[i], objective));
    }
    tried.insert(tried.end(), places.begin(), places.end());
  }
  run_.budget.expect_no_more(left);
  return true;
}

std::optional<double> SearchRunner::cost(std::size_t place, const MetricInfo& objective) {
  return record_.points()[place].median_ns ? cost_of(result(place), objective) : std::nullopt;
}

void SearchRunner::note(std::size_t place, std::string_view key, const std::string& text) {
  Result& noted = result(place);
  record_.store().add_note(noted.row.id, key, text);
  noted.notes[std::string(key)] = text;
}

Costs SearchRunner::costs(const std::vector<std::size_t>& places, const MetricInfo& objective) {
  Costs measured;
  for (const std::size_t place : places) {
    if (const auto known = cost(place, objective)) measured.emplace_back(*known, place);
  }
  std::ranges::stable_sort(measured, {}, [](const auto& one) { return one.first; });
  return measured;
}

std::optional<SearchSummary> SearchRunner::run(SearchTask& task) {
  std::vector<std::size_t> tried;
  if (!try_points(task, tried)) return std::nullopt;
  if (tried.empty()) {
    // One stands for all, with its reason.
    Point example = task.example();
    if (record_.wanted(example) && example.status == Status::skipped) {
      static_cast<void>(record_.propose({std::move(example)}));
    }
  }
  SearchSummary summary;
  summary.label = task.label();
  summary.strategy = find_strategy(task.settings().strategy.text)->name;
  summary.seed = task.settings().seed;
  summary.tuned = task.settings().tuned;
  summary.tried = tried.size();
  summary.space = task.space().size();
  summary.objective = find_metric(task.settings().objective.text);
  const Costs measured = costs(tried, *summary.objective);
  if (!measured.empty()) {
    const std::size_t best = measured.front().second;
    summary.best = record_.points()[best].point.label();
    summary.best_figure = result(best).metric(summary.objective->id);
  }
  if (!finals(measured, summary)) return std::nullopt;
  record_.store().add_event(record_.run(), to_text(summary));
  return summary;
}

std::optional<std::size_t> SearchRunner::best_default(const Costs& measured) const {
  for (const auto& [cost, place] : measured) {
    const Point& point = record_.points()[place].point;
    const auto has_default = [&](const TunableInfo& tunable) {
      return point.tunables.at(tunable.name) == tunable.default_value;
    };
    if (std::ranges::all_of(run_.catalogue.variant_of(point)->tunables, has_default)) return place;
  }
  return std::nullopt;
}

bool SearchRunner::finals(const Costs& measured, SearchSummary& summary) {
  const bool tuning = !summary.tuned.empty();
  // The others are compared with the best so far; in tuning, with the configuration before.
  CompareSettings settings = compare_;
  settings.baseline.clear();
  std::vector<std::size_t> chosen = choose_finalists(measured, tuning ? tuning_finals : FinalsRule{});
  if (const auto before = tuning ? best_default(measured) : std::nullopt) {
    const Point& point = record_.points()[*before].point;
    settings.baseline = point.tunables;
    settings.baseline["variant"] = point.variant;
    summary.before = point.label();
    if (std::ranges::find(chosen, *before) == chosen.end()) chosen.push_back(*before);
  }
  std::vector<Point> finalists;
  for (const std::size_t place : chosen) {
    Point point = record_.points()[place].point;
    point.measure.mode = RoundMode::paired;
    point.measure.max_seconds *= finals_time_factor;
    point.status = Status::not_run;
    point.reason.clear();
    finalists.push_back(std::move(point));
  }
  if (finalists.empty() || run_.options.device_debug) return true;
  const std::vector<std::size_t> places = record_.propose(std::move(finalists));
  for (const std::size_t place : chosen)
    note(place, measured_again_note, "among the finalists of its search");
  if (!measure_(places, settings)) return false;
  for (const std::size_t place : places) {
    summary.finals.push_back(result(place));
    note(place, "search", "one of the best of its search, measured again in turns with the others");
  }
  return true;
}

}  // namespace benchctl
