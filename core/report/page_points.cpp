// The points of the page, column by column: figures and the texts that it shows of them.
#include "model/json.hpp"
#include "model/metrics.hpp"
#include "report/format.hpp"
#include "report/page.hpp"
#include "report/remarks.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace benchctl {

namespace {

using Json = nlohmann::ordered_json;

/// An array of the values, or the one value that all have.
template <class Entry>
Json short_column(const std::vector<Entry>& values) {
  const auto is_first = [&](const Entry& value) { return value == values.front(); };
  if (!values.empty() && std::ranges::all_of(values, is_first)) return values.front();
  return values;
}

Json plain_json(const std::string& text) { return text; }
Json plain_json(const Value& value) { return to_json(value); }

/// A column of values that repeat: {values: […], codes: […]}, where -1 stands for nothing.
template <class Key>
class Coded {
 public:
  void add(const Key& key) {
    const auto [place, fresh] = codes_of_.try_emplace(key, values_.size());
    if (fresh) values_.push_back(plain_json(key));
    codes_.push_back(static_cast<std::int64_t>(place->second));
  }
  void add_nothing() { codes_.push_back(-1); }

  /// An array of the values where most differ, which is shorter.
  [[nodiscard]] std::string text() const {
    if (values_.size() <= 16 || values_.size() <= codes_.size() / 2)
      return one_line(Json{{"values", values_}, {"codes", short_column(codes_)}});
    return one_line(list_of(codes_, [&](std::int64_t code) {
      return code < 0 ? Json(nullptr) : values_[static_cast<std::size_t>(code)];
    }));
  }

 private:
  std::unordered_map<Key, std::size_t> codes_of_;
  std::vector<Json> values_;
  std::vector<std::int64_t> codes_;
};

/// A row of the report, as its columns read it.
struct Seen {
  const Report& report;
  const Result& row;
  const RowPlace& place;
  const Measurement* times;  ///< null without a measurement
  std::string remarks{};
  double order = 0;  ///< its place among all, the fastest first

  [[nodiscard]] double median_ns() const { return times != nullptr ? times->median_ns : no_number; }
  /// The median over the predicted time.
  [[nodiscard]] double predicted_ratio() const { return median_ns() / row.metric("predicted_ns"); }
};

/// Rows that do not compete come last.
void set_order(std::vector<Seen>& all) {
  std::vector<Seen*> rows;
  for (Seen& one : all) rows.push_back(&one);
  std::ranges::stable_sort(rows, {}, [](const Seen* one) {
    const Rank& rank = one->place.rank;
    return std::tuple(!rank.competes, rank.order_ns, rank.place, !rank.best);
  });
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k]->order = static_cast<double>(k);
}

std::vector<Seen> seen_rows(const Report& report) {
  std::vector<Seen> all;
  for (std::size_t run = 0; run < report.runs.size(); ++run) {
    const std::span<const Result> rows = rows_of_run(report, run);
    Remarks remarks(rows);
    for (const Result& row : rows) {
      const RowPlace& place = report.places[all.size()];
      const auto& measurement = row.measurement;
      all.push_back({report, row, place, measurement ? &*measurement : nullptr,
                     row.timed() ? remarks.of(row, place.rank) : std::string()});
    }
  }
  set_order(all);
  return all;
}

/// What a figure is shown as; nothing where there is none.
std::string text_of(double figure, std::string_view unit, int digits = 4) {
  if (std::isnan(figure)) return {};
  return unit == "ns"  ? format_duration(figure, digits)
         : unit == "%" ? format_percent(figure)
                       : fmt::format("{}{}", format_significant(figure, digits), unit);
}

/// `98.9–103`, in the unit of the median.
std::string times_text(const Measurement& m, double low_ns, double high_ns) {
  return fmt::format("{}–{}", in_unit_of(m.median_ns, low_ns, 3), in_unit_of(m.median_ns, high_ns, 3));
}

std::string samples_text(const Measurement& m) {
  const std::string samples = format_count(m.n_samples);
  return m.batch > 1 ? fmt::format("{} of {} executions", samples, format_count(m.batch)) : samples;
}

std::string reason_text(const Seen& one) {
  const Point& point = one.row.point();
  return point.reason.empty() ? gist_of(point.status, point.reason) : point.reason;
}

