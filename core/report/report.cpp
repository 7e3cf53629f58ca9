#include "report/report.hpp"

#include "model/glob.hpp"
#include "model/json_depth.hpp"
#include "report/warnings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace benchctl {

namespace {

std::vector<EnvironmentValue> environment_of(const Store& store, const RunRow& run) {
  std::vector<EnvironmentValue> entries;
  try {
    refuse_deep_json(run.environment);
    for (const nlohmann::json& entry : nlohmann::json::parse(run.environment)) {
      entries.push_back({entry.at("key"), entry.at("value"), entry.at("class")});
    }
  } catch (const std::exception& error) {
    throw StoreError(fmt::format("the store '{}' holds no environment record for run {}: {}",
                                 store.path().string(), to_number(run.id), error.what()));
  }
  return entries;
}

ReportRun read_run(const ReportSource& source, bool several_stores) {
  const Store& store = *source.store;
  std::optional<RunRow> row = store.run(source.run);
  if (!row) {
    throw StoreError(
        fmt::format("the store '{}' has no run {}", store.path().string(), to_number(source.run)));
  }
  ReportRun run;
  run.source = source;
  run.label = fmt::format("{}run {}", several_stores ? store.path().filename().string() + " " : "",
                          to_number(source.run));
  run.environment = environment_of(store, *row);
  run.events = store.events(source.run);
  run.lanes = store.lanes(source.run);
  run.roofs = store.roofs(source.run);
  run.row = std::move(*row);
  return run;
}

/// Numbers platforms as points name them.
class Platforms {
 public:
  explicit Platforms(std::vector<Platform>& platforms) : platforms_(platforms) {}

  std::size_t of(const ReportRun& run, const std::string& lane) {
    const auto found = std::ranges::find(run.lanes, lane, &Lane::name);
    const Lane* device = found != run.lanes.end() ? &*found : nullptr;
    const Key key = device != nullptr
                        ? Key{lane, device->device.name, device->device.driver, device->device.architecture}
                        : Key{lane, "", "", ""};
    const auto [place, fresh] = numbers_.try_emplace(key, platforms_.size());
    if (fresh) {
      Platform& platform = platforms_.emplace_back();
      platform.lane = platform.label = lane;
      platform.known = device != nullptr;
      if (device != nullptr) {
        platform.device = *device;
        platform.datasheet = datasheet_device(*device, run.lanes);
      }
    }
    return place->second;
  }

  /// Tells platforms of one lane name apart by what differs.
  void name_apart() {
    std::map<std::string, std::set<std::string>> devices;
    std::map<std::string, int> count;
    for (const Platform& platform : platforms_) {
      devices[platform.lane].insert(platform.device.device.name);
      ++count[platform.lane];
    }
    for (Platform& platform : platforms_) {
      const DeviceInfo& device = platform.device.device;
      if (count[platform.lane] < 2 || !platform.known) continue;
      const bool by_name = devices[platform.lane].size() == static_cast<std::size_t>(count[platform.lane]);
      platform.label +=
          fmt::format(" ({})", by_name ? device.name : fmt::format("{}, {}", device.name, device.driver));
    }
  }

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  std::vector<Platform>& platforms_;
  std::map<Key, std::size_t> numbers_;
};

void keep_highest(std::map<std::string, double>& roofs, const RoofRow& roof) {
  double& known = roofs[roof.probe];
  known = std::max(known, roof.per_second);
}

/// Puts rows with times into comparisons, in the order in which these begin.
void compare(Report& report) {
  using Key = std::tuple<std::string, Parameters, CacheMode, LaunchMode, Basis>;
  std::map<Key, std::size_t, std::less<>> numbers;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    if (!report.rows[i].timed()) continue;
    const Point& point = report.rows[i].point();
    const MeasureSettings& measure = point.measure;
    const auto key = std::tie(point.workload, point.problem, measure.cache, measure.launch, measure.basis);
    auto place = numbers.find(key);
    if (place == numbers.end()) {
      place = numbers.emplace(key, report.comparisons.size()).first;
      report.comparisons.push_back(
          {point.workload, point.problem, measure.cache, measure.launch, measure.basis, {}, {}});
    }
    report.comparisons[place->second].rows.push_back(i);
    report.places[i].comparison = place->second;
  }
}

void rank(Report& report, IdenticalProblem& comparison) {
  std::vector<const ResultRow*> rows;
  std::vector<std::size_t> devices;
  for (const std::size_t row : comparison.rows) {
    rows.push_back(&report.rows[row]);
    devices.push_back(report.places[row].platform);
  }
  const std::vector<Rank> ranks = rank_within(rows, devices);
  for (std::size_t i = 0; i < ranks.size(); ++i) report.places[comparison.rows[i]].rank = ranks[i];
  const std::set<std::size_t> platforms(devices.begin(), devices.end());
  comparison.platforms.assign(platforms.begin(), platforms.end());
}

