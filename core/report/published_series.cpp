#include "report/published_series.hpp"

#include "model/json.hpp"
#include "model/point.hpp"
#include "model/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
std::string series_key(const Point& point, const std::string& axis, const std::string& device) {
  const auto unless_axis = [&](std::string_view name, std::string_view value) {
    return axis == name ? std::string_view() : value;
  };
  return KeyText()
      .add(device)
      .add(unless_axis("variant", point.variant))
      .add(unless_axis("layout", point.layout))
      .add(unless_axis("basis", to_string(point.measure.basis)))
      .add(unless_axis("cache", to_string(point.measure.cache)))
      .add(other_parameters(point, axis))
      .take();
}

/// The rows of a series by published value; nothing where the value has no row.
struct PublishedPlaces {
  std::string key;
  std::string name;
  std::vector<std::optional<std::size_t>> rows;
};

std::vector<PublishedPlaces> places_of(const Published& published, std::span<const Result> rows,
                                       const std::vector<RowDevice>& devices) {
  std::vector<PublishedPlaces> all;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].timed()) continue;
    const Point& point = rows[i].point();
    const auto type = parse_enum<DeviceType>(devices[i].type);
    const auto at = value_at(point, published.axis, type);
    if (!matches(point, published.match, type) || !at) continue;
    const auto place =
        std::ranges::find_if(published.values, [&](const auto& entry) { return entry.first == *at; });
    if (place == published.values.end()) continue;
    const std::string key = series_key(point, published.axis, devices[i].label);
    auto series = std::ranges::find(all, key, &PublishedPlaces::key);
    if (series == all.end()) {
      series = all.insert(all.end(), {key, series_name(point, published.axis, devices[i].label), {}});
      series->rows.resize(published.values.size());
    }
    // The fastest of several points at one place (other tunables of another variant) stands for it.
    auto& slot = series->rows[static_cast<std::size_t>(place - published.values.begin())];
    if (!slot || median_of(rows[i]) < median_of(rows[*slot])) slot = i;
  }
  return all;
}

}  // namespace

std::vector<PublishedSeries> published_series(const Published& published, std::span<const Result> rows,
                                              const std::vector<RowDevice>& devices) {
  const auto base = static_cast<std::size_t>(&published.base() - published.values.data());
  std::vector<PublishedSeries> all;
  for (const PublishedPlaces& places : places_of(published, rows, devices)) {
    const auto figure_at = [&](std::size_t place) {
      return places.rows[place] ? rows[*places.rows[place]].metric(published.metric) : std::nan("");
    };
    PublishedSeries series{places.name, {}};
    for (std::size_t i = 0; i < places.rows.size(); ++i) {
      if (!places.rows[i]) continue;
      const auto& [at, figure] = published.values[i];
      series.entries.push_back({at, figure, figure / published.values[base].second, *places.rows[i],
                                figure_at(i), figure_at(i) / figure_at(base)});
    }
    if (series.entries.size() > 1) all.push_back(std::move(series));
  }
  return all;
}

}  // namespace benchctl
