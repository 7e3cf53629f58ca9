#include "model/json.hpp"
#include "model/metrics.hpp"
#include "report/format.hpp"
#include "report/page_parts.hpp"
#include "report/remarks.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <functional>
#include <set>
#include <unordered_map>

namespace benchctl {

namespace {

/// An array of the values, or the one value that all have.
template <class ValueOf, class Write>
void write_column(JsonText& json, std::size_t count, ValueOf value_of, Write write) {
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  bool constant = count > 0;
  for (std::size_t i = 1; constant && i < count; ++i) constant = same(value_of(i), value_of(0));
  if (constant) {
    write(value_of(0));
    return;
  }
  json.begin_array();
  for (std::size_t i = 0; i < count; ++i) write(value_of(i));
  json.end_array();
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
  void write(JsonText& json) const {
    if (values_.size() > 16 && values_.size() > codes_.size() / 2) {
      json.begin_array();
      for (const std::int64_t code : codes_)
        json.raw(code < 0 ? "null" : values_[static_cast<std::size_t>(code)]);
      json.end_array();
      return;
    }
    json.begin_object().key("values").begin_array();
    for (const std::string& value : values_) json.raw(value);
    json.end_array().key("codes");
    write_column(
        json, codes_.size(), [&](std::size_t i) { return static_cast<double>(codes_[i]); },
        [&](double code) { json.value(static_cast<std::int64_t>(code)); });
    json.end_object();
  }

 private:
  std::unordered_map<Key, std::size_t> codes_of_;
  std::vector<std::string> values_;
  std::vector<std::int64_t> codes_;
};

std::string value_json(const Value& value) {
  return to_json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string notes_json(const ResultRow& row) {
  JsonText json;
  json.begin_object();
  for (const auto& [key, note] : row.stored.notes) json.field(key, note);
  return json.end_object().take();
}

void write_remarks(JsonText& json, const Report& report) {
  Coded<std::string> coded;
  for (std::size_t run = 0; run < report.runs.size(); ++run) {
    const std::span<const ResultRow> rows = rows_of_run(report, run);
    const auto first = static_cast<std::size_t>(rows.data() - report.rows.data());
    Remarks remarks(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      coded.add(rows[i].timed() ? remarks.of(rows[i], report.places[first + i].rank) : "", quoted_json);
    }
  }
  coded.write(json.key("remarks"));
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
  const auto& measurement = report.rows[row].stored.measurement;
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

std::string verified_text(const ResultRow& row) {
  if (!row.verified) return row.timed() ? "no" : "";
  if (!*row.verified) return "failed";
  return std::isnan(row.error_norm) ? "yes" : fmt::format("yes, error {:.1e}", row.error_norm);
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
     [](const Report& all, std::size_t i) { return with_unit(all.rows[i].ns_per_access, " ns"); },
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
       return std::string(all.rows[i].stored.row.reused_from ? "yes" : "");
     },
     "reused from an older run", "d"},
    {"reason", [](const Report& all, std::size_t i) { return all.rows[i].point().reason; }, "reason", "t"},
});

void write_texts(JsonText& json, const Report& report) {
  for (const TextOfPoint& column : texts_of_points) {
    if (column.text == nullptr) continue;
    Coded<std::string> coded;
    for (std::size_t i = 0; i < report.rows.size(); ++i) coded.add(column.text(report, i), quoted_json);
    coded.write(json.key(column.id));
  }
  write_remarks(json, report);
  Coded<std::string> notes;
  for (const ResultRow& row : report.rows) notes.add(notes_json(row), std::identity{});
  notes.write(json.key("notes"));
}

template <class Figure>
void write_figures(JsonText& json, const Report& report, std::string_view name, Figure figure,
                   int digits = page_digits) {
  json.key(name);
  write_column(json, report.rows.size(), figure, [&](double value) { json.rounded(value, digits); });
}

void write_numbers(JsonText& json, const Report& report) {
  const auto number = [&](std::string_view name, auto figure) {
    write_figures(json, report, name, figure);
  };
  // Numbers of things, which are exact.
  constexpr int whole = 15;
  const auto counted = [&](std::string_view name, auto figure) {
    write_figures(json, report, name, figure, whole);
  };
  const auto of_place = [&](std::string_view name, auto figure) {
    counted(name, [&](std::size_t i) { return static_cast<double>(figure(report.places[i])); });
  };
  // Ratios of medians are made on the page.
  constexpr int digits_of_medians = 5;
  write_figures(
      json, report, "median_ns",
      [&](std::size_t i) {
        const auto& measurement = report.rows[i].stored.measurement;
        return measurement ? measurement->median_ns : std::nan("");
      },
      digits_of_medians);
  const auto range = [&](std::string_view name, double TimeRange::*end) {
    number(name, [&report, end](std::size_t i) {
      const auto& measurement = report.rows[i].stored.measurement;
      return measurement && measurement->n_samples > 1 ? range_of(*measurement).*end : std::nan("");
    });
  };
  range("low_ns", &TimeRange::low_ns);
  range("high_ns", &TimeRange::high_ns);
  counted("n_samples", [&report](std::size_t i) {
    const auto& measurement = report.rows[i].stored.measurement;
    return measurement ? static_cast<double>(measurement->n_samples) : std::nan("");
  });
  const auto of_row = [&](std::string_view name, auto figure) {
    number(name, [&](std::size_t i) { return static_cast<double>(figure(report.rows[i])); });
  };
  using Row = const ResultRow&;
  using Place = const RowPlace&;
  of_row("gflops", [](Row row) { return row.gflops; });
  of_row("gbytes_per_s", [](Row row) { return row.gbytes_per_s; });
  of_row("ns_per_access", [](Row row) { return row.ns_per_access; });
  of_row("roof_fraction", [](Row row) { return row.metric("roof_fraction"); });
  of_row("predicted_ns", [](Row row) { return row.metric("predicted_ns"); });
  of_row("vendor", [](Row row) { return row.stored.row.vendor ? 1 : 0; });
  of_row("timed", [](Row row) { return row.timed() ? 1 : 0; });
  of_row("flops", [](Row row) { return row.stored.row.cost.flops; });
  of_row("bytes",
         [](Row row) { return row.stored.row.cost.bytes_read + row.stored.row.cost.bytes_written; });
  of_place("run", [](Place place) { return place.run; });
  of_place("platform", [](Place place) { return place.platform; });
  of_place("comparison", [](Place place) {
    return place.comparison == RowPlace::none ? std::nan("") : static_cast<double>(place.comparison);
  });
  of_place("place", [](Place place) { return place.rank.place; });
  of_place("best", [](Place place) { return place.rank.best ? 1 : 0; });
  of_place("own_best", [](Place place) { return place.rank.own_best ? 1 : 0; });
  of_place("older", [](Place place) { return place.older ? 1 : 0; });
  number("datasheet_share", [&](std::size_t i) { return report.places[i].datasheet_share; });
  number("versus_best", [&](std::size_t i) { return report.places[i].rank.versus_best; });
  counted("ordinal", [&](std::size_t i) { return static_cast<double>(report.rows[i].stored.row.ordinal); });
}

void write_resources(JsonText& json, const Report& report) {
  std::set<std::string> metrics;
  for (const ResultRow& row : report.rows) {
    for (const auto& [metric, value] : row.stored.resources) metrics.insert(metric);
  }
  // The first differs from point to point and is no result: exports have it. The others are facts.
  for (const char* id : {"prepare_ns", "roof_fraction", "predicted_ns"}) metrics.erase(id);
  json.key("resources").begin_object();
  for (const std::string& metric : metrics) {
    const MetricInfo* const known = find_metric(metric);
    const std::string unit =
        known != nullptr && !known->unit.empty() ? fmt::format(" {}", known->unit) : "";
    Coded<std::string> coded;
    for (const ResultRow& row : report.rows) {
      const double figure = row.metric(metric);
      coded.add(metric.ends_with("_ns") && !std::isnan(figure) ? format_duration(figure)
                                                               : with_unit(figure, unit),
                quoted_json);
    }
    coded.write(json.key(metric));
  }
  json.end_object();
}

void write_parameters(JsonText& json, const Report& report) {
  for (const bool of_problem : {true, false}) {
    const auto parameters = [&](const ResultRow& row) -> const Parameters& {
      return of_problem ? row.point().problem : row.point().tunables;
    };
    std::map<std::string, Coded<Value>> columns;
    for (const ResultRow& row : report.rows) {
      for (const auto& [name, value] : parameters(row)) columns[name];
    }
    json.key(of_problem ? "problem" : "tunables").begin_object();
    for (auto& [name, column] : columns) {
      for (const ResultRow& row : report.rows) {
        const auto found = parameters(row).find(name);
        if (found == parameters(row).end()) {
          column.add_nothing();
        } else {
          column.add(found->second, value_json);
        }
      }
      column.write(json.key(name));
    }
    json.end_object();
  }
}

}  // namespace

void write_page_points(JsonText& json, const Report& report) {
  json.key("points").begin_object().field("count", report.rows.size());
  write_texts(json, report);
  write_numbers(json, report);
  write_resources(json, report);
  write_parameters(json, report);
  json.end_object().key("facts").begin_array();
  for (const TextOfPoint& column : texts_of_points) {
    if (column.label.empty()) continue;
    json.begin_object().field("id", column.id).field("label", column.label);
    json.field("shown", column.shown).field("by", column.by).end_object();
  }
  json.end_array();
}

}  // namespace benchctl
