// Which rows of a workload a headline speaks of.
#include "model/key_text.hpp"
#include "model/value_order.hpp"
#include "report/format.hpp"
#include "report/headline_parts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace benchctl {

WorkloadRows::WorkloadRows(const std::string& title, std::span<const HeadlineRow> rows, RowNumbers places)
    : rows_(rows),
      places_(std::move(places)),
      telling_(telling_parameters(rows, places_)),
      question_(question_of(title, rows, places_)) {
  keep_one_measure();
}

void WorkloadRows::keep_one_measure() {
  const auto key = [&](std::size_t place) {
    const MeasureSettings& measure = point(place).measure;
    return std::tuple(question_.axis == "cache" ? CacheMode{} : measure.cache,
                      question_.axis == "launch" ? LaunchMode{} : measure.launch, measure.basis);
  };
  std::map<decltype(key(0)), std::size_t> counts;
  for (const std::size_t place : places_) ++counts[key(place)];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  std::erase_if(places_, [&](std::size_t place) { return key(place) != most->first; });
}

std::string WorkloadRows::value_text(std::size_t place) const {
  return first_line(to_text(*value_on(point(place), question_.axis)));
}

std::optional<std::size_t> WorkloadRows::fastest(const RowNumbers& places) const {
  const auto best = std::ranges::min_element(places, {}, [&](std::size_t place) { return median(place); });
  return best != places.end() ? std::optional(*best) : std::nullopt;
}

RowNumbers WorkloadRows::largest_problem(const RowNumbers& places) const {
  std::map<SharedParameters, RowNumbers> problems;
  for (const std::size_t place : places) {
    if (heads(place)) problems[point(place).problem].push_back(place);
  }
  const auto size = [&](const auto& entry) {
    const auto on_axis =
        std::ranges::count_if(entry.second, [&](std::size_t place) { return competes(place); });
    const Cost& cost = row(entry.second.front()).stored.row.cost;
    return std::tuple(on_axis > 0, cost.flops, cost.bytes_read + cost.bytes_written, on_axis);
  };
  const auto largest = std::ranges::max_element(problems, {}, size);
  return largest != problems.end() ? largest->second : RowNumbers{};
}

bool WorkloadRows::competes(std::size_t place) const {
  return question_.axis.empty() || (!vendor(place) && value_on(point(place), question_.axis));
}

std::optional<std::size_t> WorkloadRows::yardstick(std::size_t best, const RowNumbers& ties,
                                                   const RowNumbers& rivals) const {
  const auto of = [&](auto wanted) {
    RowNumbers kept;
    std::ranges::copy_if(rivals, std::back_inserter(kept), [&](std::size_t place) {
      return std::ranges::find(ties, place) == ties.end() && wanted(place);
    });
    return fastest(kept);
  };
  if (const auto other = of([&](std::size_t place) { return vendor(place) != vendor(best); })) {
    return other;
  }
  const auto other = of([&](std::size_t place) { return point(place).variant != point(best).variant; });
  // Beside an axis only what beats its best is worth a word.
  if (other && !question_.axis.empty() && median(*other) > median(best)) return std::nullopt;
  return other;
}

std::size_t WorkloadRows::values_of(const RowNumbers& places) const {
  std::set<Value, ValueOrder> values;
  for (const std::size_t place : places) values.insert(*value_on(point(place), question_.axis));
  return values.size();
}

RowNumbers WorkloadRows::fastest_of_each(const RowNumbers& pool) const {
  std::map<std::string, std::size_t> kept;
  for (const std::size_t place : pool) {
    const std::string key = question_.axis.empty() ? point(place).variant : value_text(place);
    const auto [known, fresh] = kept.try_emplace(key, place);
    if (!fresh && median(place) < median(known->second)) known->second = place;
  }
  RowNumbers rows;
  for (const auto& [key, place] : kept) rows.push_back(place);
  std::ranges::sort(rows, {}, [&](std::size_t place) { return median(place); });
  return rows;
}

RowNumbers WorkloadRows::longest_series(const RowNumbers& places) const {
  std::map<std::string, std::map<Value, std::size_t, ValueOrder>> series;
  std::vector<std::string> order;
  for (const std::size_t place : places) {
    const auto value = value_on(point(place), question_.axis);
    if (!value || !heads(place)) continue;
    KeyText key;
    key.add(point(place).variant).add(point(place).layout).add(point(place).tunables);
    for (const std::string& name : telling_) {
      if (name == question_.axis) continue;
      if (const auto own = value_on(point(place), name)) key.add(name).add(to_text(*own));
    }
    const std::string text = key.take();
    if (!series.contains(text)) order.push_back(text);
    const auto [known, fresh] = series[text].try_emplace(*value, place);
    if (!fresh && median(place) < median(known->second)) known->second = place;
  }
  RowNumbers best;
  for (const std::string& text : order) {
    const auto& own = series.at(text);
    const bool more = own.size() > best.size();
    const bool ours = own.size() == best.size() && vendor(best.front()) && !vendor(own.begin()->second);
    if (!more && !ours) continue;
    best.clear();
    for (const auto& [value, place] : own) best.push_back(place);
  }
  return best;
}

std::string WorkloadRows::quantity_of(const RowNumbers& series) const {
  const Cost& first = row(series.front()).stored.row.cost;
  const auto all = [&](auto holds) {
    return std::ranges::all_of(series,
                               [&](std::size_t place) { return holds(row(place).stored.row.cost); });
  };
  if (all([](const Cost& cost) { return cost.accesses > 0; })) return "access";
  if (all([&](const Cost& cost) {
        return cost.flops == first.flops && cost.bytes_read == first.bytes_read &&
               cost.bytes_written == first.bytes_written;
      })) {
    return "time";
  }
  if (all([](const Cost& cost) { return cost.flops > 0; })) return "gflops";
  if (all([](const Cost& cost) { return cost.bytes_read + cost.bytes_written > 0; })) return "gbytes";
  return "time";
}

}  // namespace benchctl
