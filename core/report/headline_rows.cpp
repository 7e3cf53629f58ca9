#include "report/headline_rows.hpp"

#include "model/keys.hpp"
#include "report/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace benchctl {

HeadlineRows::HeadlineRows(const Report& report, const std::string& title, RowNumbers rows)
    : report_(report), rows_(std::move(rows)) {
  for (const std::size_t row : rows_) words_.add(point(row));
  choose_question(report.questions.at({title, point(rows_.front()).workload}));
  keep_one_measure();
  find_leaders();
  for (const std::size_t row : rows_) platforms_[place(row).platform].push_back(row);
}

void HeadlineRows::choose_question(const std::string& wanted) {
  std::set<std::pair<std::size_t, std::size_t>> races;
  std::set<SharedParameters> problems;
  std::map<std::string, std::set<Value, ValueOrder>> courses;
  for (const std::size_t row : rows_) {
    const Point& own = point(row);
    races.emplace(place(row).comparison, place(row).platform);
    problems.insert(own.problem);
    for (const auto& [name, value] : own.problem) courses[name].insert(value);
    for (const char* name : {"cache", "launch"}) courses[name].insert(*value_on(own, name));
  }
  axis_ = wanted;
  // As in tables: many problems with a row or two for each device are read down one column.
  const bool contest =
      rows_.size() > races.size() && (problems.size() < 3 || rows_.size() > 2 * races.size());
  is_course_ = axis_.empty() ? !contest : courses.contains(axis_);
  if (!is_course_ || !axis_.empty()) return;
  std::size_t most = 1;
  for (const bool of_problem : {true, false}) {
    if (most > 1) break;
    for (const auto& [name, values] : courses) {
      if ((name == "cache" || name == "launch") == of_problem || values.size() < most) continue;
      if (values.size() == most && name != "n") continue;
      axis_ = name;
      most = values.size();
    }
  }
  is_course_ = most > 1;
  if (!is_course_) axis_.clear();
}

void HeadlineRows::keep_one_measure() {
  const auto key = [&](std::size_t row) {
    MeasureKey measure(point(row).measure);
    if (axis_ == "cache") measure.cache = {};
    if (axis_ == "launch") measure.launch = {};
    return measure;
  };
  std::map<MeasureKey, std::size_t> counts;
  for (const std::size_t row : rows_) ++counts[key(row)];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  std::erase_if(rows_, [&](std::size_t row) { return key(row) != most->first; });
}

void HeadlineRows::find_leaders() {
  std::map<std::string, std::vector<std::optional<Value>>> columns;
  for (const std::size_t row : rows_) {
    for (const auto& [name, value] : point(row).problem) columns[name];
  }
  for (auto& [name, column] : columns) {
    for (const std::size_t row : rows_) column.push_back(value_on(point(row), name));
    // Clang 14 refuses to capture `column`.
    const auto same = std::ranges::find_if(
        leaders_, [&, &values = column](const std::string& other) { return columns.at(other) == values; });
    if (same == leaders_.end()) {
      leaders_.push_back(name);
    } else if (name == "n") {
      *same = name;
    }
  }
  for (const std::string& name : leaders_) {
    const auto& column = columns.at(name);
    if (std::ranges::adjacent_find(column, std::not_equal_to{}) != column.end()) varying_.insert(name);
  }
}

std::string HeadlineRows::axis_text(std::size_t row) const {
  return first_line(to_text(*value_on(point(row), axis_)));
}

std::string HeadlineRows::name_of(std::size_t row, bool by_axis, bool several_variants) const {
  if (by_axis) {
    return axis_text(row) + (several_variants ? fmt::format(" ({})", first_line(point(row).variant)) : "");
  }
  const std::string library = report_.rows[row].library();
  return words_.variant(point(row)) + (library.empty() ? "" : fmt::format(" ({})", library));
}

