#include "report/fleet.hpp"

#include "observe/comparability.hpp"
#include "report/compare.hpp"
#include "report/compare_spread.hpp"
#include "report/fleet_causes.hpp"
#include "stats/fleet_scatter.hpp"
#include "stats/geometric.hpp"
#include "stats/order.hpp"
#include "store/sample_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace benchctl {

namespace {

/// One control problem on one device.
struct ControlTrack {
  std::string label;
  std::vector<double> times;                         ///< medians of processes, in the order of the runs
  std::vector<std::pair<std::string, double>> runs;  ///< when each was made, with the log of its median
  stats::Interval stored;                            ///< that of a single run, for want of processes
};

struct FleetMember {
  std::string node;
  Lane lane;
  std::set<std::string> runs;
  std::map<std::string, ControlTrack> tracks;  ///< by point_identity
  FleetTelemetry telemetry;
};

std::string told_property(const Lane& lane, const char* name) {
  const auto found = lane.device.properties.find(name);
  return found == lane.device.properties.end() ? "" : found->second;
}

std::string class_of(const Lane& lane) {
  constexpr double gib = 1024.0 * 1024 * 1024;
  const std::string part = told_property(lane, "mig");
  return fmt::format("{} {}, {} compute units, {:.0f} GiB{}", lane.backend, lane.device.name,
                     lane.device.compute_units, static_cast<double>(lane.device.limits.memory_bytes) / gib,
                     part.empty() || part == "none" ? "" : ", part " + part);
}

class Gatherer {
 public:
  explicit Gatherer(const FleetOptions& options) : options_(options) {}

  void add(const Store& store) {
    SampleTimes times(store);
    std::vector<RunRow> runs = store.runs();
    std::ranges::reverse(runs);
    for (const RunRow& run : runs) {
      if (run.name == options_.control && !is_replay(run)) add(store, times, run);
    }
  }
  std::map<std::string, std::map<std::string, FleetMember>> classes;  ///< by name, by device
  std::set<std::string> runs;

 private:
  void add(const Store& store, SampleTimes& times, const RunRow& run) {
    const Environment environment = recorded_environment(store, run);
    const std::string* host = environment.find("system.host");
    const std::string node = host != nullptr ? *host : store.path().stem().string();
    const std::vector<Lane> lanes = store.lanes(run.id);
    const std::string moment = run.created_at + ' ' + node;
    // A store that was merged into another may be named beside it.
    if (!seen_.insert(fmt::format("{} {} {}", moment, run.config_hash, run.seed)).second) return;
    store.each_result(run.id, [&](StoredPoint&& stored) {
      if (!counts_for_spread(stored)) return;
      const auto lane = std::ranges::find(lanes, stored.row.point.device, &Lane::name);
      if (lane == lanes.end()) return;
      add(times, moment, node, *lane, environment, stored);
    });
  }

  void add(SampleTimes& times, const std::string& moment, const std::string& node, const Lane& lane,
           const Environment& environment, const StoredPoint& stored) {
    const std::string uuid = told_property(lane, "uuid");
    const std::string identity = fmt::format("{} {} {}", node, lane.backend,
                                             uuid.empty() ? lane.device.physical + lane.device.id : uuid);
    FleetMember& member = classes[class_of(lane)][identity];
    member.node = node;
    member.lane = lane;
    member.runs.insert(moment);
    runs.insert(moment);
    ControlTrack& track = member.tracks[point_identity(stored.row.point)];
    Point shown = stored.row.point;
    shown.device.clear();
    track.label = shown.label();
    if (const std::size_t device = track.label.find(" @ "); device != std::string::npos)
      track.label.erase(device, 3);
    std::vector<double> medians;
    if (!stored.notes.contains(pruned_note)) {
      for (const std::vector<double>& process : times.of(stored.row.id)) {
        if (stats::have_ratios(process)) medians.push_back(stats::median(process));
      }
    }
    const Measurement& measurement = *stored.measurement;
    if (medians.empty()) medians.push_back(measurement.median_ns);
    track.times.insert(track.times.end(), medians.begin(), medians.end());
    track.runs.emplace_back(moment, std::log(stats::median(medians)));
    track.stored = {measurement.ci_low_ns / measurement.median_ns,
                    measurement.ci_high_ns / measurement.median_ns};
    member.telemetry.add(stored.resources, lane, environment);
  }

