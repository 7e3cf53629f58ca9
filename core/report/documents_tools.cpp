// The report for programs of others.
#include "report/documents.hpp"
#include "report/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace benchctl {

namespace {

std::string environment_value(const Report& report, std::string_view key) {
  for (const ReportRun& run : report.runs) {
    const auto found = std::ranges::find(run.environment, key, &EnvironmentValue::key);
    if (found != run.environment.end()) return found->value;
  }
  return "unknown";
}

std::vector<double> samples_of(const Report& report, std::size_t row) {
  const ReportSource& source = report.runs[report.places[row].run].source;
  return used_ns(source.store->samples(report.rows[row].stored.row.id));
}

// --- Google Benchmark ---

/// `matmul/tiled/cuda:0/dtype:f32/n:512/tile:16`: its way to name arguments. A slash separates parts.
std::string benchmark_name(const Report& report, std::size_t row) {
  const Point& point = report.rows[row].point();
  std::string name = fmt::format("{}/{}/{}", point.workload, point.variant,
                                 report.platforms[report.places[row].platform].label);
  const auto add = [&](const std::string& key, const std::string& value) {
    name += fmt::format("/{}:{}", key, value);
  };
  for (const auto* parameters : {&point.problem, &point.tunables}) {
    for (const auto& [key, value] : *parameters) add(key, to_text(value));
  }
  if (!point.layout.empty()) add("layout", point.layout);
  add("basis", std::string(to_string(point.measure.basis)));
  add("cache", std::string(to_string(point.measure.cache)));
  add("launch", std::string(to_string(point.measure.launch)));
  if (report.runs.size() > 1) add("run", report.runs[report.places[row].run].label);
  return name;
}

class GoogleBenchmark {
 public:
  GoogleBenchmark(JsonText& json, const Report& report, bool samples)
      : json_(json), report_(report), samples_(samples) {}

  void write(std::size_t row) {
    const ResultRow& result = report_.rows[row];
    const StatusClass status_class = info(result.point().status).status_class;
    if (status_class == StatusClass::ruled_out || status_class == StatusClass::open) return;
    row_ = row;
    name_ = benchmark_name(report_, row);
    if (!result.timed()) {
      begin(name_, "iteration", 1, 0);
      json_.field("error_occurred", true);
      json_.field("error_message",
                  fmt::format("{}: {}", to_string(result.point().status), result.point().reason));
      json_.field("iterations", 0).field("real_time", 0.0).field("cpu_time", 0.0).field("time_unit", "ns");
      json_.end_object();
    } else if (!samples_) {
      begin(name_, "iteration", 1, 0);
      times(result.stored.measurement->median_ns, executions());
    } else {
      write_samples();
    }
    ++family_;
  }

 private:
  [[nodiscard]] std::uint64_t executions() const {
    const Measurement& measurement = *report_.rows[row_].stored.measurement;
    return measurement.n_samples * measurement.batch;
  }

  void begin(const std::string& name, std::string_view type, std::size_t repetitions, std::size_t index) {
    json_.begin_object()
        .field("name", name)
        .field("family_index", family_)
        .field("per_family_instance_index", 0)
        .field("run_name", name_)
        .field("run_type", type)
        .field("repetitions", repetitions);
    if (type == "iteration") json_.field("repetition_index", index);
    json_.field("threads", 1);
  }

  void times(double ns, std::uint64_t iterations) {
    json_.field("iterations", iterations)
        .field("real_time", ns)
        .field("cpu_time", ns)
        .field("time_unit", "ns");
    const Cost& cost = report_.rows[row_].stored.row.cost;
    const double bytes = cost.bytes_read + cost.bytes_written;
    // Rates per second; times are in nanoseconds.
    if (bytes > 0) json_.field("bytes_per_second", bytes / ns * 1e9);
    if (cost.flops > 0) json_.field("items_per_second", cost.flops / ns * 1e9);
    json_.field("label", std::string(to_string(report_.rows[row_].point().status)));
    json_.end_object();
  }

  void aggregate(std::string_view which, double ns, std::size_t repetitions) {
    begin(fmt::format("{}_{}", name_, which), "aggregate", repetitions, 0);
    json_.field("aggregate_name", which).field("aggregate_unit", "time");
    times(ns, repetitions);
  }

  void write_samples() {
    const std::vector<double> samples = samples_of(report_, row_);
    const Measurement& measurement = *report_.rows[row_].stored.measurement;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      begin(name_, "iteration", samples.size(), i);
      times(samples[i], measurement.batch);
    }
    aggregate("mean", measurement.mean_ns, samples.size());
    aggregate("median", measurement.median_ns, samples.size());
  }

