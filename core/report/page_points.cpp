#include "model/json.hpp"
#include "report/page_parts.hpp"
#include "report/remarks.hpp"

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

  void write(JsonText& json) const {
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

std::string text_of_baseline(const ResultRow& row, std::string Comparison::*member) {
  const Comparison* comparison = row.stored.compared(Against::baseline);
  return comparison != nullptr ? comparison->*member : std::string();
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

void write_texts(JsonText& json, const Report& report) {
  struct TextColumn {
    std::string_view name;
    std::string (*value)(const ResultRow&);
  };
  using Row = const ResultRow&;
  static constexpr auto columns = std::to_array<TextColumn>({
      {"workload", [](Row row) { return row.point().workload; }},
      {"variant", [](Row row) { return row.point().variant; }},
      {"layout", [](Row row) { return row.point().layout; }},
      {"status", [](Row row) { return std::string(to_string(row.point().status)); }},
      {"reason", [](Row row) { return row.point().reason; }},
      {"expect", [](Row row) { return std::string(to_string(row.point().expect)); }},
      {"basis", [](Row row) { return std::string(to_string(row.point().measure.basis)); }},
      {"cache", [](Row row) { return std::string(to_string(row.point().measure.cache)); }},
      {"launch", [](Row row) { return std::string(to_string(row.point().measure.launch)); }},
      {"stop",
       [](Row row) {
         return row.stored.measurement ? std::string(to_string(row.stored.measurement->stop)) : "";
       }},
      {"note", [](Row row) { return row.stored.measurement ? row.stored.measurement->note : ""; }},
      {"baseline", [](Row row) { return text_of_baseline(row, &Comparison::label); }},
      {"verdict", [](Row row) { return text_of_baseline(row, &Comparison::verdict); }},
  });
  for (const TextColumn& column : columns) {
    Coded<std::string> coded;
    for (const ResultRow& row : report.rows) coded.add(column.value(row), quoted_json);
    coded.write(json.key(column.name));
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
  const auto measured = [&](std::string_view name, auto member) {
    number(name, [&report, member](std::size_t i) {
      const auto& measurement = report.rows[i].stored.measurement;
      return measurement ? static_cast<double>((*measurement).*member) : std::nan("");
    });
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
  measured("min_ns", &Measurement::min_ns);
  measured("max_ns", &Measurement::max_ns);
  measured("mad_ns", &Measurement::mad_ns);
  measured("p25_ns", &Measurement::p25_ns);
  measured("p75_ns", &Measurement::p75_ns);
  const auto samples = [&](std::string_view name, auto member) {
    counted(name, [&report, member](std::size_t i) {
      const auto& measurement = report.rows[i].stored.measurement;
      return measurement ? static_cast<double>((*measurement).*member) : std::nan("");
    });
  };
  samples("n_samples", &Measurement::n_samples);
  samples("batch", &Measurement::batch);
  const auto of_row = [&](std::string_view name, auto figure) {
    number(name, [&](std::size_t i) { return static_cast<double>(figure(report.rows[i])); });
  };
  const auto paired = [&](std::string_view name, auto member) {
    number(name, [&report, member](std::size_t i) {
      const Comparison* comparison = report.rows[i].stored.compared(Against::baseline);
      return comparison != nullptr ? comparison->*member : std::nan("");
    });
  };
  paired("time_ratio", &Comparison::time_ratio);
  paired("ratio_ci_low", &Comparison::ci_low);
  paired("ratio_ci_high", &Comparison::ci_high);
  using Row = const ResultRow&;
  using Place = const RowPlace&;
  of_row("gflops", [](Row row) { return row.gflops; });
  of_row("gbytes_per_s", [](Row row) { return row.gbytes_per_s; });
  of_row("ns_per_access", [](Row row) { return row.ns_per_access; });
  of_row("error_norm", [](Row row) { return row.error_norm; });
  of_row("verified", [](Row row) { return row.verified ? (*row.verified ? 1.0 : 0.0) : std::nan(""); });
  of_row("vendor", [](Row row) { return row.stored.row.vendor ? 1 : 0; });
  of_row("reused", [](Row row) { return row.stored.row.reused_from ? 1 : 0; });
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
  metrics.erase("prepare_ns");  // differs from point to point and is no result: exports have it
  json.key("resources").begin_object();
  for (const std::string& metric : metrics) {
    write_figures(json, report, metric, [&](std::size_t i) { return report.rows[i].metric(metric); });
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
  json.end_object();
}

}  // namespace benchctl
