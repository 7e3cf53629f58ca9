// Published figures beside ours.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/json.hpp"
#include "model/point_match.hpp"
#include "report/format.hpp"
#include "report/table.hpp"
#include "report/text_table.hpp"

namespace benchctl {

namespace {

/// Everything about a point but its place on the axis: points that differ in more cannot be one series. A
/// variant is not told from another by tunables that only one of them has.
std::string series_key(const Point& point, const std::string& axis) {
  Parameters rest = point.problem;
  if (axis != "variant") rest.insert(point.tunables.begin(), point.tunables.end());
  rest.erase(axis);
  std::string key = point.device;
  if (axis != "variant") key += ' ' + point.variant;
  if (axis != "layout" && !point.layout.empty()) key += " layout=" + point.layout;
  if (axis != "basis") key += fmt::format(" basis={}", to_string(point.measure.basis));
  if (axis != "cache" && point.measure.cache != CacheMode::hot) {
    key += fmt::format(" cache={}", to_string(point.measure.cache));
  }
  return key + ' ' + to_text(rest);
}

struct Series {
  std::string key;
  std::vector<const ResultRow*> rows;  // by the axis's values; null where there is none
};

double figure_of(const ResultRow& row, const std::string& metric) {
  if (metric == "gflops") return row.gflops;
  if (metric == "gbytes_per_s") return row.gbytes_per_s;
  if (metric == "ns_per_access") return row.ns_per_access;
  if (metric == "median_ns") return row.stored.measurement->median_ns;
  return row.metric(metric);
}

std::vector<Series> series_of(const Published& published, const std::vector<ResultRow>& rows,
                              const std::map<std::string, DeviceType>& device_types) {
  std::vector<Series> all;
  for (const ResultRow& row : rows) {
    if (!row.timed()) continue;
    const Point& point = row.point();
    const auto known = device_types.find(point.device);
    const auto type = known == device_types.end() ? std::nullopt : std::optional(known->second);
    const auto at = value_at(point, published.axis, type);
    if (!matches(point, published.match, type) || !at) continue;
    const auto place =
        std::ranges::find_if(published.values, [&](const auto& entry) { return entry.first == *at; });
    if (place == published.values.end()) continue;
    const std::string key = series_key(point, published.axis);
    auto series = std::ranges::find(all, key, &Series::key);
    if (series == all.end()) {
      series = all.insert(all.end(), {key, std::vector<const ResultRow*>(published.values.size())});
    }
    // Of several points at one place (other tunables of another variant) the fastest stands for it.
    const ResultRow*& slot = series->rows[static_cast<std::size_t>(place - published.values.begin())];
    if (slot == nullptr || row.stored.measurement->median_ns < slot->stored.measurement->median_ns) {
      slot = &row;
    }
  }
  std::erase_if(all, [](const Series& series) {
    return std::ranges::count(series.rows, nullptr) + 1 >= static_cast<std::ptrdiff_t>(series.rows.size());
  });
  return all;
}

std::string own_text(double figure, const std::string& metric) {
  return metric.ends_with("_ns") ? format_duration(figure) : format_significant(figure);
}

}  // namespace

std::string published_tables(const std::vector<Published>& references, const std::vector<ResultRow>& rows,
                             const std::map<std::string, DeviceType>& device_types,
                             const TableOptions& options) {
  std::string text;
  for (const Published& published : references) {
    const std::vector<Series> all = series_of(published, rows, device_types);
    if (all.empty()) continue;
    const auto base = static_cast<std::size_t>(&published.base() - published.values.data());
    TextTable table({{"measured on"},
                     {published.axis},
                     {"published" + (published.unit.empty() ? "" : ", " + published.unit), true},
                     {"published ratio", true},
                     {"measured", true},
                     {"measured ratio", true}});
    for (const Series& series : all) {
      bool first = true;
      for (std::size_t i = 0; i < published.values.size(); ++i) {
        if (series.rows[i] == nullptr) continue;
        const double own = figure_of(*series.rows[i], published.metric);
        const double own_base =
            series.rows[base] != nullptr ? figure_of(*series.rows[base], published.metric) : std::nan("");
        const auto& [at, figure] = published.values[i];
        table.add({first ? series.key : "", to_text(at), format_significant(figure),
                   format_significant(figure / published.values[base].second, 3) + "×",
                   own_text(own, published.metric),
                   std::isnan(own / own_base) ? "" : format_significant(own / own_base, 3) + "×"});
        first = false;
      }
    }
    const std::string title =
        fmt::format("published: {}{}", published.source,
                    published.hardware.empty() ? "" : fmt::format(", on {}", published.hardware));
    text += options.markdown ? fmt::format("### {}\n\n{}\n", title, table.markdown())
                             : fmt::format("{}\n{}\n", title, table.text(options.colours));
  }
  return text;
}

std::string roof_table(const std::vector<RoofRow>& roofs, const TableOptions& options) {
  if (roofs.empty()) return {};
  TextTable table({{"device"}, {"ceiling"}, {"measured", true}});
  for (const RoofRow& roof : roofs) {
    const bool operations = roof.probe.starts_with("fma") || roof.probe.starts_with("mma");
    const std::string rate =
        fmt::format("{} {}", format_significant(roof.per_second / 1e9), operations ? "GFLOP/s" : "GB/s");
    table.add(
        {roof.lane, roof.probe, roof.probe == "launch" ? format_duration(1e9 / roof.per_second) : rate});
  }
  return options.markdown ? fmt::format("### Ceilings\n\n{}\n", table.markdown())
                          : fmt::format("ceilings used\n{}\n", table.text(options.colours));
}

}  // namespace benchctl
