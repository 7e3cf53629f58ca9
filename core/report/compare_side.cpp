#include "report/compare_side.hpp"

#include "config/digest.hpp"
#include "model/json.hpp"
#include "model/json_words.hpp"
#include "model/words.hpp"
#include "report/export.hpp"
#include "report/report.hpp"
#include "stats/ratio.hpp"
#include "stats/summary.hpp"
#include "store/store.hpp"

#include <fmt/format.h>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace benchctl {

namespace {

ComparedPoint compared(Result row) {
  ComparedPoint point;
  if (const double number = row.metric("replicates"); std::isfinite(number)) point.replicates = number;
  point.picked = row.note("configuration");
  point.stored = row.row.id;
  point.measurement = std::move(row.measurement);
  point.point = std::move(row.row.point);
  return point;
}

}  // namespace

bool ComparedPoint::timed() const { return has_time(point.status, measurement); }

FileDigests file_digests(const Store& store, RunId run) {
  FileDigests digests;
  for (const RunFile& file : store.files(run)) digests[file.name] = digest_text(file.contents);
  return digests;
}

std::vector<std::string> changed_files(const FileDigests& before, const FileDigests& after) {
  std::map<std::string, std::pair<std::string, std::string>> files;  // an empty digest: no such file
  for (const auto& [name, digest] : before) files[name].first = digest;
  for (const auto& [name, digest] : after) files[name].second = digest;
  std::vector<std::string> words;
  for (const auto& [name, digests] : files) {
    const auto& [old, now] = digests;
    if (old != now)
      words.push_back(visible(name) + (old.empty() ? " is new" : now.empty() ? " is gone" : " changed"));
  }
  return words;
}

CompareSide side_of(const Store& store, RunId run) {
  CompareSide side;
  side.label = fmt::format("run {} of {}", to_number(run), store.path().filename());
  side.run = existing_run(store, run);
  side.store = &store;
  side.files = file_digests(store, run);
  side.circumstances = {recorded_environment(store, side.run), store.lanes(run)};
  side.points.reserve(store.point_count(run));
  store.each_result(run, [&](Result&& stored) { side.points.push_back(compared(std::move(stored))); });
  return side;
}

void name_apart(CompareSide& base, CompareSide& fresh) {
  if (base.store == nullptr || fresh.store == nullptr) return;
  const auto& one = base.store->path();
  const auto& other = fresh.store->path();
  if (one == other || one.filename() != other.filename()) return;
  for (CompareSide* side : {&base, &fresh})
    side->label = fmt::format("run {} of {}", to_number(side->run.id), side->store->path());
}

void read_rounds(CompareSide& side) {
  for (ComparedPoint& point : side.points) {
    if (!point.timed()) continue;
    for (const SampleRow& row : side.store->samples(point.stored)) {
      if (row.used && stats::have_ratios(row.block.ns))
        point.rounds[{row.replicate, row.round}] = stats::median(row.block.ns);
    }
  }
}

// The intervals that a comparison stands on.

