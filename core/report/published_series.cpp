#include "report/published_series.hpp"

#include "model/json.hpp"
#include "model/keys.hpp"
#include "model/point.hpp"
#include "model/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace benchctl {

namespace {

/// Parameters beside the axis. A variant is not told from another by tunables that only one of them has.
Parameters other_parameters(const Point& point, const std::string& axis) {
  Parameters rest = point.problem;
  if (axis != "variant") rest.insert(point.tunables.begin(), point.tunables.end());
  rest.erase(axis);
  return rest;
}

/// Name of a series: everything about its points but their place on the axis.
std::string series_name(const Point& point, const std::string& axis, const std::string& device) {
  std::string name = device;
  if (axis != "variant") name += ' ' + point.variant;
  if (axis != "layout" && !point.layout.empty()) name += " layout=" + point.layout;
  if (axis != "basis") name += fmt::format(" basis={}", to_string(point.measure.basis));
  if (axis != "cache" && point.measure.cache != CacheMode::hot) {
    name += fmt::format(" cache={}", to_string(point.measure.cache));
  }
  return name + ' ' + to_text(other_parameters(point, axis));
}

/// Points that differ in it cannot be one series.
PointKey series_key(Point point, const std::string& axis, const std::string& device) {
  point.problem = other_parameters(point, axis);
  point.tunables = {};
  if (axis == "variant") point.variant.clear();
  if (axis == "layout") point.layout.clear();
  if (axis == "basis") point.measure.basis = {};
  if (axis == "cache") point.measure.cache = {};
  return {point, device};
}

}  // namespace

std::vector<PublishedSeries> published_series(const Published& published, std::span<const Result> rows,
                                              const std::vector<RowDevice>& devices) {
  std::vector<PublishedSeries> all;
  // By series and published value; nothing where the value has no row.
  std::vector<std::vector<std::optional<std::size_t>>> places;
  std::map<PointKey, std::size_t> numbers;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].timed()) continue;
    const Point& point = rows[i].point();
    const auto& [label, type] = devices[i];
    const auto at = value_at(point, published.axis, type);
    if (!matches(point, published.match, type) || !at) continue;
    const auto place =
        std::ranges::find_if(published.values, [&](const auto& entry) { return entry.first == *at; });
    if (place == published.values.end()) continue;
    const auto [number, fresh] = numbers.try_emplace(series_key(point, published.axis, label), all.size());
    if (fresh) {
      all.push_back({series_name(point, published.axis, label), {}});
      places.emplace_back(published.values.size());
    }
    // The fastest of several points at one place (other tunables of another variant) stands for it.
    auto& slot = places[number->second][static_cast<std::size_t>(place - published.values.begin())];
    if (!slot || median_of(rows[i]) < median_of(rows[*slot])) slot = i;
  }
  const auto base = static_cast<std::size_t>(&published.base() - published.values.data());
  for (std::size_t number = 0; number < all.size(); ++number) {
    const auto figure_at = [&](std::size_t place) {
      const std::optional<std::size_t> row = places[number][place];
      return row ? rows[*row].metric(published.metric) : no_number;
    };
    for (std::size_t i = 0; i < published.values.size(); ++i) {
      if (!places[number][i]) continue;
      const auto& [at, figure] = published.values[i];
      all[number].entries.push_back({at, figure, figure / published.values[base].second, *places[number][i],
                                     figure_at(i), figure_at(i) / figure_at(base)});
    }
    all[number].entries.front().key = all[number].key;
  }
  std::erase_if(all, [](const PublishedSeries& series) { return series.entries.size() < 2; });
  return all;
}

}  // namespace benchctl