std::string verified_text(const Seen& one) {
  if (!one.row.verified()) return one.row.timed() ? "no" : "";
  if (!*one.row.verified()) return "failed";
  return std::isnan(one.row.error_norm()) ? "yes" : fmt::format("yes, error {:.1e}", one.row.error_norm());
}

/// What charts say of a row beside its figures: its library, or why it cannot win.
std::string aside_text(const Seen& one) {
  const std::string library = one.row.library();
  if (one.place.rank.competes) return one.row.row.vendor && library.empty() ? "vendor" : library;
  return one.place.older ? "of an older run" : "cannot win";
}

std::string mark_text(const Seen& one) {
  const std::string_view mark = one.place.rank.mark();
  return mark == "*" ? "★ " : mark == "=" ? "= " : "";
}

std::string measured_as_text(const Seen& one) {
  const MeasureSettings& measure = one.row.point().measure;
  return fmt::format("basis {}, cache {}, launch {}", to_string(measure.basis), to_string(measure.cache),
                     to_string(measure.launch));
}

std::string notes_text(const Seen& one) {
  std::string text;
  for (const auto& [key, note] : one.row.notes)
    text += fmt::format("{}{} = {}", text.empty() ? "" : "; ", key, note);
  return text;
}

/// A column of texts. Those with a label are what the page shows of a point.
struct TextOfPoint {
  std::string_view id;
  std::string (*text)(const Seen&);  ///< null: `of_times`, which is empty without a measurement
  std::string_view label{};
  /// `t` in the table of points, `g` at a glance (hovering), `d` in its details, `r` among its resources.
  std::string_view shown{};
  std::string_view by{};  ///< the column of numbers that sorts it; empty: the text does
  std::string (*of_times)(const Measurement&) = nullptr;
};

using One = const Seen&;
using Times = const Measurement&;

constexpr auto texts_of_points = std::to_array<TextOfPoint>({
    {"workload", [](One one) { return one.row.point().workload; }},
    {"variant",
     [](One one) {
       const Point& point = one.row.point();
       return point.apart.empty() ? point.variant : point.variant + ' ' + point.apart;
     }},
    {"layout", [](One one) { return one.row.point().layout; }},
    {"cache", [](One one) { return std::string(to_string(one.row.point().measure.cache)); }},
    {"launch", [](One one) { return std::string(to_string(one.row.point().measure.launch)); }},
    {"mark", mark_text},
    {"aside", aside_text},
    {"median", [](One one) { return text_of(one.median_ns(), "ns"); }, "median", "tgd", "time"},
    {"range", nullptr, "range", "tgd", "time_low", format_range},
    {"quartiles", nullptr, "quartiles", "d", "", [](Times m) { return times_text(m, m.p25_ns, m.p75_ns); }},
    {"extremes", nullptr, "shortest and longest", "d", "",
     [](Times m) { return times_text(m, m.min_ns, m.max_ns); }},
    {"mad", nullptr, "spread (MAD)", "d", "",
     [](Times m) { return format_percent(m.mad_ns / m.median_ns); }},
    {"status", [](One one) { return std::string(to_string(one.row.point().status)); }, "status", "tg"},
    {"samples", nullptr, "samples", "tgd", "n_samples", samples_text},
    {"stop", nullptr, "sampling ended by", "d", "", [](Times m) { return std::string(to_string(m.stop)); }},
    {"vs_best", [](One one) { return text_of(one.place.rank.versus_best, "×", 3); }, "vs best", "td",
     "versus_best"},
    {"gflops_text", [](One one) { return text_of(one.row.gflops(), ""); }, "GFLOP/s", "tgd", "gflops"},
    {"gbytes_text", [](One one) { return text_of(one.row.gbytes_per_s(), ""); }, "GB/s", "tgd", "gbytes"},
    {"access_text", [](One one) { return text_of(one.row.ns_per_access(), " ns"); }, "time per access",
     "d"},
    {"remarks", [](One one) { return one.remarks; }, "remarks", "tgd"},
    {"roof_text", [](One one) { return text_of(one.row.metric("roof_fraction"), "%"); }, "of roof", "tgd",
     "roof"},
    {"datasheet_text", [](One one) { return text_of(one.place.datasheet_share, "%"); }, "of datasheet",
     "tgd", "datasheet"},
    {"predicted", [](One one) { return text_of(one.row.metric("predicted_ns"), "ns"); }, "predicted", "d"},
    {"vs_predicted", [](One one) { return text_of(one.predicted_ratio(), "×", 3); }, "measured / predicted",
     "d"},
    {"verified", verified_text, "verified", "gd"},
    {"note", nullptr, "note", "d", "", [](Times m) { return m.note; }},
    {"reused", [](One one) { return std::string(one.row.row.reused_from ? "yes" : ""); },
     "reused from an older run", "d"},
    {"reason", reason_text, "reason", "t"},
    {"measured_as", measured_as_text, "measured as", "d"},
    {"run_text", [](One one) { return one.report.runs[one.place.run].row.name; }, "run", "d"},
    {"device_text", [](One one) { return one.report.platforms[one.place.platform].device.device.name; },
     "device", "d"},
    {"notes", notes_text, "notes", "d"},
});

