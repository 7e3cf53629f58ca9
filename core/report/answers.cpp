#include "report/answers.hpp"

namespace benchctl {

namespace {

double median_of(const Report& report, std::size_t row) {
  return report.rows[row].stored.measurement->median_ns;
}

std::optional<std::size_t> fastest(const Report& report, const IdenticalProblem& comparison,
                                   std::size_t platform, bool vendors_too) {
  std::optional<std::size_t> best;
  for (const std::size_t row : comparison.rows) {
    if (report.places[row].platform != platform || !takes_part(report.rows[row])) continue;
    if (!vendors_too && report.rows[row].stored.row.vendor) continue;
    if (!best || median_of(report, row) < median_of(report, *best)) best = row;
  }
  return best;
}

}  // namespace

std::vector<Answer> answers_of(const Report& report) {
  std::vector<Answer> answers;
  for (std::size_t number = 0; number < report.comparisons.size(); ++number) {
    const IdenticalProblem& comparison = report.comparisons[number];
    for (const std::size_t platform : comparison.platforms) {
      const auto best = fastest(report, comparison, platform, true);
      if (!best) continue;
      Answer answer{number, platform, *best, {}, std::nullopt};
      for (const std::size_t row : comparison.rows) {
        const RowPlace& place = report.places[row];
        if (row != *best && place.platform == platform && place.rank.best) answer.ties.push_back(row);
      }
      if (report.rows[*best].stored.row.vendor) answer.own = fastest(report, comparison, platform, false);
      answers.push_back(std::move(answer));
    }
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
