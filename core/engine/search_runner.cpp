#include "engine/search_runner.hpp"

#include "engine/finals.hpp"

#include <algorithm>
#include <map>

namespace benchctl {

Coordinates first_of(const SearchTask& task) {
  return {0, std::vector<std::uint32_t>(task.space().arms.front().size(), 0)};
}

bool SearchRunner::try_points(SearchTask& task, std::vector<std::size_t>& tried) {
  // So many are measured in turns; then the strategy is told.
  constexpr std::uint64_t batch_points = 16;
  SearchSpace space = task.space();
  space.possible = [&](const Coordinates& coordinates) {
    const Point point = task.point(coordinates);
    return point.status == Status::not_run && record_.wanted(point);
  };
  const std::unique_ptr<Strategy> strategy =
      find_strategy(task.settings().strategy.text)->make(space, task.seed());
  std::uint64_t left = task.max_points();
  while (left > 0) {
    const std::vector<Coordinates> batch = strategy->next(std::min(left, batch_points));
    if (batch.empty()) break;
    std::vector<Point> points;
    for (const Coordinates& coordinates : batch) points.push_back(task.point(coordinates));
    left -= batch.size();
    planned_ -= batch.size();
    const std::vector<std::size_t> places = record_.propose(std::move(points));
    if (!measure_(places)) return false;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      strategy->learn(batch[i], record_.points()[places[i]].median_ns);
    }
    tried.insert(tried.end(), places.begin(), places.end());
  }
  planned_ -= left;
  return true;
}

std::optional<std::string> SearchRunner::run(SearchTask& task) {
  std::vector<std::size_t> tried;
  if (!try_points(task, tried)) return std::nullopt;
  if (tried.empty()) {
    // One stands for all, with its reason.
    Point example = task.point(first_of(task));
    if (record_.wanted(example) && example.status == Status::skipped) {
      static_cast<void>(record_.propose({std::move(example)}));
    }
  }
  SearchSummary summary;
  summary.label = task.label();
  summary.strategy = find_strategy(task.settings().strategy.text)->name;
  summary.seed = task.settings().seed;
  summary.tried = tried.size();
  summary.space = task.space().size();
  for (const std::size_t place : tried) {
    const RunPoint& entry = record_.points()[place];
    if (!entry.median_ns || (!summary.best.empty() && *entry.median_ns >= summary.best_ns)) continue;
    summary.best = entry.point.label();
    summary.best_ns = *entry.median_ns;
  }
  std::optional<std::vector<StoredPoint>> results = finals(tried);
  if (!results) return std::nullopt;
  summary.finals = std::move(*results);
  std::string text = to_text(summary);
  record_.store().add_event(record_.run(), text);
  return text;
}

std::optional<std::vector<StoredPoint>> SearchRunner::finals(const std::vector<std::size_t>& tried) {
  std::vector<Tried> measured;
  for (const std::size_t place : tried) {
    if (const auto& median = record_.points()[place].median_ns) measured.push_back({place, *median});
  }
  std::vector<Point> finalists;
  for (const std::size_t place : choose_finalists(std::move(measured))) {
    Point point = record_.points()[place].point;
    point.measure.mode = RoundMode::paired;
    point.measure.max_seconds *= finals_patience;
    point.status = Status::not_run;
    point.reason.clear();
    finalists.push_back(std::move(point));
  }
  std::vector<StoredPoint> results;
  if (finalists.empty() || context_.device_debug) return results;
  const std::vector<std::size_t> places = record_.propose(std::move(finalists));
  // The best so far is what the others are held against.
  const CompareSettings compare = context_.compare;
  context_.compare.baseline.clear();
  const bool complete = measure_(places);
  context_.compare = compare;
  if (!complete) return std::nullopt;
  std::map<PointId, StoredPoint> stored;
  for (StoredPoint& point : record_.store().results(record_.run())) {
    stored.emplace(point.row.id, std::move(point));
  }
  for (const std::size_t place : places) results.push_back(stored.at(record_.points()[place].id));
  for (const StoredPoint& result : results) {
    record_.store().add_note(result.row.id, "search",
                             "one of the best of its search, measured again in turns with the others");
  }
  return results;
}

}  // namespace benchctl