void add_texts(std::string& points, const std::vector<Seen>& all) {
  for (const TextOfPoint& column : texts_of_points) {
    Coded<std::string> coded;
    for (const Seen& one : all) {
      coded.add(column.text != nullptr ? column.text(one)
                : one.times != nullptr ? column.of_times(*one.times)
                                       : std::string());
    }
    add_member(points, column.id, coded.text());
  }
}

/// What charts can show of points: a column of numbers, and two with the ends of its range.
struct Quantity {
  std::string_view id;  ///< as Headline::quantity has it
  std::string_view label;
  std::string_view title;   ///< what its axis is called
  std::string_view text;    ///< the column of texts
  std::string_view labels;  ///< how numbers of an axis are written: `times`, `shares` or `numbers`
  double (*figure)(const Seen&);
};

constexpr auto quantities = std::to_array<Quantity>({
    {"time", "median time", "Median time", "median", "times", [](One one) { return one.median_ns(); }},
    {"gflops", "GFLOP/s", "Rate (GFLOP/s)", "gflops_text", "numbers",
     [](One one) { return one.row.gflops(); }},
    {"gbytes", "GB/s", "Rate (GB/s)", "gbytes_text", "numbers",
     [](One one) { return one.row.gbytes_per_s(); }},
    {"access", "time per access", "Time per access", "access_text", "times",
     [](One one) { return one.row.ns_per_access(); }},
    {"roof", "share of the roof", "Share of the measured roof", "roof_text", "shares",
     [](One one) { return one.row.metric("roof_fraction"); }},
    {"datasheet", "share of the datasheet", "Share of the datasheet's peak", "datasheet_text", "shares",
     [](One one) { return one.place.datasheet_share; }},
});

/// The quantity at one end of the range of the times. NaN without a range.
double end_of(const Quantity& quantity, const Seen& one, bool low) {
  if (one.times == nullptr || one.times->n_samples < 2) return no_number;
  const bool is_time = quantity.labels == "times";
  const TimeRange range = range_of(*one.times);
  const double slower = (low == is_time ? range.low_ns : range.high_ns) / one.median_ns();
  return is_time ? quantity.figure(one) * slower : quantity.figure(one) / slower;
}

template <class Figure>
void add_numbers(std::string& points, const std::vector<Seen>& all, std::string_view name, Figure figure) {
  std::vector<Json> numbers;
  for (const Seen& one : all) numbers.push_back(short_number(static_cast<double>(figure(one))));
  add_member(points, name, one_line(short_column(numbers)));
}

