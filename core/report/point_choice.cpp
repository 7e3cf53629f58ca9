#include "report/point_choice.hpp"

#include "model/glob.hpp"
#include "model/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace benchctl {

namespace {

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

RunRow run_of(const Store& store, std::optional<std::int64_t> number) {
  if (number) {
    if (std::optional<RunRow> run = store.run(RunId{*number})) return *std::move(run);
    throw PointChoiceError(
        fmt::format("{} has no run {}; see `benchctl runs`", store.path().string(), *number));
  }
  if (std::optional<RunRow> newest = store.newest_run()) return *std::move(newest);
  throw PointChoiceError(fmt::format("{} has no runs yet", store.path().string()));
}

std::string listed(const std::vector<ResultRow>& rows, const std::vector<std::size_t>& indices) {
  constexpr std::size_t shown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, indices.size()); ++i) {
    const PointRow& row = rows[indices[i]].stored.row;
    text += fmt::format("\n  {}  {}", point_name(row), row.point.label());
  }
  if (indices.size() > shown) text += fmt::format("\n  and {} more", indices.size() - shown);
  return text;
}

std::size_t by_number(const PointChoice& choice, std::int64_t number) {
  const auto found = std::ranges::find_if(choice.rows, [&](const ResultRow& row) {
    return row.stored.row.ordinal == static_cast<std::uint64_t>(number);
  });
  if (found != choice.rows.end()) return static_cast<std::size_t>(found - choice.rows.begin());
  throw PointChoiceError(fmt::format(
      "run {} has no point {}: it has {} points, numbered from 0; `benchctl show {}` shows the numbers",
      to_number(choice.run.id), number, choice.rows.size(), to_number(choice.run.id)));
}

std::size_t by_pattern(const PointChoice& choice, const std::string& pattern) {
  std::vector<std::size_t> matches;
  for (std::size_t i = 0; i < choice.rows.size(); ++i) {
    const std::string label = choice.rows[i].point().label();
    if (label == pattern) return i;
    if (glob_match(pattern, label)) matches.push_back(i);
  }
  if (matches.size() == 1) return matches.front();
  if (matches.empty()) {
    std::vector<std::size_t> all(choice.rows.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    std::vector<std::string> labels;
    for (const ResultRow& row : choice.rows) labels.push_back(row.point().label());
    throw PointChoiceError(fmt::format(
        "no point of run {} has a label that matches '{}'{}; it has:{}", to_number(choice.run.id), pattern,
        did_you_mean(nearest_pattern(pattern, labels)), listed(choice.rows, all)));
  }
  throw PointChoiceError(fmt::format("{} points of run {} match '{}'; name one of them:{}", matches.size(),
                                     to_number(choice.run.id), pattern, listed(choice.rows, matches)));
}

}  // namespace

const Lane* PointChoice::lane() const {
  const auto found =
      std::ranges::find_if(lanes, [&](const Lane& lane) { return lane.name() == point().device; });
  return found == lanes.end() ? nullptr : &*found;
}

std::string point_name(const PointRow& row) {
  return fmt::format("{}:{}", to_number(row.run), row.ordinal);
}

std::string PointChoice::name() const { return point_name(row().stored.row); }

PointChoice choose_point(const Store& store, const std::string& text) {
  // Labels begin with a workload's name and a slash: what stands before a colon alone is a run's number or
  // name.
  const std::size_t colon = text.find(':');
  const std::string before = colon == std::string::npos ? std::string() : text.substr(0, colon);
  const std::optional<RunId> baseline = is_baseline_name(before) ? store.find_named(before) : std::nullopt;
  const std::optional<std::int64_t> run = baseline ? to_number(*baseline) : number_in(before);
  const std::string rest = run ? text.substr(colon + 1) : text;
  PointChoice choice;
  choice.run = run_of(store, run);
  choice.lanes = store.lanes(choice.run.id);
  choice.rows = result_rows(store, choice.run.id);
  const std::optional<std::int64_t> number = number_in(rest);
  choice.index = number ? by_number(choice, *number) : by_pattern(choice, rest);
  return choice;
}

}  // namespace benchctl
