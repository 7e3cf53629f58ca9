#include "report/headline_rows.hpp"

#include "model/keys.hpp"
#include "report/format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

namespace benchctl {

HeadlineRows::HeadlineRows(const Report& report, const std::string& title, RowNumbers numbers)
    : rows(std::move(numbers)), report_(report) {
  for (const std::size_t row : rows) words_.add(point(row));
  choose_question(report.questions.at({title, point(rows.front()).workload}));
  keep_one_measure();
  find_leaders();
}

RowNumbers HeadlineRows::on(std::size_t platform) const {
  RowNumbers own;
  std::ranges::copy_if(rows, std::back_inserter(own),
                       [&](std::size_t row) { return place(row).platform == platform; });
  return own;
}

std::set<std::size_t> HeadlineRows::platforms() const {
  std::set<std::size_t> platforms;
  for (const std::size_t row : rows) platforms.insert(place(row).platform);
  return platforms;
}

std::optional<Value> HeadlineRows::axis_value(std::size_t row) const { return value_on(point(row), axis); }

void HeadlineRows::choose_question(const std::string& wanted) {
  std::set<std::pair<std::size_t, std::size_t>> races;
  std::set<SharedParameters> problems;
  std::map<std::string, std::set<Value, ValueOrder>> courses;
  for (const std::size_t row : rows) {
    const Point& own = point(row);
    races.emplace(place(row).comparison, place(row).platform);
    problems.insert(own.problem);
    for (const auto& [name, value] : own.problem) courses[name].insert(value);
    for (const char* name : {"cache", "launch"}) courses[name].insert(*value_on(own, name));
  }
  axis = wanted;
  // As in tables: many problems with a row or two for each device are read down one column.
  const bool contest =
      rows.size() > races.size() && (problems.size() < 3 || rows.size() > 2 * races.size());
  is_course = axis.empty() ? !contest : courses.contains(axis);
  if (!is_course || !axis.empty()) return;
  std::size_t most = 1;
  for (const bool of_problem : {true, false}) {
    if (most > 1) break;
    for (const auto& [name, values] : courses) {
      if ((name == "cache" || name == "launch") == of_problem || values.size() < most) continue;
      if (values.size() == most && name != "n") continue;
      axis = name;
      most = values.size();
    }
  }
  is_course = most > 1;
  if (!is_course) axis.clear();
}

void HeadlineRows::keep_one_measure() {
  const auto key = [&](std::size_t row) {
    MeasureKey measure(point(row).measure);
    if (axis == "cache") measure.cache = {};
    if (axis == "launch") measure.launch = {};
    return measure;
  };
  std::map<MeasureKey, std::size_t> counts;
  for (const std::size_t row : rows) ++counts[key(row)];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  std::erase_if(rows, [&](std::size_t row) { return key(row) != most->first; });
}

void HeadlineRows::find_leaders() {
  std::map<std::string, std::vector<std::optional<Value>>> columns;
  for (const std::size_t row : rows) {
    for (const auto& [name, value] : point(row).problem) columns[name];
  }
  for (auto& [name, column] : columns) {
    for (const std::size_t row : rows) column.push_back(value_on(point(row), name));
  }
  for (const auto& [name, column] : columns) {
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
    if (std::ranges::adjacent_find(column, std::not_equal_to{}) != column.end()) varying.insert(name);
  }
}

std::string HeadlineRows::device(std::size_t platform) const {
  return first_line(report_.platforms[platform].label);
}

std::string HeadlineRows::problem(std::size_t row, bool only_varying) const {
  Names words;
  Names numbers;
  for (const std::string& name : leaders_) {
    const std::optional<Value> value = value_on(point(row), name);
    if (!value || (is_course && name == axis) || (only_varying && !varying.contains(name))) continue;
    if (std::holds_alternative<std::string>(*value)) {
      words.push_back(first_line(to_text(*value)));
    } else {
      numbers.push_back(first_line(fmt::format("{} = {}", name, to_text(*value))));
    }
  }
  words.insert(words.end(), numbers.begin(), numbers.end());
  if (!only_varying) {
    const MeasureSettings& measure = point(row).measure;
    const auto add = [&](const std::string& name, auto value, auto usual) {
      if (value != usual && axis != name) words.push_back(fmt::format("{} {}", name, to_string(value)));
    };
    const MeasureSettings plain;
    add("basis", measure.basis, plain.basis);
    add("cache", measure.cache, plain.cache);
    add("launch", measure.launch, plain.launch);
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string HeadlineRows::about(const std::string& problem) const {
  return first_line(point(rows.front()).workload) + (problem.empty() ? "" : ' ' + problem);
}

std::string HeadlineRows::yardstick(std::size_t row, std::size_t beside) const {
  const std::string library = report_.rows[row].library();
  const std::string name = library.empty() ? variant(row) : library;
  const std::string threads = report_.rows[row].threads();
  const bool differ = !threads.empty() && threads != report_.rows[beside].threads();
  return differ ? fmt::format("{} ({})", name, threads) : name;
}

}  // namespace benchctl
