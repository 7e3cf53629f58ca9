// What became of a point, how far its numbers can be trusted, and what else went on on the machine.
#include "report/explain.hpp"

#include "model/json.hpp"
#include "model/metrics.hpp"
#include "model/words.hpp"
#include "observe/busy_processes.hpp"
#include "observe/control_groups.hpp"
#include "report/format.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace benchctl {

namespace {

/// With a capital letter and a full stop.
std::string sentence(std::string_view text) {
  std::string whole(text);
  if (whole.empty()) return whole;
  if (whole[0] >= 'a' && whole[0] <= 'z') whole[0] = static_cast<char>(whole[0] - 'a' + 'A');
  if (whole.back() != '.' && whole.back() != '\n') whole += '.';
  return whole;
}

/// Samples beyond the quartiles by this many interquartile ranges are far out (Tukey, "Exploratory Data
/// Analysis", 1977).
constexpr double far_out = 3.0;
/// Medians of the first and last third that differ by more than this, and by more than the quartiles do,
/// are worth a remark.
constexpr double notable_drift = 0.01;

Finding status_of(const PointStory& story) {
  const Point& point = story.choice.point();
  std::string text = fmt::format("{}: {}", to_string(point.status), sentence(info(point.status).doc));
  if (!point.reason.empty()) text += fmt::format("\nReason: {}", sentence(point.reason));
  if (point.expect == Expect::wrong) text += "\nThe config expects wrong results of it.";
  if (const auto& source = story.choice.row().row.reused_from) {
    text += fmt::format("\nIts measurement was taken over from an older run (stored point {}).",
                        to_number(*source));
  }
  if (const std::string_view advice = info(point.status).advice; !advice.empty())
    text += '\n' + fmt::format(fmt::runtime(advice), story.choice.name());
  return {"status", text};
}

Finding device_of(const PointStory& story) {
  const Lane* lane = story.choice.lane();
  if (lane == nullptr) return {"device", "The run had no such device."};
  const DeviceInfo& device = lane->device;
  return {"device", fmt::format("{} ({}, {}), {} compute units.", device.name, device.driver,
                                device.architecture, device.compute_units)};
}

/// What the device allows, where that decided or can have decided.
void add_limits(std::vector<Finding>& findings, const PointStory& story) {
  const Lane* lane = story.choice.lane();
  const Status status = story.choice.point().status;
  const bool decides =
      status == Status::skipped || status == Status::out_of_memory || status == Status::launch_error;
  if (lane == nullptr || !decides) return;
  const DeviceLimits& limits = lane->device.limits;
  Finding finding{"limits", ""};
  const auto add = [&](const char* what, const char* id, std::uint64_t value, const std::string& text) {
    if (value == 0) return;
    finding.text += fmt::format("{}{} {}", finding.text.empty() ? "The device offers " : ", ", text, what);
    finding.figures[id] = static_cast<double>(value);
  };
  add("of memory", "memory_bytes", limits.memory_bytes, bytes_text(limits.memory_bytes));
  add("in one piece", "max_allocation_bytes", limits.max_allocation_bytes,
      bytes_text(limits.max_allocation_bytes));
  add("of shared (local) memory per block", "local_memory_bytes", limits.local_memory_bytes,
      bytes_text(limits.local_memory_bytes));
  add("threads per block", "max_block_threads", limits.max_block_threads,
      fmt::format("{}", limits.max_block_threads));
  if (finding.text.empty()) return;
  finding.text += '.';
  findings.push_back(std::move(finding));
}

/// Both are told at once where they say the same.
void add_verifications(std::vector<Finding>& findings, const PointStory& story) {
  std::string before;
  for (const auto& [phase, check] : story.choice.row().verifications) {
    Finding finding{"verification", check.ok ? "right" : "wrong"};
    if (!std::isnan(check.error_norm) && !std::isnan(check.tolerance_norm)) {
      finding.text += fmt::format(", the norm of the error is {:.2g} where {:.2g} is allowed",
                                  check.error_norm, check.tolerance_norm);
      finding.figures["error_norm"] = check.error_norm;
      finding.figures["tolerance_norm"] = check.tolerance_norm;
    }
    if (!check.worst_element.empty() && std::isfinite(check.worst_error)) {
      finding.text += fmt::format("; the worst element, {}, is off by {:.2g} of {:.2g} allowed",
                                  check.worst_element, check.worst_error, check.worst_tolerance);
    }
    finding.text += fmt::format("; {} elements compared", format_count(check.checked));
    if (check.not_a_number > 0) finding.text += fmt::format(", {} of them no number", check.not_a_number);
    if (check.guard_bytes_changed > 0) {
      finding.text +=
          fmt::format("; {} bytes past a buffer's end were overwritten", check.guard_bytes_changed);
    }
    finding.text += '.';
    finding.figures["checked"] = static_cast<double>(check.checked);
    const bool same = finding.text == before;
    before = finding.text;
    if (same) findings.pop_back();
    finding.text.insert(0, same                                 ? "Before and after timing: "
                           : phase == VerificationPhase::before ? "Before timing: "
                                                                : "After timing: ");
    findings.push_back(std::move(finding));
  }
  if (story.choice.row().verifications.empty() && story.choice.row().timed()) {
    findings.push_back({"verification", "None is stored for the point."});
  }
}

std::string stop_text(const Measurement& measurement, const MeasureSettings& settings) {
  switch (measurement.stop) {
    case StopReason::target:
      return fmt::format("the interval was within the target of ±{}", format_percent(settings.target));
    case StopReason::slower:
      return "it was shown slower than the fastest";
    case StopReason::fixed:
      return "that many were asked for";
    case StopReason::max_samples:
      return fmt::format("max_samples = {} was reached", settings.max_samples);
    case StopReason::max_seconds:
      return fmt::format("the point's time, max_seconds = {:g}, was used up", settings.max_seconds);
    case StopReason::budget:
      return "the budget of the run was used up";
    case StopReason::interrupted:
      return "the run was interrupted";
  }
  return std::string(to_string(measurement.stop));
}

Finding sampling_of(const Result& row, const Lane* lane) {
  const Measurement& m = *row.measurement;
  const MeasureSettings& settings = row.point().measure;
  std::string text =
      fmt::format("{} of {}; sampling stopped since {}. Clock: {}; cache {}, launch {}.",
                  counted(m.n_samples, "sample"),
                  m.batch > 1 ? fmt::format("{} executions each (a sample is their mean)", m.batch)
                              : "one execution each",
                  stop_text(m, settings), to_string(settings.basis), to_string(settings.cache),
                  to_string(settings.launch));
  const bool has_queue = lane != nullptr && lane->device.type != DeviceType::cpu;
  if (settings.basis == Basis::device && has_queue && !m.gated) {
    text +=
        " The device was not held back until everything was queued, so that short times may contain launch "
        "latency.";
  }
  if (!m.note.empty()) text += ' ' + sentence(m.note);
  return {"sampling",
          text,
          {{"n_samples", static_cast<double>(m.n_samples)},
           {"batch", static_cast<double>(m.batch)},
           {"warmup_ns", m.warmup_ns}}};
}

/// Median of the last third over that of the first; NaN where thirds are too short, or hold a value that
/// cannot be a time.
double drift_of(const std::vector<double>& samples) {
  const std::size_t third = samples.size() / 3;
  if (third < 5 || !stats::have_ratios(samples)) return std::nan("");
  const std::span<const double> all(samples);
  return stats::median(all.last(third)) / stats::median(all.first(third));
}

Finding spread_of(const Result& row, const std::vector<double>& samples) {
  const Measurement& m = *row.measurement;
  Finding finding{"spread", fmt::format("The median is {}", format_duration(m.median_ns))};
  finding.figures["median_ns"] = m.median_ns;
  if (m.n_samples > 1) {
    finding.text += fmt::format(
        "; nine tenths of the samples lie between {} and {}, half of them between {} and {}, all between "
        "{} and {}",
        format_duration(m.p5_ns), format_duration(m.p95_ns), format_duration(m.p25_ns),
        format_duration(m.p75_ns), format_duration(m.min_ns), format_duration(m.max_ns));
  }
  finding.text += '.';
  if (const double precision = precision_of(m); !std::isnan(precision)) {
    finding.text +=
        m.processes > 1
            ? fmt::format(" Over {} processes it is known to ±{} (95 %).", m.processes,
                          format_percent(precision))
            : fmt::format(" This process knows it to ±{} (95 %); another one may differ by more.",
                          format_percent(precision));
    finding.figures["precision"] = precision;
  }
  if (!std::isnan(row.metric("mode_high_share"))) {
    finding.text += fmt::format(
        " Samples lie around two values: {} ({}) and {} ({}); the median is one of them.",
        format_duration(row.metric("mode_low_ns")), format_percent(1 - row.metric("mode_high_share")),
        format_duration(row.metric("mode_high_ns")), format_percent(row.metric("mode_high_share")));
    for (const char* id : {"mode_low_ns", "mode_high_ns", "mode_high_share"})
      finding.figures[id] = row.metric(id);
  }
  const double quartiles = m.p75_ns - m.p25_ns;
  const auto outliers = std::ranges::count_if(samples, [&](double ns) {
    return ns > m.p75_ns + far_out * quartiles || ns < m.p25_ns - far_out * quartiles;
  });
  finding.figures["outliers"] = static_cast<double>(outliers);
  if (outliers > 0) {
    finding.text +=
        fmt::format(" {} far out (kept; the median does not heed {}), the longest {}× the median.",
                    outliers == 1 ? "One sample lies" : fmt::format("{} samples lie", outliers),
                    outliers == 1 ? "it" : "them", format_significant(m.max_ns / m.median_ns, 3));
  }
  const double drift = drift_of(samples);
  if (!std::isnan(drift)) {
    finding.figures["drift"] = drift;
    if (std::abs(drift - 1) > std::max(notable_drift, quartiles / m.median_ns)) {
      finding.text += fmt::format(
          " It drifted: the last third of the samples takes {}× the time of the first, as when clocks "
          "change or something else begins to run.",
          format_significant(drift, 4));
    }
  }
  return finding;
}

/// Fewer noisy times say nothing about the machine.
constexpr std::size_t fewest_unstable = 3;

/// If every time of the run is noisy, it is seldom the kernel.
void add_other_load(std::vector<Finding>& findings, const PointStory& story) {
  std::size_t timed = 0;
  for (const Result& row : story.choice.rows) {
    if (!row.timed()) continue;
    if (row.point().status != Status::unstable) return;
    ++timed;
  }
  if (timed < fewest_unstable) return;
  Finding finding{
      "machine",
      fmt::format("All {} times of the run are noisy: other processes were probably using the machine.",
                  timed)};
  finding.figures["unstable"] = static_cast<double>(timed);
  for (const EventRow& event : story.events) {
    if (event.text.starts_with(busy_words)) finding.text += ' ' + sentence(event.text);
  }
  const double stolen = story.choice.row().metric("steal_ns");
  const double switches = story.choice.row().metric("context_switches");
  if (stolen > 0) finding.text += fmt::format(" The hypervisor took {} away.", format_duration(stolen));
  if (switches > 0) {
    finding.text += fmt::format(" The point was interrupted {:.0f} times.", switches);
    finding.figures["context_switches"] = switches;
  }
  finding.text += " `top` lists processes: stop them, or give the points more time (max_seconds).";
  findings.push_back(std::move(finding));
}

/// Samples that a quota cut into are long without the kernel's fault.
void add_quota(std::vector<Finding>& findings, const PointStory& story) {
  for (const EventRow& event : story.events) {
    if (!event.text.starts_with(throttled_words)) continue;
    findings.push_back(
        {"machine",
         sentence(event.text) +
             " Raise the quota (`cpu.max` of the group or of one above it), or measure outside of it."});
  }
}

/// Does a name speak of clocks, power or throttling?
bool is_telemetry(std::string_view name) {
  return std::ranges::any_of(
      std::array<std::string_view, 4>{"throttl", "clock", "power", "temperature"},
      [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

Finding telemetry_of(const Result& row) {
  Finding finding{"throttling", ""};
  const auto add = [&](const std::string& text) {
    finding.text += (finding.text.empty() ? "" : "; ") + text;
  };
  for (const auto& [id, value] : row.resources) {
    if (!is_telemetry(id) || std::isnan(value)) continue;
    const MetricInfo* metric = find_metric(id);
    const bool has_unit = metric != nullptr && !metric->unit.empty();
    add(fmt::format("{} {}{}", metric != nullptr ? metric->label : std::string_view(id),
                    format_significant(value), has_unit ? fmt::format(" {}", metric->unit) : ""));
    finding.figures[id] = value;
  }
  for (const auto& [key, note] : row.notes) {
    if (is_telemetry(key)) add(fmt::format("{}: {}", key, note));
  }
  if (finding.text.empty()) {
    finding.text = "Nothing was recorded: no observer told clocks, power or throttling of this point.";
  }
  return finding;
}

constexpr std::size_t topic_columns = 14;

/// Topic, then the text, all of its lines behind the column of topics.
std::string finding_text(std::string_view topic, const std::string& text, std::size_t width) {
  std::string lines = fmt::format("{:<{}}", topic, topic_columns);
  for (const char c : text) {
    lines += c;
    if (c == '\n') lines.append(topic_columns, ' ');
  }
  lines.erase(lines.find_last_not_of(" \n") + 1);
  return fit_lines(lines, width, topic_columns) + '\n';
}

}  // namespace

PointStory point_story(const Store& store, const FoundPoint& choice) {
  PointStory story{choice, {}, {}, store.events(choice.run.id)};
  const Result& stored = choice.row();
  if (!stored.notes.contains(pruned_note)) story.sample_rows = store.samples(stored.row.id);
  for (RoofRow& roof : store.roofs(choice.run.id)) {
    if (roof.lane == choice.point().device) story.roofs.push_back(std::move(roof));
  }
  return story;
}

std::vector<Finding> explain(const PointStory& story) {
  const Result& row = story.choice.row();
  std::vector<Finding> findings{status_of(story), device_of(story)};
  add_limits(findings, story);
  add_verifications(findings, story);
  if (row.timed()) {
    findings.push_back(sampling_of(row, story.choice.lane()));
    findings.push_back(spread_of(row, used_ns(story.sample_rows)));
    add_other_load(findings, story);
    add_quota(findings, story);
    findings.push_back(telemetry_of(row));
  }
  std::ranges::move(explain_speed(story), std::back_inserter(findings));
  return findings;
}

std::string explanation_text(const FoundPoint& choice, const std::vector<Finding>& findings,
                             std::size_t width) {
  std::string text =
      fit_lines(fmt::format("point {}  {}\n", choice.name(), visible(choice.point().label())),
                std::max<std::size_t>(width, 40));
  std::string_view last;
  for (const Finding& finding : findings) {
    text += finding_text(finding.topic == last ? "" : finding.topic, visible_lines(finding.text),
                         std::max<std::size_t>(width, 40));
    last = finding.topic;
  }
  return text;
}

std::string explanation_json(const FoundPoint& choice, const std::vector<Finding>& findings) {
  using Json = nlohmann::ordered_json;
  const auto finding_json = [](const Finding& finding) {
    return Json{{"topic", finding.topic}, {"text", finding.text}, {"figures", finding.figures}};
  };
  const Point& point = choice.point();
  const Json document = {{"schema", "benchctl.explain"},
                         {"schema_version", 1},
                         {"point", choice.name()},
                         {"run", to_number(choice.run.id)},
                         {"number", choice.row().row.ordinal},
                         {"label", point.label()},
                         {"device", point.device},
                         {"status", std::string(to_string(point.status))},
                         {"reason", point.reason},
                         {"findings", list_of(findings, finding_json)}};
  return many_lines(document);
}

}  // namespace benchctl