  const FleetOptions& options_;
  std::set<std::string> seen_;
};

/// 95 % interval of a ratio over the processes; that of the single run where there was one process.
stats::Interval interval_of(const ControlTrack& track, double ratio) {
  const stats::RatioEstimate mean = stats::mean_ratio(track.times);
  const stats::Interval own = track.times.size() < 2 ? track.stored : mean.interval;
  const double centre = track.times.size() < 2 ? 1 : mean.ratio;
  return {ratio * own.low / centre, ratio * own.high / centre};
}

/// Holds all members against each other in one control problem.
void hold_against_fleet(const std::string& problem, std::map<std::string, FleetMember>& members,
                        std::size_t problems, const FleetOptions& options,
                        std::map<std::string, FleetDevice>& devices) {
  std::vector<double> levels;
  std::vector<double> changes;
  for (const auto& [identity, member] : members) {
    const auto track = member.tracks.find(problem);
    if (track == member.tracks.end()) continue;
    levels.push_back(std::log(stats::median(track->second.times)));
    const auto& runs = track->second.runs;
    if (runs.size() > 1) changes.push_back(runs.back().second - runs.front().second);
  }
  // Two questions for each device and problem share the error.
  const std::size_t tests = 2 * problems * members.size();
  const auto level = stats::fleet_scatter(levels, options.error, tests);
  const auto change = stats::fleet_scatter(changes, options.error, tests);
  const double centre = stats::median(levels);
  const double least = std::log1p(options.threshold);
  for (auto& [identity, member] : members) {
    const auto found = member.tracks.find(problem);
    if (found == member.tracks.end()) continue;
    const ControlTrack& track = found->second;
    FleetFigure figure;
    figure.median_ns = stats::median(track.times);
    figure.problem = track.label;
    figure.processes = track.times.size();
    figure.ratio = figure.median_ns / std::exp(centre);
    figure.interval = interval_of(track, figure.ratio);
    const double changed = track.runs.back().second - track.runs.front().second;
    figure.change = std::exp(changed);
    if (level) {
      figure.bound = std::exp(std::max(level->bound - centre, least));
      figure.slow = figure.ratio > figure.bound && !(figure.interval.low <= 1);
    }
    figure.changed =
        change && track.runs.size() > 1 && changed > change->bound && changed - change->centre > least;
    devices[identity].figures.push_back(std::move(figure));
  }
}

}  // namespace

bool FleetDevice::stands_out() const {
  return std::ranges::any_of(figures, [](const FleetFigure& one) { return one.slow || one.changed; });
}

double FleetDevice::worst() const {
  double worst = 0;
  for (const FleetFigure& figure : figures) worst = std::max(worst, figure.ratio);
  return worst;
}

Fleet make_fleet(const std::vector<const Store*>& stores, const FleetOptions& options) {
  Gatherer gathered(options);
  for (const Store* store : stores) gathered.add(*store);
  Fleet fleet;
  fleet.runs = gathered.runs.size();
  for (auto& [name, members] : gathered.classes) {
    std::set<std::string> problems;
    std::vector<const FleetTelemetry*> telemetry;
    for (const auto& [identity, member] : members) {
      for (const auto& [problem, track] : member.tracks) problems.insert(problem);
      telemetry.push_back(&member.telemetry);
    }
    std::map<std::string, FleetDevice> devices;
    for (const std::string& problem : problems)
      hold_against_fleet(problem, members, problems.size(), options, devices);
    FleetClass& group = fleet.classes.emplace_back();
    group.name = name;
    for (auto& [identity, member] : members) {
      FleetDevice& device = devices[identity];
      device.node = member.node;
      device.lane = member.lane;
      device.runs = member.runs.size();
      if (device.stands_out()) device.causes = likely_causes(member.telemetry, telemetry);
      group.devices.push_back(std::move(device));
    }
    std::ranges::stable_sort(group.devices, [](const FleetDevice& a, const FleetDevice& b) {
      if (a.stands_out() != b.stands_out()) return a.stands_out();
      return a.stands_out() && a.worst() > b.worst();
    });
  }
  return fleet;
}

}  // namespace benchctl