std::vector<Portability> portability_of(const Report& report, std::size_t number) {
  const IdenticalProblem& comparison = report.comparisons[number];
  if (comparison.platforms.size() < 2) return {};
  const std::size_t count = comparison.platforms.size();
  std::vector<Portability> all;
  for (const std::size_t index : comparison.rows) {
    const ResultRow& row = report.rows[index];
    if (!takes_part(row)) continue;
    auto found = std::ranges::find(all, row.point().variant, &Portability::variant);
    if (found == all.end()) {
      found = all.insert(all.end(), {number, row.point().variant, std::vector<double>(count, 0.0),
                                     std::vector<double>(count, 0.0), 0, 0});
    }
    const RowPlace& place = report.places[index];
    const auto at = static_cast<std::size_t>(std::ranges::find(comparison.platforms, place.platform) -
                                             comparison.platforms.begin());
    // At most 1, but that ties among equal times may round.
    found->application[at] = std::max(found->application[at], 1 / place.rank.versus_best);
    const double share = row.metric("roof_fraction");
    // An unknown share makes the whole unknown, not small.
    double& known = found->architectural[at];
    known = std::isnan(share) || std::isnan(known) ? std::nan("") : std::max(known, share);
  }
  for (Portability& entry : all) {
    entry.application_score = portability_score(entry.application);
    entry.architectural_score = portability_score(entry.architectural);
  }
  return all;
}

}  // namespace

double portability_score(std::span<const double> efficiencies) {
  if (efficiencies.empty()) return std::nan("");
  // What is not supported decides, whatever else is unknown.
  if (std::ranges::any_of(efficiencies, [](double efficiency) { return efficiency == 0; })) return 0;
  double sum = 0;
  for (const double efficiency : efficiencies) sum += 1 / efficiency;
  return static_cast<double>(efficiencies.size()) / sum;
}

stats::MedianEstimate estimate_of(const ResultRow& row) {
  return {row.stored.measurement ? row.stored.measurement->median_ns : std::nan(""), row.interval()};
}

std::string report_title(const Report& report, const std::string& given) {
  if (!given.empty()) return given;
  std::vector<std::string> titles;
  for (const ReportRun& run : report.runs) {
    const std::string& title = run.row.title.empty() ? run.row.name : run.row.title;
    if (std::ranges::find(titles, title) == titles.end()) titles.push_back(title);
  }
  if (titles.empty()) return "benchctl";
  return titles.size() > 3 ? fmt::format("{} and {} more", titles.front(), titles.size() - 1)
                           : fmt::format("{}", fmt::join(titles, " · "));
}

std::span<const ResultRow> rows_of_run(const Report& report, std::size_t run) {
  const auto first = std::ranges::lower_bound(report.places, run, {}, &RowPlace::run);
  const auto last = std::ranges::upper_bound(report.places, run, {}, &RowPlace::run);
  return std::span(report.rows)
      .subspan(static_cast<std::size_t>(first - report.places.begin()),
               static_cast<std::size_t>(last - first));
}

std::vector<RowDevice> row_devices(const Report& report) {
  std::vector<RowDevice> devices;
  devices.reserve(report.rows.size());
  for (const RowPlace& place : report.places) {
    const Platform& platform = report.platforms[place.platform];
    devices.push_back({platform.label, platform.known ? std::string(to_string(platform.device.device.type))
                                                      : std::string()});
  }
  return devices;
}

std::vector<Published> published_of(const Report& report) {
  std::vector<Published> all;
  for (const ReportRun& run : report.runs) {
    for (const Published& published : run.row.published) {
      if (std::ranges::find(all, published) == all.end()) all.push_back(published);
    }
  }
  return all;
}

Report make_report(std::span<const ReportSource> sources, const std::vector<std::string>& workloads) {
  const auto shown = [&](const std::string& workload) {
    return workloads.empty() || std::ranges::any_of(workloads, [&](const std::string& pattern) {
             return glob_match(pattern, workload);
           });
  };
  Report report;
  const bool several_stores = std::ranges::any_of(sources, [&](const ReportSource& source) {
    return source.store->path() != sources.front().store->path();
  });
  std::size_t points = 0;
  for (const ReportSource& source : sources) points += source.store->point_count(source.run);
  report.rows.reserve(points);
  report.places.reserve(points);
  Platforms platforms(report.platforms);
  for (const ReportSource& source : sources) {
    const std::size_t number = report.runs.size();
    ReportRun& run = report.runs.emplace_back(read_run(source, several_stores));
    source.store->each_result(source.run, [&](StoredPoint&& stored) {
      if (!shown(stored.row.point.workload)) return;
      ++run.counts[stored.row.point.status];
      const std::size_t platform = platforms.of(run, stored.row.point.device);
      report.rows.push_back(make_row(std::move(stored)));
      RowPlace& place = report.places.emplace_back();
      place.run = number;
      place.platform = platform;
    });
    for (const RoofRow& roof : run.roofs) {
      keep_highest(report.platforms[platforms.of(run, roof.lane)].roofs, roof);
    }
  }
  platforms.name_apart();
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const Platform& platform = report.platforms[report.places[i].platform];
    report.places[i].datasheet_share = datasheet_share(report.rows[i], platform.datasheet, platform.roofs);
  }
  compare(report);
  for (std::size_t i = 0; i < report.comparisons.size(); ++i) {
    rank(report, report.comparisons[i]);
    for (Portability& entry : portability_of(report, i)) report.portability.push_back(std::move(entry));
  }
  report.warnings = warnings_of(report);
  return report;
}

}  // namespace benchctl
