#include "report/answers.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

namespace benchctl {

namespace {

void keep_fastest(std::optional<std::size_t>& best, std::size_t row, const Report& report) {
  if (!best || median_of(report.rows[row]) < median_of(report.rows[*best])) best = row;
}

Answer answer_of(const Report& report, std::size_t number, std::size_t platform) {
  Answer answer{.comparison = number, .platform = platform};
  std::optional<std::size_t> own;
  std::vector<Standing> standings;
  for (const std::size_t row : report.comparisons[number].rows) {
    const RowPlace& place = report.places[row];
    if (place.platform != platform) continue;
    standings.push_back(place.standing);
    if (place.standing != Standing::heads) continue;
    ++answer.rivals;
    keep_fastest(answer.best, row, report);
    if (!report.rows[row].stored.row.vendor) keep_fastest(own, row, report);
  }
  if (!answer.best) {
    answer.unresolved = why_none_heads(standings);
    return answer;
  }
  for (const std::size_t row : report.comparisons[number].rows) {
    const RowPlace& place = report.places[row];
    if (row != *answer.best && place.platform == platform && place.rank.best) answer.ties.push_back(row);
  }
  if (report.rows[*answer.best].stored.row.vendor) answer.own = own;
  return answer;
}

/// How its platforms' best times compare with the best of them.
void compare_platforms(const Report& report, std::span<Answer> answers) {
  if (answers.size() < 2) return;
  std::optional<std::size_t> fastest;
  for (const Answer& answer : answers) {
    if (answer.best) keep_fastest(fastest, *answer.best, report);
  }
  for (Answer& answer : answers) {
    if (!answer.best) continue;
    answer.versus_fastest =
        stats::ratio_of_medians(estimate_of(report.rows[*answer.best]), estimate_of(report.rows[*fastest]));
  }
}

}  // namespace

std::vector<Answer> answers_of(const Report& report) {
  std::vector<std::size_t> order(report.comparisons.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t number) {
    const IdenticalProblem& comparison = report.comparisons[number];
    const Cost& cost = report.rows[comparison.rows.front()].stored.row.cost;
    return std::tuple(comparison.platforms.size(), cost.flops, cost.bytes_read + cost.bytes_written);
  });
  std::vector<Answer> answers;
  for (const std::size_t number : order) {
    const std::size_t first = answers.size();
    for (const std::size_t platform : report.comparisons[number].platforms) {
      Answer answer = answer_of(report, number, platform);
      if (answer.best || !answer.unresolved.empty()) answers.push_back(std::move(answer));
    }
    compare_platforms(report, std::span(answers).subspan(first));
  }
  return answers;
}

std::string problem_text(const IdenticalProblem& comparison) {
  const std::string problem = to_text(comparison.problem);
  return problem.empty() ? comparison.workload : comparison.workload + ' ' + problem;
}

std::string variant_text(const ResultRow& row) {
  const Point& point = row.point();
  std::string text = point.variant;
  if (!point.tunables.empty()) text += ' ' + to_text(point.tunables);
  if (!point.layout.empty()) text += " layout=" + point.layout;
  return text;
}

}  // namespace benchctl
