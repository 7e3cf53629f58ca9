#include "model/json.hpp"
#include "model/metrics.hpp"
#include "report/format.hpp"
#include "report/page_parts.hpp"
#include "report/remarks.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

namespace benchctl {

namespace {

using Json = nlohmann::ordered_json;

constexpr auto plain_json = [](const auto& value) { return Json(value); };

/// An array of the values, or the one value that all have.
template <class Entry>
Json short_column(const std::vector<Entry>& values) {
  const auto is_first = [&](const Entry& value) { return value == values.front(); };
  if (!values.empty() && std::ranges::all_of(values, is_first)) return values.front();
  return values;
}

/// A column of values that repeat: {values: […], codes: […]}, where -1 stands for nothing.
template <class Key>
class Coded {
 public:
  /// `to_json` is called for a value that is new.
  template <class ToJson>
  void add(const Key& key, ToJson to_json) {
    const auto [place, fresh] = codes_of_.try_emplace(key, values_.size());
    if (fresh) values_.push_back(to_json(key));
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

std::string remarks_column(const Report& report) {
  Coded<std::string> coded;
  for (std::size_t run = 0; run < report.runs.size(); ++run) {
    const std::span<const Result> rows = rows_of_run(report, run);
    const auto first = static_cast<std::size_t>(rows.data() - report.rows.data());
    Remarks remarks(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      coded.add(rows[i].timed() ? remarks.of(rows[i], report.places[first + i].rank) : "", plain_json);
    }
  }
  return coded.text();
}

std::string notes_column(const Report& report) {
  Coded<std::string> coded;
  for (const Result& row : report.rows) {
    const Json notes(row.notes);
    coded.add(one_line(notes), [&](const std::string&) { return notes; });
  }
  return coded.text();
}

/// A column of texts. Those with a label are what the page shows of a point.
struct TextOfPoint {
  std::string_view id;
  std::string (*text)(const Report&, std::size_t row);  ///< null: another function writes the column
  std::string_view label{};
  /// `t` in the table of points, `g` at a glance (hovering), `d` in its details.
  std::string_view shown{};
  std::string_view by{};  ///< the column of numbers that sorts it; empty: the text does
};

/// The text of a row's measurement; empty without one.
template <class Text>
std::string measured_text(const Report& report, std::size_t row, Text text) {
  const auto& measurement = report.rows[row].measurement;
  return measurement ? text(*measurement) : std::string();
}

/// `98.9–103`, in the unit of the median.
std::string times_text(const Measurement& m, double low_ns, double high_ns) {
  return fmt::format("{}–{}", in_unit_of(m.median_ns, low_ns, 3), in_unit_of(m.median_ns, high_ns, 3));
}

std::string with_unit(double figure, std::string_view unit) {
  return std::isnan(figure) ? std::string() : fmt::format("{}{}", format_significant(figure), unit);
}

std::string percent_or_nothing(double share) {
  return std::isnan(share) ? std::string() : format_percent(share);
}

std::string verified_text(const Result& row) {
  if (!row.verified()) return row.timed() ? "no" : "";
  if (!*row.verified()) return "failed";
  return std::isnan(row.error_norm()) ? "yes" : fmt::format("yes, error {:.1e}", row.error_norm());
}

constexpr auto texts_of_points = std::to_array<TextOfPoint>({
    {"workload", [](const Report& all, std::size_t i) { return all.rows[i].point().workload; }},
    {"variant", [](const Report& all, std::size_t i) { return all.rows[i].point().variant; }},
    {"layout", [](const Report& all, std::size_t i) { return all.rows[i].point().layout; }},
    {"expect",
     [](const Report& all, std::size_t i) { return std::string(to_string(all.rows[i].point().expect)); }},
    {"basis",
     [](const Report& all, std::size_t i) {
       return std::string(to_string(all.rows[i].point().measure.basis));
     }},
    {"cache",
     [](const Report& all, std::size_t i) {
       return std::string(to_string(all.rows[i].point().measure.cache));
     }},
    {"launch",
     [](const Report& all, std::size_t i) {
       return std::string(to_string(all.rows[i].point().measure.launch));
     }},
    {"median",
     [](const Report& all, std::size_t i) {
       return measured_text(all, i, [](const Measurement& m) { return format_duration(m.median_ns); });
     },
     "median", "tgd", "median_ns"},
    {"range", [](const Report& all, std::size_t i) { return measured_text(all, i, format_range); }, "range",
     "tgd", "low_ns"},
    {"quartiles",
     [](const Report& all, std::size_t i) {
       return measured_text(all, i, [](const Measurement& m) { return times_text(m, m.p25_ns, m.p75_ns); });
     },
     "quartiles", "d"},
    {"extremes",
     [](const Report& all, std::size_t i) {
       return measured_text(all, i, [](const Measurement& m) { return times_text(m, m.min_ns, m.max_ns); });
     },
     "shortest and longest", "d"},
    {"mad",
     [](const Report& all, std::size_t i) {
       return measured_text(all, i, [](const Measurement& m) { return format_percent(m.mad_ns / m.median_ns); });
     },
     "spread (MAD)", "d"},
    {"status",
     [](const Report& all, std::size_t i) { return std::string(to_string(all.rows[i].point().status)); },
     "status", "tg"},
    {"samples",
     [](const Report& all, std::size_t i) {
       return measured_text(all, i, [](const Measurement& m) {
         const std::string samples = format_count(m.n_samples);
         return m.batch > 1 ? fmt::format("{} of {} executions", samples, format_count(m.batch)) : samples;
       });
     },
     "samples", "tgd", "n_samples"},
    {"stop",
     [](const Report& all, std::size_t i) {
       return measured_text(all, i, [](const Measurement& m) { return std::string(to_string(m.stop)); });
     },
     "sampling ended by", "d"},
    {"vs_best",
     [](const Report& all, std::size_t i) {
       const double ratio = all.places[i].rank.versus_best;
       return std::isnan(ratio) ? std::string() : format_significant(ratio, 3) + "×";
     },
     "vs best", "td", "versus_best"},
    {"gflops", nullptr, "GFLOP/s", "tgd", "gflops"},
    {"gbytes_per_s", nullptr, "GB/s", "tgd", "gbytes_per_s"},
    {"access_text",
     [](const Report& all, std::size_t i) { return with_unit(all.rows[i].ns_per_access(), " ns"); },
     "time per access", "d", "ns_per_access"},
    {"remarks", nullptr, "remarks", "tgd"},
    {"roof_text",
     [](const Report& all, std::size_t i) { return percent_or_nothing(all.rows[i].metric("roof_fraction")); },
     "of roof", "tgd", "roof_fraction"},
    {"datasheet_text",
     [](const Report& all, std::size_t i) { return percent_or_nothing(all.places[i].datasheet_share); },
     "of datasheet", "tgd", "datasheet_share"},
    {"predicted",
     [](const Report& all, std::size_t i) {
       const double ns = all.rows[i].metric("predicted_ns");
       return std::isnan(ns) ? std::string() : format_duration(ns);
     },
     "predicted", "d", "predicted_ns"},
    {"verified", [](const Report& all, std::size_t i) { return verified_text(all.rows[i]); }, "verified",
     "gd"},
    {"note",
     [](const Report& all, std::size_t i) {
       return measured_text(all, i, [](const Measurement& m) { return m.note; });
     },
     "note", "d"},
    {"reused",
     [](const Report& all, std::size_t i) {
       return std::string(all.rows[i].row.reused_from ? "yes" : "");
     },
     "reused from an older run", "d"},
    {"reason", [](const Report& all, std::size_t i) { return all.rows[i].point().reason; }, "reason", "t"},
});

void add_texts(std::string& points, const Report& report) {
  for (const TextOfPoint& column : texts_of_points) {
    if (column.text == nullptr) continue;
    Coded<std::string> coded;
    for (std::size_t i = 0; i < report.rows.size(); ++i) coded.add(column.text(report, i), plain_json);
    add_member(points, column.id, coded.text());
  }
  add_member(points, "remarks", remarks_column(report));
  add_member(points, "notes", notes_column(report));
}

template <class Figure>
void add_figures(std::string& points, const Report& report, std::string_view name, Figure figure,
                 int digits = page_digits) {
  std::vector<Json> numbers;
  for (std::size_t i = 0; i < report.rows.size(); ++i) numbers.push_back(short_number(figure(i), digits));
  add_member(points, name, one_line(short_column(numbers)));
}

void add_numbers(std::string& points, const Report& report) {
  const auto number = [&](std::string_view name, auto figure) {
    add_figures(points, report, name, figure);
  };
  // Numbers of things, which are exact.
  constexpr int whole = 15;
  const auto counted = [&](std::string_view name, auto figure) {
    add_figures(points, report, name, figure, whole);
  };
  const auto of_place = [&](std::string_view name, auto figure) {
    counted(name, [&](std::size_t i) { return static_cast<double>(figure(report.places[i])); });
  };
  // Ratios of medians are made on the page.
  constexpr int digits_of_medians = 5;
  add_figures(
      points, report, "median_ns",
      [&](std::size_t i) {
        const auto& measurement = report.rows[i].measurement;
        return measurement ? measurement->median_ns : std::nan("");
      },
      digits_of_medians);
  const auto range = [&](std::string_view name, double TimeRange::*end) {
    number(name, [&report, end](std::size_t i) {
      const auto& measurement = report.rows[i].measurement;
      return measurement && measurement->n_samples > 1 ? range_of(*measurement).*end : std::nan("");
    });
  };
  range("low_ns", &TimeRange::low_ns);
  range("high_ns", &TimeRange::high_ns);
  counted("n_samples", [&report](std::size_t i) {
    const auto& measurement = report.rows[i].measurement;
    return measurement ? static_cast<double>(measurement->n_samples) : std::nan("");
  });
  const auto of_row = [&](std::string_view name, auto figure) {
    number(name, [&](std::size_t i) { return static_cast<double>(figure(report.rows[i])); });
  };
  using Row = const Result&;
  using Place = const RowPlace&;
  of_row("gflops", [](Row row) { return row.gflops(); });
  of_row("gbytes_per_s", [](Row row) { return row.gbytes_per_s(); });
  of_row("ns_per_access", [](Row row) { return row.ns_per_access(); });
  of_row("roof_fraction", [](Row row) { return row.metric("roof_fraction"); });
  of_row("predicted_ns", [](Row row) { return row.metric("predicted_ns"); });
  of_row("vendor", [](Row row) { return row.row.vendor ? 1 : 0; });
  of_row("timed", [](Row row) { return row.timed() ? 1 : 0; });
  of_row("flops", [](Row row) { return row.row.cost.flops; });
  of_row("bytes", [](Row row) { return row.row.cost.bytes_read + row.row.cost.bytes_written; });
  of_place("run", [](Place place) { return place.run; });
  of_place("platform", [](Place place) { return place.platform; });
  of_place("comparison", [](Place place) {
    return place.comparison == RowPlace::none ? std::nan("") : static_cast<double>(place.comparison);
  });
  of_place("place", [](Place place) { return place.rank.place; });
  of_place("best", [](Place place) { return place.rank.best ? 1 : 0; });
  of_place("own_best", [](Place place) { return place.rank.own.best ? 1 : 0; });
  of_place("older", [](Place place) { return place.older ? 1 : 0; });
  number("datasheet_share", [&](std::size_t i) { return report.places[i].datasheet_share; });
  number("versus_best", [&](std::size_t i) { return report.places[i].rank.versus_best; });
  counted("ordinal", [&](std::size_t i) { return static_cast<double>(report.rows[i].row.ordinal); });
}

std::string resource_columns(const Report& report) {
  std::set<std::string> metrics;
  for (const Result& row : report.rows) {
    for (const auto& [metric, value] : row.resources) metrics.insert(metric);
  }
  // The first differs from point to point without being a result: exports have it. The others are facts.
  for (const char* id : {"prepare_ns", "roof_fraction", "predicted_ns"}) metrics.erase(id);
  std::string columns = "{";
  for (const std::string& metric : metrics) {
    const MetricInfo* const known = find_metric(metric);
    const std::string unit =
        known != nullptr && !known->unit.empty() ? fmt::format(" {}", known->unit) : "";
    Coded<std::string> coded;
    for (const Result& row : report.rows) {
      const double figure = row.metric(metric);
      coded.add(metric.ends_with("_ns") && !std::isnan(figure) ? format_duration(figure)
                                                               : with_unit(figure, unit),
                plain_json);
    }
    add_member(columns, metric, coded.text());
  }
  return columns + '}';
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
        column.add(found->second, [](const Value& value) { return Json(to_json(value)); });
      }
    }
    add_member(text, name, column.text());
  }
  return text + '}';
}

}  // namespace

