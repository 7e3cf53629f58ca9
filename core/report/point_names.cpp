#include "report/point_names.hpp"

#include "model/words.hpp"
#include "report/format.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace benchctl {

namespace {

RunRow run_of(const Store& store, std::optional<std::int64_t> number) {
  if (number) {
    if (std::optional<RunRow> run = store.run(RunId{*number})) return *std::move(run);
    throw PointNotFound(fmt::format("{} has no run {}; see `benchctl runs`", store.path(), *number));
  }
  if (std::optional<RunRow> newest = store.newest_run()) return *std::move(newest);
  throw PointNotFound(fmt::format("{} has no runs yet", store.path()));
}

/// Those points of the run whose labels match.
std::string listed(const std::vector<Result>& rows, const std::string& pattern) {
  constexpr std::size_t shown = 8;
  std::size_t count = 0;
  std::string text;
  for (const Result& row : rows) {
    const std::string label = row.point().label();
    if (glob_match(pattern, label) && ++count <= shown)
      text += fmt::format("\n  {}  {}", point_name(row.row), label);
  }
  return count > shown ? text + fmt::format("\n  and {} more", count - shown) : text;
}

std::size_t by_number(const FoundPoint& choice, std::int64_t number) {
  const auto found = std::ranges::find_if(choice.rows, [&](const Result& row) {
    return row.row.ordinal == static_cast<std::uint64_t>(number);
  });
  if (found != choice.rows.end()) return static_cast<std::size_t>(found - choice.rows.begin());
  throw PointNotFound(fmt::format(
      "run {} has no point {}: it has {} points, numbered from 0; `benchctl show {}` shows the numbers",
      to_number(choice.run.id), number, choice.rows.size(), to_number(choice.run.id)));
}

std::size_t by_pattern(const FoundPoint& choice, const std::string& pattern) {
  std::vector<std::size_t> matches;
  for (std::size_t i = 0; i < choice.rows.size(); ++i) {
    const std::string label = choice.rows[i].point().label();
    if (label == pattern) return i;
    if (glob_match(pattern, label)) matches.push_back(i);
  }
  if (matches.size() == 1) return matches.front();
  if (matches.empty()) {
    const Names labels = names_of(choice.rows, [](const Result& row) { return row.point().label(); });
    throw PointNotFound(fmt::format(
        "no point of run {} has a label that matches '{}'{}; it has:{}", to_number(choice.run.id), pattern,
        did_you_mean(nearest_pattern(pattern, labels)), listed(choice.rows, "*")));
  }
  throw PointNotFound(fmt::format("{} points of run {} match '{}'; name one of them:{}", matches.size(),
                                  to_number(choice.run.id), pattern, listed(choice.rows, pattern)));
}

}  // namespace

std::string point_name(const PointRow& row) {
  return fmt::format("{}:{}", to_number(row.run), row.ordinal);
}

std::string FoundPoint::name() const { return point_name(row().row); }

FoundPoint choose_point(const Store& store, const std::string& text) {
  // Labels begin with a workload's name and a slash: what stands before a colon alone is a run's number or
  // name.
  const std::size_t colon = text.find(':');
  const std::string before = colon == std::string::npos ? std::string() : text.substr(0, colon);
  const std::optional<RunId> baseline = is_baseline_name(before) ? store.find_named(before) : std::nullopt;
  const std::optional<std::int64_t> run =
      baseline ? to_number(*baseline) : number_from<std::int64_t>(before);
  const std::string rest = run ? text.substr(colon + 1) : text;
  FoundPoint choice;
  choice.run = run_of(store, run);
  choice.lanes = store.lanes(choice.run.id);
  choice.rows = store.results(choice.run.id);
  const std::optional<std::int64_t> number = number_from<std::int64_t>(rest);
  choice.index = number ? by_number(choice, *number) : by_pattern(choice, rest);
  return choice;
}

void PointWords::note(const Parameters& parameters, Values& values) {
  for (const auto& [name, value] : parameters) {
    Occurring& known = values.try_emplace(name, Occurring{value}).first->second;
    known.vary = known.vary || (value != known.first && to_text(value) != to_text(known.first));
  }
}

/// Those that have more than one value.
Parameters PointWords::varying(const Parameters& parameters, const Values& values) {
  Parameters kept;
  for (const auto& [name, value] : parameters) {
    const auto found = values.find(name);
    if (found != values.end() && found->second.vary) kept.emplace(name, value);
  }
  return kept;
}

void PointWords::add(const Point& point) {
  note(point.problem, problems_[point.workload]);
  note(point.tunables, tunables_[{point.workload, point.variant}]);
}

std::string PointWords::problem(const Point& point) const {
  const auto found = problems_.find(point.workload);
  const Parameters own = found != problems_.end() ? varying(point.problem, found->second) : Parameters{};
  return first_line(to_text(own.empty() ? point.problem.get() : own));
}

std::string PointWords::variant(const Point& point) const {
  std::string text = point.variant;
  if (const auto found = tunables_.find({point.workload, point.variant}); found != tunables_.end()) {
    const Parameters own = varying(point.tunables, found->second);
    if (!own.empty()) text += ' ' + to_text(own);
  }
  if (!point.layout.empty()) text += " layout=" + point.layout;
  if (!point.apart.empty()) text += ' ' + point.apart;
  return first_line(text);
}

std::string PointWords::measured_as(const Point& point) {
  return fmt::format("{}, {}, {}", to_string(point.measure.basis), to_string(point.measure.cache),
                     to_string(point.measure.launch));
}

std::string full_label(const Point& point) {
  return fmt::format("{} ({})", point.label(), PointWords::measured_as(point));
}

}  // namespace benchctl