namespace {

constexpr double confidence = 0.95;
/// Where a rule has looked at the samples to decide when to stop, intervals at this level hold in 95 of 100
/// cases (docs/statistics.md, "When sampling stops").
constexpr double confidence_after_looks = 0.96;

bool usable(const std::vector<std::vector<double>>& samples) {
  return !samples.empty() && std::ranges::all_of(samples, stats::have_ratios);
}

stats::MedianEstimate from_samples(const std::vector<std::vector<double>>& samples, bool looked,
                                   std::size_t comparisons) {
  const double level = stats::bonferroni_confidence(
      looked && samples.size() == 1 ? confidence_after_looks : confidence, comparisons);
  if (samples.size() == 1) {
    const std::vector<double>& series = samples.front();
    return {stats::median(series), stats::block_interval(series, level)};
  }
  std::vector<double> pooled;
  std::vector<double> medians;
  for (const std::vector<double>& series : samples) {
    pooled.insert(pooled.end(), series.begin(), series.end());
    medians.push_back(stats::median(series));
  }
  stats::MedianEstimate result{stats::median(pooled), stats::median_interval(pooled, level)};
  // An interval of one process does not contain differences between processes.
  const stats::RatioEstimate scatter = stats::mean_ratio(medians, level);
  result.interval.low =
      std::fmin(result.interval.low, result.median * scatter.interval.low / scatter.ratio);
  result.interval.high =
      std::fmax(result.interval.high, result.median * scatter.interval.high / scatter.ratio);
  return result;
}

/// How much wider an interval is at the joint level: Student's over processes, or over the blocks of one.
double widening(double values, std::size_t comparisons) {
  const double one = (1 + confidence) / 2;
  const double all = (1 + stats::bonferroni_confidence(confidence, comparisons)) / 2;
  const boost::math::students_t distribution(values - 1);
  return boost::math::quantile(distribution, all) / boost::math::quantile(distribution, one);
}

stats::MedianEstimate from_interval(const ComparedPoint& point, std::size_t comparisons) {
  const Measurement& m = *point.measurement;
  stats::MedianEstimate result{m.median_ns, {m.ci_low_ns, m.ci_high_ns}};
  if (comparisons <= 1 || !result.interval.known()) return result;
  if (!(m.ci_low_ns > 0)) return {m.median_ns, {no_number, no_number}};
  const double values = point.replicates.value_or(
      static_cast<double>(std::clamp<std::uint64_t>(m.n_samples, 2, stats::blocks_of_series)));
  const double factor = widening(values, comparisons);
  result.interval.low = m.median_ns * std::pow(m.ci_low_ns / m.median_ns, factor);
  result.interval.high = m.median_ns * std::pow(m.ci_high_ns / m.median_ns, factor);
  return result;
}

}  // namespace

RowReader row_reader(const CompareSide& side) {
  using Json = nlohmann::ordered_json;
  std::function<Result(PointId)> stored;
  if (side.store != nullptr) stored = side.store->result_reader();
  return [&side, stored](std::optional<std::size_t> place) -> Json {
    if (!place) return nullptr;
    const ComparedPoint& point = side.points[*place];
    return stored ? row_json(stored(point.stored)) : Json::parse(point.row);
  };
}

TimesReader times_reader(const CompareSide& side) {
  if (side.store == nullptr) return &ComparedPoint::samples;
  return [read = side.store->times_reader()](const ComparedPoint& point) { return read(point.stored); };
}

stats::MedianEstimate median_estimate(const ComparedPoint& point, const TimesReader& times,
                                      std::size_t comparisons) {
  // One alone: the interval that tables show.
  if (comparisons <= 1) return from_interval(point, 1);
  const std::vector<std::vector<double>> samples = times(point);
  if (!usable(samples)) return from_interval(point, comparisons);
  return from_samples(samples, point.measurement->stop != StopReason::fixed, comparisons);
}

std::vector<double> process_medians(const ComparedPoint& point, const TimesReader& times) {
  std::vector<double> medians;
  for (const std::vector<double>& series : times(point)) {
    if (stats::have_ratios(series)) medians.push_back(stats::median(series));
  }
  return medians;
}

double processes_of(const ComparedPoint& point) {
  return in_reason(point.replicates.value_or(static_cast<double>(point.samples.size())));
}

// Runs from documents that benchctl has written.

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
  const std::string label = row.value("label", "");
  if (const std::string own = point.label() + ' '; label.starts_with(own))
    point.apart = label.substr(own.size());
  const auto status = parse_status(row.at("status").get<std::string>());
  if (!status) throw std::invalid_argument("unknown status");
  point.status = *status;
  if (!row.at("median_ns").is_null()) compared.measurement = measurement_of(row);
  if (const double number = number_of(row, "replicates"); std::isfinite(number))
    compared.replicates = number;
  if (const auto samples = row.find("samples_ns"); samples != row.end() && !compared.replicates) {
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
  if (const auto files = run.find("files"); files != run.end()) side.files = files->get<FileDigests>();
  const auto first = integer_from<std::size_t>(run.at("first_row"));
  const auto count = integer_from<std::size_t>(run.at("row_count"));
  for (std::size_t i = 0; i < count; ++i)
    side.points.push_back(point_of(document.at("rows").at(first + i)));
  return side;
}

CompareSide read(const json& document, const std::string& name, std::optional<std::int64_t> run) {
  if (document.value("schema", "") != "benchctl.report") {
    throw DocumentError(
        fmt::format("'{}' is JSON, but no document of `benchctl export --format json`", name));
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