  JsonText& json_;
  const Report& report_;
  bool samples_;
  std::size_t row_ = 0;
  std::size_t family_ = 0;
  std::string name_;
};

// --- T4 ---

std::string_view invalidity(Status status) {
  switch (status) {
    case Status::ok:
    case Status::unstable:
      return "correct";
    case Status::wrong:
    case Status::implausible:
      return "correctness";
    case Status::compile_error:
      return "compile";
    case Status::timeout:
      return "timeout";
    case Status::skipped:
      return "constraints";
    case Status::launch_error:
    case Status::out_of_memory:
    case Status::crashed:
    case Status::not_run:
      break;
  }
  return "runtime";
}

void write_configuration(JsonText& json, const Report& report, std::size_t row) {
  const Point& point = report.rows[row].point();
  json.key("configuration").begin_object();
  json.field("workload", point.workload).field("variant", point.variant);
  json.field("device", report.platforms[report.places[row].platform].label);
  if (!point.layout.empty()) json.field("layout", point.layout);
  for (const auto* parameters : {&point.problem, &point.tunables}) {
    for (const auto& [name, value] : *parameters) {
      json.key(name);
      std::visit([&](const auto& content) { json.value(content); }, value);
    }
  }
  json.end_object();
}

void write_t4(JsonText& json, const Report& report, std::size_t index, bool samples) {
  const ResultRow& row = report.rows[index];
  json.begin_object().field("timestamp", report.runs[report.places[index].run].row.created_at);
  write_configuration(json, report, index);
  json.key("objectives").begin_array().value("time").end_array();
  json.key("times").begin_object().key("runtimes").begin_array();
  // Milliseconds, as Kernel Tuner writes them.
  if (row.timed() && samples) {
    for (const double ns : samples_of(report, index)) json.value(ns / 1e6);
  } else if (row.timed()) {
    json.value(row.stored.measurement->median_ns / 1e6);
  }
  json.end_array().end_object();
  json.field("invalidity", invalidity(row.point().status));
  json.field("correctness", row.timed() ? 1 : 0);
  json.key("measurements").begin_array();
  const auto measurement = [&](std::string_view name, double value, std::string_view unit) {
    if (!std::isfinite(value)) return;
    json.begin_object().field("name", name).field("value", value).field("unit", unit).end_object();
  };
  if (row.timed()) {
    measurement("time", row.stored.measurement->median_ns / 1e6, "ms");
    measurement("time_ci_low", row.stored.measurement->ci_low_ns / 1e6, "ms");
    measurement("time_ci_high", row.stored.measurement->ci_high_ns / 1e6, "ms");
    measurement("gflops", row.gflops, "GFLOP/s");
    measurement("gbytes_per_s", row.gbytes_per_s, "GB/s");
  }
  json.end_array().end_object();
}

}  // namespace

std::string google_benchmark_json(const Report& report, const DocumentOptions& options) {
  JsonText json;
  json.begin_object().key("context").begin_object();
  json.field("date", report.runs.empty() ? utc_now() : report.runs.front().row.created_at);
  json.field("host_name", environment_value(report, "system.host"))
      .field("executable", report.runs.empty() ? std::string("benchctl") : report.runs.front().row.command);
  json.field("num_cpus", std::atoi(environment_value(report, "cpu.usable").c_str()))
      .field("mhz_per_cpu", 0)
      .field("cpu_scaling_enabled", false);
  json.key("caches").begin_array().end_array().key("load_avg").begin_array().end_array();
  json.field("library_version", "benchctl " BENCHCTL_VERSION)
      .field("library_build_type", "release")
      .field("json_schema_version", 1);
  json.end_object().key("benchmarks").begin_array();
  GoogleBenchmark writer(json, report, options.samples);
  for (std::size_t row = 0; row < report.rows.size(); ++row) writer.write(row);
  return json.end_array().end_object().take() + '\n';
}

std::string t4_json(const Report& report, const DocumentOptions& options) {
  JsonText json;
  json.begin_object().field("schema_version", "1.0.0").key("results").begin_array();
  for (std::size_t row = 0; row < report.rows.size(); ++row) {
    if (info(report.rows[row].point().status).status_class == StatusClass::open) continue;
    write_t4(json, report, row, options.samples);
  }
  return json.end_array().end_object().take() + '\n';
}

}  // namespace benchctl
