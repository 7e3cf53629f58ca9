// Runs from documents that benchctl has written.
#include "model/json.hpp"
#include "model/json_depth.hpp"
#include "model/json_words.hpp"
#include "model/metrics.hpp"
#include "report/compare_side.hpp"
#include "report/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace benchctl {

namespace {

using nlohmann::json;

template <class Enum>
Enum word_of(const json& row, const char* key) {
  const auto value = parse_enum<Enum>(row.at(key).get<std::string>());
  if (!value) throw std::invalid_argument(fmt::format("unknown word '{}'", row.at(key).get<std::string>()));
  return *value;
}

double number_of(const json& row, const char* key) {
  const auto found = row.find(key);
  return found != row.end() && found->is_number() ? found->get<double>() : no_number;
}

Measurement measurement_of(const json& row) {
  Measurement m;
  m.median_ns = row.at("median_ns").get<double>();
  m.ci_low_ns = number_of(row, "ci_low_ns");
  m.ci_high_ns = number_of(row, "ci_high_ns");
  m.n_samples = integer_from<std::uint64_t>(row.at("n_samples"));
  m.stop = word_of<StopReason>(row, "stop");
  return m;
}

ComparedPoint point_of(const json& row) {
  ComparedPoint compared;
  Point& point = compared.point;
  compared.ordinal = integer_from<std::uint64_t>(row.at("point"));
  compared.content_key = row.at("content_key").get<std::string>();
  row.at("workload").get_to(point.workload);
  row.at("variant").get_to(point.variant);
  row.at("backend").get_to(point.backend);
  row.at("device").get_to(point.device);
  row.at("layout").get_to(point.layout);
  row.at("reason").get_to(point.reason);
  point.problem = parameters_from_json(row.at("problem"));
  point.tunables = parameters_from_json(row.at("tunables"));
  point.measure.basis = word_of<Basis>(row, "basis");
  point.measure.cache = word_of<CacheMode>(row, "cache");
  point.measure.launch = word_of<LaunchMode>(row, "launch");
  const auto status = parse_status(row.at("status").get<std::string>());
  if (!status) throw std::invalid_argument("unknown status");
  point.status = *status;
  if (!row.at("median_ns").is_null()) compared.measurement = measurement_of(row);
  for (const auto& [column, value] : row.items()) {
    if (value.is_number() && column != "median_ns") compared.metrics.set(column, value.get<double>());
  }
  if (const auto samples = row.find("samples_ns");
      samples != row.end() && !compared.metrics.has("replicates")) {
    // One list of several replicates' samples does not tell which is whose.
    std::vector<double>& times = compared.samples.emplace_back();
    for (const json& time : *samples) times.push_back(time.is_null() ? no_number : time.get<double>());
  }
  json kept = row;
  kept.erase("samples_ns");
  compared.row = one_line(kept);
  return compared;
}

RunRow run_of(const json& head) {
  RunRow run;
  run.id = RunId{integer_from<std::int64_t>(head.at("id"))};
  head.at("name").get_to(run.name);
  head.at("title").get_to(run.title);
  head.at("created_at").get_to(run.created_at);
  head.at("config").get_to(run.config_text);
  head.at("benchctl").get_to(run.version);
  run.state = word_of<RunState>(head, "state");
  return run;
}

/// The run that is meant, among those of a report.
const json& chosen_run(const json& runs, const std::string& name, std::optional<std::int64_t> wanted) {
  std::vector<const json*> chosen;
  for (const json& run : runs) {
    if (!wanted || run.at("id") == *wanted) chosen.push_back(&run);
  }
  if (chosen.size() == 1) return *chosen.front();
  if (chosen.empty() && runs.size() == 1)
    throw DocumentError(
        fmt::format("'{}' holds run {}, not run {}", name, runs[0].at("id").dump(), *wanted));
  throw DocumentError(fmt::format(
      "'{}' is a report of {} runs{}: write {}:RUN", name, runs.size(),
      wanted ? fmt::format(", {} of them with the number {}", chosen.size(), *wanted) : "", name));
}

CompareSide side_of_run(const json& document, const json& run) {
  CompareSide side;
  side.run = run_of(run);
  side.circumstances.environment = environment_from_json_text(one_line(run.at("environment")));
  for (const json& device : run.at("devices"))
    side.circumstances.lanes.push_back({device.at("backend").get<std::string>(), device_from_json(device)});
  const auto first = integer_from<std::size_t>(run.at("first_row"));
  const auto count = integer_from<std::size_t>(run.at("row_count"));
  for (std::size_t i = 0; i < count; ++i)
    side.points.push_back(point_of(document.at("rows").at(first + i)));
  return side;
}

CompareSide read(const json& document, const std::string& name, std::optional<std::int64_t> run) {
  if (document.value("schema", "") != "benchctl.report") {
    throw DocumentError(
        fmt::format("'{}' is JSON, but no document of `benchctl export --format json` or `benchctl report "
                    "--format json`",
                    name));
  }
  return side_of_run(document, chosen_run(document.at("runs"), name, run));
}

}  // namespace

CompareSide side_of_document(const std::string& text, const std::string& name,
                             std::optional<std::int64_t> run) {
  try {
    refuse_deep_json(text);
    const json document = json::parse(text);
    if (!document.is_object()) throw std::invalid_argument("no object");
    CompareSide side = read(document, name, run);
    side.label = name;
    return side;
  } catch (const json::parse_error& error) {
    throw DocumentError(
        fmt::format("'{}' is neither a store nor a whole JSON document (it goes wrong at byte {}): "
                    "export the run again with this benchctl, or name a run or a store",
                    name, error.byte));
  } catch (const json::exception& error) {
    throw DocumentError(fmt::format("'{}' cannot be compared ({}): export the run again with this benchctl",
                                    name, error.what()));
  } catch (const std::invalid_argument& error) {
    throw DocumentError(fmt::format("'{}' cannot be compared ({}): export the run again with this benchctl",
                                    name, error.what()));
  }
}

}  // namespace benchctl
