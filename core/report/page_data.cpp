// The data of the page: runs, devices, tables, samples, and what else belongs to all points.
#include "model/json.hpp"
#include "model/metrics.hpp"
#include "report/format.hpp"
#include "report/headline.hpp"
#include "report/page.hpp"
#include "report/table.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <span>

namespace benchctl {

namespace {

using Json = nlohmann::ordered_json;

Json page_run(const ReportRun& run) {
  return {{"label", run.label},
          {"created_at", run.row.created_at},
          {"command", run.row.command},
          {"config", run.row.config_text},
          {"events", list_of(run.events, [](const EventRow& event) {
             return Json::array({event.time, event.text});
           })}};
}

/// A roof that charts draw, in GB/s or GFLOP/s: reading stands for the other roofs of a memory.
struct DrawnRoof {
  std::string label;
  double rate = 0;
  bool of_bytes = false;
};

/// Those of a device: of bytes, then of operations, the highest first.
std::vector<DrawnRoof> drawn_roofs(const Platform& platform) {
  std::vector<DrawnRoof> roofs;
  for (const auto& [probe, per_second] : platform.roofs) {
    const bool of_bytes = probe == "dram_read" || probe == "shared" || probe.starts_with("cache_");
    if (!of_bytes && !is_arithmetic(probe)) continue;
    RoofRow roof;
    roof.probe = probe;
    roof.per_second = per_second;
    roofs.push_back({probe + ' ' + roof_rate(roof), per_second / 1e9, of_bytes});
  }
  std::ranges::sort(roofs, {}, [](const DrawnRoof& roof) { return std::pair(!roof.of_bytes, -roof.rate); });
  return roofs;
}

/// What a chart shows of an axis on which all of them agree.
struct Frame {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;