void add_all_numbers(std::string& points, const std::vector<Seen>& all) {
  const auto add = [&](std::string_view name, auto figure) { add_numbers(points, all, name, figure); };
  for (const Quantity& quantity : quantities) {
    const std::string name(quantity.id);
    add(name, quantity.figure);
    add(name + "_low", [&](One one) { return end_of(quantity, one, true); });
    add(name + "_high", [&](One one) { return end_of(quantity, one, false); });
  }
  add("n_samples", [](One one) { return one.times != nullptr ? double(one.times->n_samples) : no_number; });
  add("predicted_ns", [](One one) { return one.row.metric("predicted_ns"); });
  // How many times as long the longer of the two is.
  add("missed_by", [](One one) { return std::max(one.predicted_ratio(), 1 / one.predicted_ratio()); });
  add("intensity", [](One one) { return one.row.intensity(); });
  add("versus_best", [](One one) { return one.place.rank.versus_best; });
  add("timed", [](One one) { return one.row.timed(); });
  // Has it a time, and is it not there to show a mistake?
  add("right", [](One one) { return one.row.timed() && one.row.point().expect == Expect::right; });
  add("competes", [](One one) { return one.place.rank.competes; });
  add("run", [](One one) { return one.place.run; });
  add("platform", [](One one) { return one.place.platform; });
  add("comparison", [](One one) {
    return one.place.comparison == RowPlace::none ? no_number : static_cast<double>(one.place.comparison);
  });
  add("order", [](One one) { return one.order; });
  add("ordinal", [](One one) { return one.row.row.ordinal; });
}

std::set<std::string> resource_metrics(const Report& report) {
  std::set<std::string> metrics;
  for (const Result& row : report.rows) {
    for (const auto& [metric, value] : row.resources) metrics.insert(metric);
  }
  // The first differs from point to point without being a result: exports have it. The others have columns.
  for (const char* id : {"prepare_ns", "roof_fraction", "predicted_ns"}) metrics.erase(id);
  return metrics;
}

std::string resource_column(const std::string& metric) { return "resource_" + metric; }

void add_resource_columns(std::string& points, const Report& report) {
  for (const std::string& metric : resource_metrics(report)) {
    const MetricInfo* const known = find_metric(metric);
    const std::string unit = known == nullptr || known->unit.empty() ? "" : fmt::format(" {}", known->unit);
    Coded<std::string> coded;
    for (const Result& row : report.rows)
      coded.add(text_of(row.metric(metric), metric.ends_with("_ns") ? "ns" : unit));
    add_member(points, resource_column(metric), coded.text());
  }
}

std::string parameter_columns(const Report& report, SharedParameters Point::*of_point) {
  std::map<std::string, Coded<Value>> columns;
  for (const Result& row : report.rows) {
    for (const auto& [name, value] : row.point().*of_point) columns[name];
  }
  std::string text = "{";
  for (auto& [name, column] : columns) {
    for (const Result& row : report.rows) {
      const Parameters& parameters = row.point().*of_point;
      const auto found = parameters.find(name);
      if (found == parameters.end()) {
        column.add_nothing();
      } else {
        column.add(found->second);
      }
    }
    add_member(text, name, column.text());
  }
  return text + '}';
}

}  // namespace

std::string page_points(const Report& report) {
  const std::vector<Seen> all = seen_rows(report);
  std::string points = "{";
  add_member(points, "count", std::to_string(report.rows.size()));
  add_texts(points, all);
  add_all_numbers(points, all);
  add_resource_columns(points, report);
  add_member(points, "problem", parameter_columns(report, &Point::problem));
  add_member(points, "tunables", parameter_columns(report, &Point::tunables));
  return points + '}';
}

Json page_facts(const Report& report) {
  Json facts = Json::array();
  for (const TextOfPoint& column : texts_of_points) {
    if (column.label.empty()) continue;
    facts.push_back(
        Json{{"id", column.id}, {"label", column.label}, {"shown", column.shown}, {"by", column.by}});
  }
  static const std::set<std::string> glanced{"registers", "occupancy", "spill_bytes", "static_shared_bytes",
                                             "local_bytes"};
  for (const std::string& metric : resource_metrics(report)) {
    const MetricInfo* const known = find_metric(metric);
    facts.push_back(Json{{"id", resource_column(metric)},
                         {"label", known != nullptr ? known->label : metric},
                         {"shown", glanced.contains(metric) ? "gr" : "r"},
                         {"meaning", known != nullptr ? known->doc : ""}});
  }
  return facts;
}

Json page_quantities() {
  return list_of(quantities, [](const Quantity& quantity) {
    return Json{{"id", quantity.id},
                {"label", quantity.label},
                {"title", quantity.title},
                {"text", quantity.text},
                {"labels", quantity.labels}};
  });
}

}  // namespace benchctl