RowNumbers HeadlineRows::longest_series(std::size_t platform) const {
  std::map<std::string, std::map<Value, std::size_t, ValueOrder>> all;
  Names order;
  for (const std::size_t row : platforms_.at(platform)) {
    const auto value = value_on(point(row), axis_);
    if (!value || !rank(row).competes) continue;
    const Point& own = point(row);
    KeyText key;
    key.add(own.variant).add(own.layout).add(own.tunables).add(own.apart);
    for (const std::string& name : varying_) {
      if (name == axis_) continue;
      if (const auto other = value_on(own, name)) key.add(name).add(to_text(*other));
    }
    const std::string text = key.take();
    add_once(order, text);
    all[text].try_emplace(*value, row);
  }
  RowNumbers longest;
  for (const std::string& text : order) {
    const auto& own = all.at(text);
    const bool ours = !longest.empty() && is_vendor(longest.front()) && !is_vendor(own.begin()->second);
    if (own.size() < longest.size() || (own.size() == longest.size() && !ours)) continue;
    longest.clear();
    for (const auto& [value, row] : own) longest.push_back(row);
  }
  return longest;
}

const ProblemContests* HeadlineRows::first_won(const std::vector<ProblemContests>& problems,
                                               const std::vector<std::size_t>& platforms, bool resolved) {
  const auto found = std::ranges::find_if(problems, [&](const ProblemContests& problem) {
    return std::ranges::all_of(platforms, [&](std::size_t platform) {
      const auto contest = problem.find(platform);
      return contest != problem.end() && (resolved ? contest->second.resolved() : contest->second.is_won());
    });
  });
  return found != problems.end() ? &*found : nullptr;
}

const ProblemContests* HeadlineRows::common_of(const std::vector<ProblemContests>& problems) const {
  for (const bool resolved : {true, false}) {
    std::vector<std::size_t> able;
    for (const auto& [platform, rows] : platforms_) {
      if (first_won(problems, {platform}, resolved) != nullptr) able.push_back(platform);
    }
    if (!able.empty()) return first_won(problems, able, resolved);
  }
  return nullptr;
}

void HeadlineRows::decide(Contest& contest) const {
  const auto stand = [&](std::size_t row) -> const Standing& { return standing(row, contest.by_axis); };
  RowNumbers pool = contest.rows;
  std::erase_if(pool, [&](std::size_t row) { return !stand(row).competes; });
  std::ranges::stable_sort(pool, {}, [&](std::size_t row) {
    return std::tuple(!stand(row).best, !stand(row).ties, stand(row).versus_best);
  });
  contest.several_variants = std::ranges::any_of(
      pool, [&](std::size_t row) { return point(row).variant != point(pool.front()).variant; });
  std::set<std::string> names;
  for (const std::size_t row : pool) {
    if (!names.insert(name_of(row, contest.by_axis, contest.several_variants)).second) continue;
    contest.of_each.push_back(row);
    contest.ties += row == pool.front() || stand(row).ties ? 1 : 0;
  }
}

std::vector<ProblemContests> HeadlineRows::problems() const {
  std::map<std::size_t, ProblemContests> by_comparison;
  std::set<std::size_t> with_axis;
  for (const std::size_t row : rows_) {
    by_comparison[place(row).comparison][place(row).platform].rows.push_back(row);
    if (rank(row).asked.competes) with_axis.insert(place(row).platform);
  }
  std::vector<ProblemContests> all;
  for (auto& [comparison, own] : by_comparison) {
    for (auto& [platform, contest] : own) {
      contest.by_axis = with_axis.contains(platform);
      decide(contest);
    }
    all.push_back(std::move(own));
  }
  std::ranges::stable_sort(all, std::greater{}, [&](const ProblemContests& one) {
    const Cost& cost = row(first_row(one)).row.cost;
    return std::pair(cost.flops, cost.bytes());
  });
  return all;
}

std::optional<std::size_t> HeadlineRows::yardstick(std::size_t winner) const {
  const auto is_wanted = [&](std::size_t row) {
    if (!rank(winner).best) return rank(row).best;
    return is_vendor(winner) ? rank(row).own.best : is_vendor(row);
  };
  std::optional<std::size_t> found;
  for (const std::size_t other : report_.comparisons[place(winner).comparison].rows) {
    const bool rival = other != winner && place(other).platform == place(winner).platform;
    if (!rival || !rank(other).competes || !is_wanted(other)) continue;
    if (!found || rank(other).versus_best < rank(*found).versus_best) found = other;
  }
  return found;
}

}  // namespace benchctl
