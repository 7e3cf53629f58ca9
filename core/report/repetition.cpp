#include "report/repetition.hpp"

#include "report/compare.hpp"
#include "report/compare_spread.hpp"
#include "report/format.hpp"
#include "report/point_words.hpp"
#include "report/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace benchctl {

namespace {

constexpr std::size_t most_runs_read = 20;
constexpr std::size_t fewest_processes = 3;
/// Of starting a process, verifying and compiling, for each point.
constexpr double start_seconds = 0.15;

/// What the runs of a store hold of one point.
struct Found {
  stats::NestedTimes times;
  double seconds = 0;  ///< of warming up and sampling, all processes together
  double executions = 0;
  double execution_seconds = 0;
  std::size_t processes = 0;
};

void add_run(Found& found, const Store& store, const StoredPoint& stored) {
  std::map<std::uint32_t, std::vector<std::vector<double>>> processes;
  for (const SampleRow& row : store.samples(stored.row.id)) {
    if (!row.used) continue;
    std::vector<double> logs;
    for (const double ns : row.block.ns) {
      if (!(ns > 0) || !std::isfinite(ns)) return;
      logs.push_back(std::log(ns));
      found.seconds += ns * row.block.batch * 1e-9;
    }
    processes[row.replicate].push_back(std::move(logs));
  }
  if (processes.empty()) return;
  auto& run = found.times.emplace_back();
  for (auto& [number, blocks] : processes) run.push_back(std::move(blocks));
  const Measurement& measurement = *stored.measurement;
  found.processes += run.size();
  found.seconds += measurement.warmup_ns * 1e-9;
  found.executions += static_cast<double>(measurement.n_samples);
  found.execution_seconds = measurement.median_ns * measurement.batch * 1e-9;
}

std::string spread_text(const std::optional<double>& variance) {
  return variance ? format_percent(std::sqrt(*variance)) : "";
}

}  // namespace

std::vector<PointRepetition> plan_repetition(const Store& store, const std::string& run_name,
                                             const std::vector<const Point*>& points,
                                             const std::vector<Lane>& lanes, double share) {
  std::map<std::pair<std::string, std::string>, Found> found;
  for (const Point* point : points) found[{point_identity(*point), point->device}];
  std::size_t runs = 0;
  for (const RunRow& run : store.runs()) {
    if (is_replay(run) || run.name != run_name || run.state != RunState::complete) continue;
    if (++runs > most_runs_read) break;
    std::set<std::string> same;
    for (const Lane& lane : store.lanes(run.id)) {
      const auto own = std::ranges::find(lanes, lane.name(), &Lane::name);
      if (own != lanes.end() && same_device_and_driver(lane, *own)) same.insert(lane.name());
    }
    store.each_result(run.id, [&](StoredPoint&& stored) {
      const Point& point = stored.row.point;
      if (!counts_for_spread(stored) || !same.contains(point.device)) return;
      const auto entry = found.find({point_identity(point), point.device});
      if (entry != found.end()) add_run(entry->second, store, stored);
    });
  }
  std::vector<PointRepetition> result;
  for (const Point* point : points) {
    Found& of = found.at({point_identity(*point), point->device});
    PointRepetition& plan = result.emplace_back();
    plan.point = point;
    plan.runs = of.times.size();
    plan.processes = of.processes;
    std::ranges::reverse(of.times);  // the newest run was read first
    plan.components = stats::variance_components(of.times);
    if (of.processes == 0) continue;
    plan.process_seconds = start_seconds + of.seconds / static_cast<double>(of.processes);
    plan.executions_worthwhile = stats::executions_worthwhile(
        plan.components, start_seconds + point->measure.warmup_seconds, of.execution_seconds);
    if (of.processes < fewest_processes) continue;
    // What runs add beyond their processes meets both sides only if they are measured in one go.
    const stats::VarianceComponents& c = plan.components;
    double variance = c.of_process_mean.value_or(0);
    variance += c.of_process_mean ? c.runs.value_or(0) : c.of_run_mean.value_or(0);
    plan.needed = stats::processes_to_find(share, variance);
  }
  return result;
}

std::string repetition_text(const std::vector<PointRepetition>& points, double share) {
  TextTable table({{"workload"},
                   {"problem"},
                   {"variant"},
                   {"device"},
                   {"runs", true},
                   {"processes", true},
                   {"executions vary", true},
                   {"blocks", true},
                   {"between processes", true},
                   {"between runs", true},
                   {"samples worth while", true},
                   {"processes for each side", true},
                   {"seconds", true}});
  PointWords words;
  for (const PointRepetition& plan : points) words.add(*plan.point);
  unsigned most = 0;
  std::size_t unknown = 0;
  double seconds = 0;
  for (const PointRepetition& plan : points) {
    const Point& point = *plan.point;
    if (plan.needed) most = std::max(most, *plan.needed);
    unknown += plan.needed ? 0 : 1;
    seconds += plan.process_seconds;
    const stats::VarianceComponents& c = plan.components;
    table.add({first_line(point.workload), words.problem(point), words.variant(point),
               first_line(point.device), format_count(plan.runs), format_count(plan.processes),
               spread_text(c.executions), spread_text(c.blocks), spread_text(c.processes),
               spread_text(c.runs),
               plan.executions_worthwhile ? format_significant(*plan.executions_worthwhile, 2) : "",
               plan.needed ? format_count(*plan.needed) : "",
               plan.needed ? format_significant(2.0 * *plan.needed * plan.process_seconds, 3) : ""});
  }
  std::string text = fmt::format(
      "To find a difference of {} in 95 % of cases. Columns of scatter are standard deviations that each "
      "level adds.\n\n{}\n",
      format_percent(share), table.text(false));
  if (most > 0) {
    text += fmt::format(
        "{} processes for each side, about {:.0f} s for both: measure each with `--set "
        "measure.replicates={}`.\n",
        most, 2 * most * seconds, most);
  }
  if (unknown > 0) {
    text += fmt::format(
        "{} of {} points are unknown: it takes three processes to tell how they scatter. Run the config "
        "with "
        "`--set measure.replicates=5` first.\n",
        unknown, points.size());
  }
  return text;
}

}  // namespace benchctl
