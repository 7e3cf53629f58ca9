// The data of the page. Points come column by column, texts and parameter values as numbers into lists of
// what occurs: a page of 100,000 points stays small enough to be opened.
#include "model/json.hpp"
#include "model/metrics.hpp"
#include "report/json_text.hpp"
#include "report/page.hpp"
#include "report/warnings.hpp"
#include "stats/summary.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace benchctl {

namespace {

constexpr int page_data_version = 1;
/// Enough for every figure that the page shows, and half as long as all of them.
constexpr int digits = 7;

/// A column of values that repeat: {values: […], codes: […]}, where -1 stands for nothing.
class Coded {
 public:
  void add(std::string json) {
    const auto [place, fresh] = codes_of_.try_emplace(std::move(json), values_.size());
    if (fresh) values_.push_back(&place->first);
    codes_.push_back(static_cast<std::int64_t>(place->second));
  }
  void add_nothing() { codes_.push_back(-1); }
  [[nodiscard]] bool empty() const { return values_.empty(); }

  void write(JsonText& json) const {
    json.begin_object().key("values").begin_array();
    for (const std::string* value : values_) json.raw(*value);
    json.end_array().key("codes").begin_array();
    for (const std::int64_t code : codes_) json.value(code);
    json.end_array().end_object();
  }

 private:
  std::unordered_map<std::string, std::size_t> codes_of_;
  std::vector<const std::string*> values_;
  std::vector<std::int64_t> codes_;
};

std::string notes_json(const ResultRow& row) {
  JsonText json;
  json.begin_object();
  for (const auto& [key, note] : row.stored.notes) json.field(key, note);
  return json.end_object().take();
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
      {"baseline", [](Row row) { return row.stored.comparison ? row.stored.comparison->baseline : ""; }},
      {"verdict", [](Row row) { return row.stored.comparison ? row.stored.comparison->verdict : ""; }},
  });
  for (const TextColumn& column : columns) {
    Coded coded;
    for (const ResultRow& row : report.rows) coded.add(quoted_json(column.value(row)));
    coded.write(json.key(column.name));
  }
  Coded notes;
  for (const ResultRow& row : report.rows) notes.add(notes_json(row));
  notes.write(json.key("notes"));
}

template <class Figure>
void write_figures(JsonText& json, const Report& report, std::string_view name, Figure figure) {
  json.key(name).begin_array();
  for (std::size_t i = 0; i < report.rows.size(); ++i) json.rounded(figure(i), digits);
  json.end_array();
}

void write_numbers(JsonText& json, const Report& report) {
  const auto number = [&](std::string_view name, auto figure) {
    write_figures(json, report, name, figure);
  };
  const auto measured = [&](std::string_view name, auto member) {
    number(name, [&report, member](std::size_t i) {
      const auto& measurement = report.rows[i].stored.measurement;
      return measurement ? static_cast<double>((*measurement).*member) : std::nan("");
    });
  };
  const auto of_place = [&](std::string_view name, auto figure) {
    number(name, [&](std::size_t i) { return static_cast<double>(figure(report.places[i])); });
  };
  measured("median_ns", &Measurement::median_ns);
  measured("ci_low_ns", &Measurement::ci_low_ns);
  measured("ci_high_ns", &Measurement::ci_high_ns);
  measured("min_ns", &Measurement::min_ns);
  measured("max_ns", &Measurement::max_ns);
  measured("mad_ns", &Measurement::mad_ns);
  measured("p25_ns", &Measurement::p25_ns);
  measured("p75_ns", &Measurement::p75_ns);
  measured("n_samples", &Measurement::n_samples);
  measured("batch", &Measurement::batch);
  const auto of_row = [&](std::string_view name, auto figure) {
    number(name, [&](std::size_t i) { return static_cast<double>(figure(report.rows[i])); });
  };
  const auto paired = [&](std::string_view name, auto member) {
    number(name, [&report, member](std::size_t i) {
      const auto& comparison = report.rows[i].stored.comparison;
      return comparison ? (*comparison).*member : std::nan("");
    });
  };
  paired("time_ratio", &Comparison::time_ratio);
  paired("ratio_ci_low", &Comparison::ci_low);
  paired("ratio_ci_high", &Comparison::ci_high);
  using Row = const ResultRow&;
  using Place = const RowPlace&;
  of_row("ordinal", [](Row row) { return row.stored.row.ordinal; });
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
  of_place("fastest", [](Place place) { return place.rank.fastest ? 1 : 0; });
  of_place("best", [](Place place) { return place.rank.best ? 1 : 0; });
  of_place("versus_best", [](Place place) {
    return place.comparison == RowPlace::none ? std::nan("") : place.rank.versus_best;
  });
}