  void include(double number) {
    low = std::min(low, number);
    high = std::max(high, number);
  }
};

/// Operations per byte at which the charts of roofs begin and end: all points and all corners of roofs lie
/// within.
Frame intensities(const Report& report) {
  Frame frame;
  for (const Platform& platform : report.platforms) {
    const std::vector<DrawnRoof> roofs = drawn_roofs(platform);
    for (const DrawnRoof& high : roofs) {
      for (const DrawnRoof& steep : roofs) {
        if (!high.of_bytes && steep.of_bytes) frame.include(high.rate / steep.rate);
      }
    }
  }
  for (const Result& row : report.rows) {
    if (const double intensity = row.intensity(); row.timed() && !std::isnan(intensity))
      frame.include(intensity);
  }
  return frame.high > 0 ? Frame{frame.low / 4, frame.high * 4} : Frame{1, 1};
}

/// With the lines of its roofs, from their left ends: `x` is operations per byte, `value` GFLOP/s.
Json page_platform(const Platform& platform, const Frame& frame) {
  const std::vector<DrawnRoof> roofs = drawn_roofs(platform);
  const auto highest = [&](bool of_bytes) {
    const auto found = std::ranges::find(roofs, of_bytes, &DrawnRoof::of_bytes);
    return found != roofs.end() ? found->rate : std::numeric_limits<double>::infinity();
  };
  const auto end = [](double x, double value) {
    return Json{{"x", short_number(x)}, {"value", short_number(value)}};
  };
  Json lines = Json::array();
  for (const auto& [label, rate, of_bytes] : roofs) {
    const double corner =
        of_bytes ? std::min(frame.high, highest(false) / rate) : std::max(frame.low, rate / highest(true));
    Json ends = of_bytes ? Json{end(frame.low, frame.low * rate), end(corner, corner * rate)}
                         : Json{end(corner, rate), end(frame.high, rate)};
    lines.push_back(Json{{"label", label}, {"of_bytes", of_bytes}, {"ends", std::move(ends)}});
  }
  return {{"label", platform.label},
          {"backend", platform.known ? platform.device.backend : platform.lane},
          {"roofs", std::move(lines)}};
}

/// The records of the first runs beside one another, those that differ first.
Json page_records(const Report& report) {
  constexpr std::size_t most_runs = 6;
  const auto runs = std::span(report.runs).first(std::min(most_runs, report.runs.size()));
  Json heads = {"key", "for a comparison"};
  std::map<std::string, std::vector<std::string>> records;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    heads.push_back(runs[run].label);
    for (const EnvironmentEntry& entry : runs[run].environment) {
      std::vector<std::string>& cells = records[entry.key];
      cells.resize(2 + runs.size(), "not recorded");
      cells[0] = entry.key;
      cells[1] = to_string(entry.entry_class);
      std::ranges::replace(cells[1], '_', ' ');
      cells[2 + run] = entry.value;
    }
  }
  std::vector<std::vector<std::string>> rows;
  for (auto& [key, cells] : records) rows.push_back(std::move(cells));
  std::stable_partition(rows.begin(), rows.end(), [](const auto& cells) {
    return std::any_of(cells.begin() + 2, cells.end(), [&](const auto& cell) { return cell != cells[2]; });
  });
  const std::string title = runs.size() < 2 ? "Record of the machine"
                                            : fmt::format("Records of {} of {} runs, what differs first",
                                                          runs.size(), report.runs.size());
  return {{"title", title}, {"heads", heads}, {"rows", rows}};
}

/// What was measured on what, as tables.
Json page_environment(const Report& report) {
  Json runs = Json::array();
  Json roofs = Json::array();
  for (const ReportRun& run : report.runs) {
    runs.push_back(Json::array({run.label, run.row.name, to_string(state_now(run.row)), run.row.created_at,
                                count_text(run.counts), run.row.version}));
    for (const RoofRow& roof : run.roofs) {
      Json& cells = roofs.emplace_back(Json::array({run.label}));
      for (const Cell& cell : cells_of(roof_columns(), roof)) cells.push_back(cell.text);
    }
  }
  Json devices = Json::array();
  for (const Platform& platform : report.platforms) {
    if (!platform.known) continue;
    const DeviceInfo& device = platform.device.device;
    const auto memory = static_cast<double>(device.limits.memory_bytes) / (1ULL << 30);
    devices.push_back(Json::array({platform.label, device.name, to_string(device.type), device.driver,
                                   device.architecture,
                                   device.compute_units > 0 ? std::to_string(device.compute_units) : "",
                                   memory > 0 ? fmt::format("{:.1f} GiB", memory) : "", device.physical}));
  }
  const auto table = [](const char* title, const Json& heads, const Json& rows) {
    return Json{{"title", title}, {"heads", heads}, {"rows", rows}};
  };
  return Json::array(
      {table("Runs", {"run", "name", "state", "begun", "points", "benchctl"}, runs),
       table("Devices", {"lane", "device", "kind", "driver", "architecture", "units", "memory", "hardware"},
             devices),
       table("Roofs, measured", {"run", "device", "roof", "measured", "±", "clock"}, roofs),
       page_records(report)});
}

Json page_headline(const Headline& headline) {
  return {{"title", headline.title},
          {"about", headline.asked()},
          {"axis", headline.axis},
          {"quantity", headline.quantity},
          {"lines", list_of(headline.lines,
                            [](const HeadlineLine& line) {
                              return Json::array({line.winner ? Json(*line.winner) : Json(nullptr),
                                                  line.device, line.answer, line.time, line.factors});
                            })},
          {"more", headline.more},
          {"rows", headline.rows},
          {"beside", headline.beside}};
}

/// Heads of a table, but for headings.
Json page_heads(const std::vector<TextColumn>& columns) {
  Json heads = Json::array();
  for (const TextColumn& column : columns) {
    if (column.is_heading) continue;
    const char* const kind = column.right ? "number" : column.title == "device" ? "key" : "wrap";
    heads.push_back(Json{{"title", column.title}, {"kind", kind}});
  }
  return heads;
}

/// A text, or [text, point].
Json page_cell(const Cell& cell) {
  return cell.row ? Json::array({cell.text, *cell.row}) : Json(cell.text);
}

/// The point that the row is about, then its cells.
Json page_section_row(const Section& section, const SectionRow& row) {
  Json cells = Json::array({row.about});
  for (std::size_t place = 0; place < section.columns.size(); ++place) {
    if (!section.columns[place].is_heading) cells.push_back(page_cell(row.cells[place]));
  }
  return cells;
}

Json page_section(const Section& section) {
  constexpr std::size_t most_rows = 2000;
  const auto rows = std::span(section.rows).first(std::min(most_rows, section.rows.size()));
  return {{"title", section.title},
          {"note", section.note},
          {"after", section.after},
          {"heads", page_heads(section.columns)},
          {"by_problem", section.columns.front().is_heading},
          {"rows", list_of(rows, [&](const SectionRow& row) { return page_section_row(section, row); })}};
}

Json page_published(const Published& published, const std::vector<PublishedSeries>& all) {
  const auto columns = published_columns(published);
  const auto entry_json = [&](const PublishedPair& entry) {
    return Json{{"at", to_text(entry.at)},
                {"row", entry.row},
                {"published", short_number(entry.published_ratio)},
                {"measured", short_number(entry.measured_ratio)},
                {"cells", list_of(cells_of(columns, entry), page_cell)}};
  };
  const MetricInfo* const metric = find_metric(published.metric);
  return {{"title", published.source + (published.hardware.empty() ? "" : ", on " + published.hardware)},
          {"figure", metric != nullptr ? std::string(metric->label) : published.metric},
          {"heads", page_heads(heads_of(columns))},
          {"axis", published.axis},
          {"base", fmt::format("{} = {}", published.axis, to_text(published.base().first))},
          {"series", list_of(all, [&](const PublishedSeries& series) {
             return Json{{"key", series.key}, {"entries", list_of(series.entries, entry_json)}};
           })}};
}

/// Samples, or blocks of a trace, of one point.
constexpr std::size_t most_of_point = 400;

/// Every k-th of the samples, so that at most `limit` are left.
std::vector<double> thinned(const std::vector<double>& samples, std::size_t limit) {
  if (samples.size() <= limit) return samples;
  std::vector<double> kept;
  for (std::size_t i = 0; i < limit; ++i) kept.push_back(samples[i * samples.size() / limit]);
  return kept;
}

/// What was read of the device beside the times, one value for each block of samples (the mean of its
/// readings). One value where all are the same, null where there is none.
Json trace(const std::vector<SampleRow>& rows, std::string_view metric) {
  std::vector<double> values;
  for (const SampleRow& row : rows) {
    const auto read = row.block.readings.find(metric);
    if (row.used && read != row.block.readings.end() && !read->second.empty()) {
      values.push_back(stats::mean(read->second));
    }
  }
  if (values.empty()) return nullptr;
  if (std::ranges::count(values, values[0]) == std::ssize(values)) return short_number(values[0]);
  return list_of(thinned(values, most_of_point), short_number);
}

/// What the chart of a distribution shows in bars of their own: the range and as much again on both sides.
/// Null without a range.
Json near_times(const Measurement& measurement) {
  if (measurement.n_samples < 2) return nullptr;
  const TimeRange range = range_of(measurement);
  const double width = std::max(range.high_ns - range.low_ns, 0.01 * measurement.median_ns);
  return {short_number(range.low_ns - width), short_number(range.high_ns + width)};
}

/// Raw samples of as many points as `budget` numbers allow, the fastest points first, column by column. A
/// sample is `from` + `step` × one of its `steps`, in nanoseconds.
Json page_samples(const Report& report, std::size_t budget) {
  constexpr std::size_t least = 32;
  constexpr double precision = 1e-4;  // as a share of the shortest
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const Result& stored = report.rows[i];
    if (stored.measurement && !stored.notes.contains(pruned_note)) order.push_back(i);
  }
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t i) { return report.places[i].rank.mark() == "*"; });
  const std::size_t each =
      order.empty() ? most_of_point : std::clamp(budget / order.size(), least, most_of_point);
  Json samples = {{"points", order.size()}, {"traces", Json::array()}};
  for (const char* column : {"point", "of", "near", "from", "step", "steps"})
    samples[column] = Json::array();
  Json& traces = samples["traces"];
  for (const MetricInfo& metric : metric_table) {
    if (!metric.observed || (metric.unit != "MHz" && metric.unit != "W" && metric.unit != "°C")) continue;
    traces.push_back(Json{{"metric", metric.id},
                          {"label", metric.label},
                          {"unit", metric.unit},
                          {"doc", metric.doc},
                          {"values", Json::array()}});
  }
  for (const std::size_t i : order) {
    if (budget < least) break;
    const Result& stored = report.rows[i];
    const std::vector<SampleRow> rows =
        report.runs[report.places[i].run].source.store->samples(stored.row.id);
    const std::vector<double> all = used_ns(rows);
    const std::vector<double> shown = thinned(all, std::min(each, budget));
    const double from = shown.empty() ? 0 : std::ranges::min(shown);
    const double wanted = std::strtod(fmt::format("{:.1e}", from * precision).c_str(), nullptr);
    const double step = std::isnormal(wanted) && wanted > 0 ? wanted : 1;
    std::size_t numbers = shown.size();
    samples["point"].push_back(i);
    samples["of"].push_back(all.size());
    samples["near"].push_back(near_times(*stored.measurement));
    samples["from"].push_back(short_number(from));
    samples["step"].push_back(short_number(step));
    samples["steps"].push_back(
        list_of(shown, [&](double ns) { return short_number(std::round((ns - from) / step)); }));
    for (Json& one : traces) {
      Json values = trace(rows, one["metric"].get<std::string>());
      numbers += values.size();
      one["values"].push_back(std::move(values));
    }
    budget -= std::min(budget, numbers);
  }
  return samples;
}

}  // namespace

