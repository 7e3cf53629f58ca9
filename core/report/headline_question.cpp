#include "report/headline_parts.hpp"

#include "model/value_order.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

namespace benchctl {

namespace {

using Values = std::set<Value, ValueOrder>;
/// Axes with what occurs on them.
using Axes = std::map<std::string, Values>;

std::vector<std::string> title_words(const std::string& title) {
  std::vector<std::string> words(1);
  for (const char c : title) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0 || c == '_') {
      words.back() += static_cast<char>(std::tolower(letter));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  return words;
}

/// `tiles` and `launching` name `tile` and `launch`; short names must stand as they are.
bool word_names(const std::string& word, const std::string& axis) {
  return word == axis || (axis.size() >= 4 && word.starts_with(axis) && word.size() <= axis.size() + 3);
}

/// The axis with most values; empty if none has two.
std::string widest_axis(const Axes& axes) {
  std::string best;
  std::size_t most = 1;
  for (const auto& [name, values] : axes) {
    if (values.size() <= most) continue;
    best = name;
    most = values.size();
  }
  return best;
}

/// Tunables and layouts of which one variant has several values on one problem and device.
Axes contest_axes(std::span<const HeadlineRow> rows, const std::vector<std::size_t>& places) {
  std::map<std::tuple<std::size_t, std::string, SharedParameters>, Axes> groups;
  for (const std::size_t place : places) {
    const Point& point = rows[place].row->point();
    if (rows[place].row->stored.row.vendor) continue;
    Axes& own = groups[{rows[place].platform, point.variant, point.problem}];
    for (const auto& [name, value] : point.tunables) own[name].insert(value);
    if (!point.layout.empty()) own["layout"].insert(point.layout);
  }
  Axes axes;
  for (const auto& [key, own] : groups) {
    for (const auto& [name, values] : own) {
      if (values.size() > 1) axes[name].insert(values.begin(), values.end());
    }
  }
  return axes;
}

Axes course_axes(std::span<const HeadlineRow> rows, const std::vector<std::size_t>& places,
                 const std::vector<std::string>& names) {
  Axes axes;
  for (const std::size_t place : places) {
    for (const std::string& name : names) {
      if (const auto value = value_on(rows[place].row->point(), name)) axes[name].insert(*value);
    }
  }
  return axes;
}

/// How rows meet: on one problem, measured in one way, on one device.
struct Races {
  std::size_t rows = 0;
  std::size_t races = 0;
  std::size_t problems = 0;
};

Races races_of(std::span<const HeadlineRow> rows, const std::vector<std::size_t>& places) {
  std::set<std::tuple<std::size_t, SharedParameters, CacheMode, LaunchMode, Basis>> races;
  std::set<SharedParameters> problems;
  for (const std::size_t place : places) {
    const Point& point = rows[place].row->point();
    const MeasureSettings& measure = point.measure;
    races.emplace(rows[place].platform, point.problem, measure.cache, measure.launch, measure.basis);
    problems.insert(point.problem);
  }
  return {places.size(), races.size(), problems.size()};
}

std::set<std::string> own_variants(std::span<const HeadlineRow> rows,
                                   const std::vector<std::size_t>& places) {
  std::set<std::string> variants;
  for (const std::size_t place : places) {
    if (!rows[place].row->stored.row.vendor) variants.insert(rows[place].row->point().variant);
  }
  return variants;
}

}  // namespace

std::optional<Value> value_on(const Point& point, const std::string& axis) {
  if (const auto found = point.tunables.find(axis); found != point.tunables.end()) return found->second;
  if (const auto found = point.problem.find(axis); found != point.problem.end()) return found->second;
  if (axis == "layout" && !point.layout.empty()) return point.layout;
  if (axis == "cache") return std::string(to_string(point.measure.cache));
  if (axis == "launch") return std::string(to_string(point.measure.launch));
  return std::nullopt;
}

std::vector<std::string> telling_parameters(std::span<const HeadlineRow> rows,
                                            const std::vector<std::size_t>& places) {
  // What stands in the rows, by parameter; those that agree everywhere say the same.
  std::map<std::string, std::vector<std::optional<Value>>> columns;
  for (const std::size_t place : places) {
    for (const auto& [name, value] : rows[place].row->point().problem) columns[name];
  }
  for (auto& [name, column] : columns) {
    for (const std::size_t place : places) column.push_back(value_on(rows[place].row->point(), name));
  }
  const auto chosen = [&](bool varying) {
    std::vector<std::string> names;
    for (const auto& [name, column] : columns) {
      const bool varies = std::ranges::adjacent_find(column, std::not_equal_to{}) != column.end();
      const bool whole = column.front() && std::holds_alternative<std::int64_t>(*column.front());
      if (varying ? !varies : !whole) continue;
      // Clang 14 refuses to capture `column`.
      const auto same = std::ranges::find_if(
          names, [&, &values = column](const std::string& other) { return columns.at(other) == values; });
      if (same == names.end()) {
        names.push_back(name);
      } else if (name == "n") {
        *same = name;
      }
    }
    return names;
  };
  std::vector<std::string> names = chosen(true);
  return names.empty() ? chosen(false) : names;
}

Question question_of(const std::string& title, std::span<const HeadlineRow> rows,
                     const std::vector<std::size_t>& places) {
  using Kind = Question::Kind;
  const Axes contest = contest_axes(rows, places);
  const Axes problem = course_axes(rows, places, telling_parameters(rows, places));
  const Axes measure = course_axes(rows, places, {"cache", "launch"});
  for (const std::string& word : title_words(title)) {
    for (const Axes* axes : {&contest, &problem, &measure}) {
      for (const auto& [axis, values] : *axes) {
        if (values.size() < 2 || !word_names(word, axis)) continue;
        return {axes == &contest ? Kind::contest : Kind::course, axis};
      }
    }
  }
  // As in tables: many problems with a row or two for each device are read down one column.
  const Races races = races_of(rows, places);
  if (races.rows > races.races && (races.problems < 3 || races.rows > 2 * races.races)) {
    const bool alone = contest.size() == 1 && own_variants(rows, places).size() == 1;
    return {Kind::contest, alone ? contest.begin()->first : ""};
  }
  for (const Axes* axes : {&problem, &measure}) {
    if (const std::string axis = widest_axis(*axes); !axis.empty()) return {Kind::course, axis};
  }
  if (races.rows > races.races) return {Kind::contest, ""};
  return {Kind::single, ""};
}

}  // namespace benchctl
