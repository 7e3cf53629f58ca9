#include "report/answers.hpp"

#include "stats/ratio.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace benchctl {

namespace {

Answer answer_of(const Report& report, std::size_t number, std::size_t platform) {
  Answer answer{.comparison = number, .platform = platform};
  std::optional<std::size_t> own;
  std::vector<std::size_t> rows;
  for (const std::size_t row : report.comparisons[number].rows) {
    if (report.places[row].platform != platform) continue;
    const Rank& rank = report.places[row].rank;
    rows.push_back(row);
    if (rank.best) answer.best = row;
    if (rank.own.best) own = row;
    if (rank.ties) answer.ties.push_back(row);
  }
  if (!answer.best) {
    answer.why_none = why_none_wins(report, rows);
  } else if (report.rows[*answer.best].row.vendor) {
    answer.own = own;
  }
  return answer;
}

}  // namespace

std::string why_none_wins(const Report& report, std::span<const std::size_t> rows) {
  std::size_t wrong = 0;
  std::size_t undecided = 0;
  for (const std::size_t row : rows) {
    if (report.rows[row].point().expect == Expect::wrong) {
      ++wrong;
    } else if (!report.rows[row].note(audit_undecided_note).empty()) {
      ++undecided;
    }
  }
  std::vector<std::string> reasons;
  const auto add = [&](std::size_t count, std::string_view what) {
    if (count > 0) reasons.push_back(fmt::format("{} {}", count, what));
  };
  add(wrong, "expected to be wrong");
  add(undecided, "with an undecided audit");
  add(rows.size() - wrong - undecided, "above the measured roof");
  return fmt::format("{}", fmt::join(reasons, ", "));
}

std::vector<Answer> answers_of(const Report& report, std::size_t comparison) {
  std::vector<Answer> answers;
  double fastest = std::numeric_limits<double>::infinity();
  for (const std::size_t platform : report.comparisons[comparison].platforms) {
    answers.push_back(answer_of(report, comparison, platform));
    const auto& best = answers.back().best;
    if (best) fastest = std::min(fastest, median_of(report.rows[*best]));
  }
  for (Answer& answer : answers) {
    if (answer.best && answers.size() > 1) {
      answer.versus_device = median_of(report.rows[*answer.best]) / fastest;
    }
  }
  return answers;
}

std::vector<Answer> answers_of(const Report& report) {
  std::vector<Answer> answers;
  for (std::size_t number = 0; number < report.comparisons.size(); ++number) {
    std::ranges::move(answers_of(report, number), std::back_inserter(answers));
  }
  return answers;
}

std::string problem_text(const ProblemKey& key) {
  const std::string problem = to_text(key.parameters);
  return problem.empty() ? key.workload : key.workload + ' ' + problem;
}

std::string verdict_word(const Comparison& comparison) {
  const auto* const found =
      std::ranges::find(stats::verdict_table, comparison.verdict, &stats::VerdictInfo::id);
  return found != stats::verdict_table.end() ? std::string(found->label) : comparison.verdict;
}

std::string variant_text(const Result& row) {
  const Point& point = row.point();
  std::string text = point.variant;
  if (!point.tunables.empty()) text += ' ' + to_text(point.tunables);
  if (!point.layout.empty()) text += " layout=" + point.layout;
  if (!point.apart.empty()) text += ' ' + point.apart;
  return text;
}

}  // namespace benchctl