Json short_number(double number) {
  if (!std::isfinite(number)) return nullptr;
  // Larger ones are shorter with an exponent, which a double gets.
  const auto is_whole = [&] { return number == std::trunc(number) && std::abs(number) < 1e15; };
  if (!is_whole()) {
    constexpr int digits = 5;
    std::array<char, 64> figures{};
    const auto end =
        std::to_chars(figures.begin(), figures.end(), number, std::chars_format::general, digits);
    std::from_chars(figures.begin(), end.ptr, number);
  }
  return is_whole() ? Json(static_cast<std::int64_t>(number)) : Json(number);
}

void add_member(std::string& object, std::string_view name, std::string_view json) {
  if (object != "{") object += ',';
  object.append(one_line(Json(name))).append(":").append(json);
}

std::string page_data(const Report& report, const PageOptions& options) {
  const std::vector<RowDevice> devices = row_devices(report);
  const auto with_series = [&](const Published& published) {
    return page_published(published, published_series(published, report.rows, devices));
  };
  const Frame frame = intensities(report);
  const auto with_lines = [&](const Platform& platform) { return page_platform(platform, frame); };
  Json statuses = Json::object();
  for (const StatusInfo& status : status_table) statuses[std::string(status.id)] = status.doc;
  std::string text = one_line(Json{{"title", report_title(report)},
                                   {"benchctl", BENCHCTL_VERSION},
                                   {"generated", utc_now()},
                                   {"warnings", report.warnings},
                                   {"statuses", std::move(statuses)},
                                   {"runs", list_of(report.runs, page_run)},
                                   {"runs_repeat", std::ranges::any_of(report.places, &RowPlace::older)},
                                   {"platforms", list_of(report.platforms, with_lines)},
                                   {"intensities", {short_number(frame.low), short_number(frame.high)}},
                                   {"headlines", list_of(headlines_of(report), page_headline)},
                                   {"sections", list_of(sections_of(report), page_section)},
                                   {"published", list_of(published_of(report), with_series)},
                                   {"environment", page_environment(report)},
                                   {"quantities", page_quantities()},
                                   {"facts", page_facts(report)}});
  text.pop_back();  // more members follow
  add_member(text, "points", page_points(report));
  add_member(text, "samples", one_line(page_samples(report, options.samples)));
  if (!options.history.empty()) add_member(text, "history", options.history);
  return text + '}';
}

}  // namespace benchctl