Json short_number(double number, int digits) {
  if (!std::isfinite(number)) return nullptr;
  std::array<char, 64> figures{};
  const auto end =
      std::to_chars(figures.begin(), figures.end(), number, std::chars_format::general, digits);
  std::from_chars(figures.begin(), end.ptr, number);
  constexpr double most = 1e15;  // larger ones are shorter with an exponent, which a double gets
  if (std::abs(number) < most && number == std::trunc(number)) return static_cast<std::int64_t>(number);
  return number;
}

void add_member(std::string& object, std::string_view name, std::string_view json) {
  if (object != "{") object += ',';
  object.append(one_line(Json(name))).append(":").append(json);
}

std::string page_points(const Report& report) {
  std::string points = "{";
  add_member(points, "count", std::to_string(report.rows.size()));
  add_texts(points, report);
  add_numbers(points, report);
  add_member(points, "resources", resource_columns(report));
  add_member(points, "problem", parameter_columns(report, &Point::problem));
  add_member(points, "tunables", parameter_columns(report, &Point::tunables));
  return points + '}';
}

Json page_facts() {
  Json facts = Json::array();
  for (const TextOfPoint& column : texts_of_points) {
    if (column.label.empty()) continue;
    facts.push_back(
        Json{{"id", column.id}, {"label", column.label}, {"shown", column.shown}, {"by", column.by}});
  }
  return facts;
}

}  // namespace benchctl
