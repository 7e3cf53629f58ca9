#include "report/figures.hpp"

#include "model/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>

namespace benchctl {

namespace {

std::optional<std::uint16_t> place_of(std::string_view metric) {
  static const auto places = [] {
    std::unordered_map<std::string_view, std::uint16_t> all;
    for (const MetricInfo& info : metric_table)
      all.emplace(info.id, static_cast<std::uint16_t>(all.size()));
    return all;
  }();
  const auto found = places.find(metric);
  return found != places.end() ? std::optional(found->second) : std::nullopt;
}

}  // namespace

Figures::Figures(std::initializer_list<std::pair<std::string_view, double>> figures) {
  for (const auto& [metric, value] : figures) set(metric, value);
}

void Figures::set(std::string_view metric, double value) {
  const auto place = place_of(metric);
  if (!place || !std::isfinite(value)) return;
  if (const auto found = std::ranges::find(entries_, *place, &Entry::metric); found != entries_.end()) {
    found->value = value;
  } else {
    if (entries_.empty()) entries_.reserve(16);  // most points have about as many
    entries_.push_back({*place, value});
  }
}

double Figures::get(std::string_view metric) const {
  const auto place = place_of(metric);
  const auto found = place ? std::ranges::find(entries_, *place, &Entry::metric) : entries_.end();
  return found != entries_.end() ? found->value : std::numeric_limits<double>::quiet_NaN();
}

bool Figures::has(std::string_view metric) const { return !std::isnan(get(metric)); }

}  // namespace benchctl