void write_resources(JsonText& json, const Report& report) {
  std::map<std::string, bool> metrics;
  for (const ResultRow& row : report.rows) {
    for (const auto& [metric, value] : row.stored.resources) metrics[metric] = true;
  }
  json.key("resources").begin_object();
  for (const auto& [metric, known] : metrics) {
    write_figures(json, report, metric, [&](std::size_t i) { return report.rows[i].metric(metric); });
  }
  json.end_object();
}

void write_parameters(JsonText& json, const Report& report) {
  for (const bool of_problem : {true, false}) {
    const auto parameters = [&](const ResultRow& row) -> const Parameters& {
      return of_problem ? row.point().problem : row.point().tunables;
    };
    std::map<std::string, Coded> columns;
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
          column.add(to_json(found->second).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
        }
      }
      column.write(json.key(name));
    }
    json.end_object();
  }
}

/// Every k-th of the samples, so that at most `limit` are left.
std::vector<double> thinned(const std::vector<double>& samples, std::size_t limit) {
  if (samples.size() <= limit) return samples;
  std::vector<double> kept;
  for (std::size_t i = 0; i < limit; ++i) kept.push_back(samples[i * samples.size() / limit]);
  return kept;
}

/// What was read of the device beside the times, one value for each block of samples (the mean of its
/// readings): the clocks, watts and degrees, by metric.
std::map<std::string, std::vector<double>> traces(const std::vector<SampleRow>& rows) {
  std::map<std::string, std::vector<double>> result;
  for (const MetricInfo& metric : metric_table) {
    if (!metric.observed || (metric.unit != "MHz" && metric.unit != "W" && metric.unit != "°C")) continue;
    std::vector<double> trace;
    for (const SampleRow& row : rows) {
      const auto read = row.block.readings.find(metric.id);
      if (row.used && read != row.block.readings.end() && !read->second.empty()) {
        trace.push_back(stats::mean(read->second));
      }
    }
    if (!trace.empty()) result.emplace(metric.id, std::move(trace));
  }
  return result;
}

/// Raw samples of as many points as the budget allows, the fastest points first: {point: {ns, of, traces}}.
void write_samples(JsonText& json, const Report& report, std::size_t budget) {
  constexpr std::size_t least = 32;
  constexpr std::size_t most = 400;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    if (report.rows[i].stored.measurement) order.push_back(i);
  }
  std::ranges::stable_partition(order, [&](std::size_t i) { return report.places[i].rank.fastest; });
  const std::size_t each = order.empty() ? most : std::clamp(budget / order.size(), least, most);
  std::size_t left = budget;
  std::size_t shown = 0;
  json.key("samples").begin_object();
  for (const std::size_t i : order) {
    if (left < least) break;
    const ReportRun& run = report.runs[report.places[i].run];
    const std::vector<SampleRow> rows = run.source.store->samples(report.rows[i].stored.row.id);
    const std::vector<double> all = used_ns(rows);
    const std::vector<double> kept = thinned(all, std::min(each, left));
    left -= kept.size();
    ++shown;
    json.key(std::to_string(i)).begin_object().field("of", all.size()).key("ns").begin_array();
    for (const double ns : kept) json.rounded(ns, 6);
    json.end_array().key("traces").begin_object();
    for (const auto& [metric, trace] : traces(rows)) {
      json.key(metric).begin_array();
      for (const double value : thinned(trace, most)) json.rounded(value, 6);
      json.end_array();
    }
    json.end_object().end_object();
  }
  json.end_object();
  json.key("samples_of").begin_object().field("shown", shown).field("points", order.size()).end_object();
}

void write_runs(JsonText& json, const Report& report) {
  json.key("runs").begin_array();
  for (const ReportRun& run : report.runs) {
    const RunRow& row = run.row;
    json.begin_object()
        .field("label", run.label)
        .field("name", row.name)
        .field("title", row.title)
        .field("state", to_string(state_now(row)))
        .field("created_at", row.created_at)
        .field("finished_at", row.finished_at)
        .field("command", row.command)
        .field("benchctl", row.version)
        .field("seed", row.seed)
        .field("config", row.config_text);
    json.key("environment").begin_array();
    for (const EnvironmentValue& entry : run.environment) {
      json.begin_array().value(entry.key).value(entry.value).value(entry.entry_class).end_array();
    }
    json.end_array().key("events").begin_array();
    for (const EventRow& event : run.events) {
      json.begin_array().value(event.time).value(event.text).end_array();
    }
    json.end_array().key("points").begin_object();
    for (const auto& [status, count] : run.counts) json.field(to_string(status), count);
    json.end_object().end_object();
  }
  json.end_array();
}

void write_platforms(JsonText& json, const Report& report) {
  json.key("platforms").begin_array();
  for (const Platform& platform : report.platforms) {
    json.begin_object().field("label", platform.label).field("lane", platform.lane);
    json.field("backend", platform.known ? platform.device.backend : platform.lane);
    json.field("known", platform.known);
    if (platform.known) {
      json.key("device").raw(
          to_json(platform.device.device).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    }
    json.key("roofs").begin_object();
    for (const auto& [probe, per_second] : platform.roofs) json.field(probe, per_second);
    json.end_object().end_object();
  }
  json.end_array();
}

void write_comparisons(JsonText& json, const Report& report) {
  json.key("comparisons").begin_array();
  for (const IdenticalProblem& comparison : report.comparisons) {
    json.begin_object()
        .field("workload", comparison.workload)
        .field("problem", to_text(comparison.problem))
        .field("cache", to_string(comparison.cache))
        .field("launch", to_string(comparison.launch))
        .field("basis", to_string(comparison.basis))
        .key("platforms")
        .begin_array();
    for (const std::size_t platform : comparison.platforms) json.value(platform);
    json.end_array().end_object();
  }
  json.end_array();
  json.key("portability").begin_array();
  for (const Portability& entry : report.portability) {
    json.begin_object().field("comparison", entry.comparison).field("variant", entry.variant);
    json.key("application").begin_array();
    for (const double efficiency : entry.application) json.rounded(efficiency, digits);
    json.end_array().key("architectural").begin_array();
    for (const double efficiency : entry.architectural) json.rounded(efficiency, digits);
    json.end_array();
    json.key("application_score").rounded(entry.application_score, digits);
    json.key("architectural_score").rounded(entry.architectural_score, digits);
    json.end_object();
  }
  json.end_array();
}

void write_published(JsonText& json, const Report& report) {
  const std::vector<RowDevice> devices = row_devices(report);
  json.key("published").begin_array();
  for (const Published& published : published_of(report)) {
    json.begin_object()
        .field("source", published.source)
        .field("hardware", published.hardware)
        .field("metric", published.metric)
        .field("unit", published.unit)
        .field("axis", published.axis)
        .field("base", to_text(published.base().first));
    json.key("series").begin_array();
    for (const PublishedSeries& series : published_series(published, report.rows, devices)) {
      json.begin_object().field("key", series.key).key("entries").begin_array();
      for (const PublishedEntry& entry : series.entries) {
        json.begin_object().field("at", to_text(entry.at)).field("row", entry.row);
        json.key("published").rounded(entry.published, digits);
        json.key("published_ratio").rounded(entry.published_ratio, digits);
        json.key("measured").rounded(entry.measured, digits);
        json.key("measured_ratio").rounded(entry.measured_ratio, digits);
        json.end_object();
      }
      json.end_array().end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

void write_metrics(JsonText& json) {
  json.key("metrics").begin_object();
  for (const MetricInfo& metric : metric_table) {
    json.key(metric.id)
        .begin_object()
        .field("label", metric.label)
        .field("unit", metric.unit)
        .field("doc", metric.doc)
        .end_object();
  }
  json.end_object().key("statuses").begin_object();
  for (const StatusInfo& status : status_table) json.field(status.id, status.doc);
  json.end_object();
}

}  // namespace

std::string page_data(const Report& report, const PageOptions& options) {
  JsonText json;
  json.begin_object()
      .field("version", page_data_version)
      .field("title", report_title(report, options.title))
      .field("benchctl", BENCHCTL_VERSION)
      .field("generated", utc_now());
  json.key("warnings").begin_array();
  for (const std::string& warning : report.warnings) json.value(warning);
  json.end_array();
  json.key("differing").begin_array();
  for (const std::string_view entry_class : {"must_match", "should_match", "information"}) {
    for (const std::string& key : differing_keys(report, entry_class)) json.value(key);
  }
  json.end_array();
  write_metrics(json);
  write_runs(json, report);
  write_platforms(json, report);
  write_comparisons(json, report);
  write_published(json, report);
  json.key("points").begin_object().field("count", report.rows.size());
  write_texts(json, report);
  write_numbers(json, report);
  write_resources(json, report);
  write_parameters(json, report);
  json.end_object();
  write_samples(json, report, options.samples);
  if (!options.history.empty()) json.key("history").raw(options.history);
  return json.end_object().take();
}

}  // namespace benchctl
