#include "report/report.hpp"

#include "model/point.hpp"
#include "model/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <unordered_map>

namespace benchctl {

RunRow existing_run(const Store& store, RunId run) {
  if (std::optional<RunRow> row = store.run(run)) return *std::move(row);
  throw StoreError(fmt::format("the store '{}' has no run {}", store.path(), to_number(run)));
}

Environment recorded_environment(const Store& store, const RunRow& run) {
  try {
    return environment_from_json_text(run.environment);
  } catch (const std::invalid_argument& error) {
    throw StoreError(fmt::format("the store '{}' holds no environment record for run {}: {}", store.path(),
                                 to_number(run.id), error.what()));
  }
}

namespace {

ReportRun read_run(const ReportSource& source, std::span<const ReportSource> all) {
  const Store& store = *source.store;
  ReportRun run;
  run.source = source;
  run.row = existing_run(store, source.run);
  run.store = store.path().filename().string();
  bool several_stores = false;
  for (const ReportSource& other : all) {
    if (other.store->path() == store.path()) continue;
    several_stores = true;
    if (other.store->path().filename() == store.path().filename()) run.store = store.path().string();
  }
  run.label =
      fmt::format("{}run {}", several_stores ? visible(run.store) + " " : "", to_number(source.run));
  run.environment = recorded_environment(store, run.row).entries;
  run.events = store.events(source.run);
  run.lanes = store.lanes(source.run);
  run.roofs = store.roofs(source.run);
  return run;
}

/// The number of the platform that points of the run call so.
std::size_t platform_of(std::vector<Platform>& platforms, const ReportRun& run, const std::string& lane) {
  const auto found = std::ranges::find(run.lanes, lane, &Lane::name);
  const bool known = found != run.lanes.end();
  const auto same = std::ranges::find_if(platforms, [&](const Platform& other) {
    return other.lane == lane && other.known == known &&
           (!known || DeviceKey(other.device.device) == DeviceKey(found->device));
  });
  const auto number = static_cast<std::size_t>(same - platforms.begin());
  if (same != platforms.end()) return number;
  Platform& platform = platforms.emplace_back();
  platform.lane = platform.label = lane;
  platform.known = known;
  if (known) {
    platform.device = *found;
    platform.datasheet = datasheet_device(*found, run.lanes);
  }
  return number;
}

/// Tells platforms of one lane name apart by what differs.
void name_apart(std::vector<Platform>& platforms) {
  std::map<std::string, std::vector<Platform*>> namesakes;
  for (Platform& platform : platforms) namesakes[platform.lane].push_back(&platform);
  for (const auto& [lane, own] : namesakes) {
    std::vector<Names> facts;
    for (const Platform* platform : own) {
      const DeviceKey device(platform->device.device);
      facts.push_back({device.name, device.driver, device.vendor, device.architecture,
                       fmt::format("{} units", device.compute_units), device.compiler,
                       device.uuid.empty() ? device.physical : device.uuid});
    }
    const std::vector<Names> told = differing(facts);
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (own[i]->known && !told[i].empty())
        own[i]->label += fmt::format(" ({})", fmt::join(told[i], ", "));
    }
  }
}

/// Puts rows with times into comparisons, in the order in which these begin; and what failed to the others
/// of its problem.
void compare(Report& report) {
  std::unordered_map<RivalKey, std::size_t, KeyHash> numbers;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    if (!report.rows[i].timed()) continue;
    RivalKey key(report.rows[i].point());
    const auto [place, fresh] = numbers.try_emplace(key, report.comparisons.size());
    if (fresh) report.comparisons.push_back({std::move(key)});
    report.comparisons[place->second].rows.push_back(i);
    report.places[i].comparison = place->second;
  }
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const Point& point = report.rows[i].point();
    if (info(point.status).status_class != StatusClass::failed) continue;
    const auto place = numbers.find(RivalKey(point));
    if (place != numbers.end()) report.comparisons[place->second].failed.push_back(i);
  }
}

/// Where several runs have a point, the newest run's stands for it.
void mark_older(Report& report, const IdenticalProblem& comparison) {
  if (report.runs.size() < 2) return;
  const auto age = [&](std::size_t row) {
    const std::size_t run = report.places[row].run;
    const RunRow& stored = report.runs[run].row;
    return std::tuple(stored.placed_at, stored.id, run);
  };
  std::unordered_map<PointKey, std::size_t, KeyHash> newest;
  for (const std::size_t row : comparison.rows) {
    if (!may_win(report.rows[row])) continue;
    const std::string& platform = report.platforms[report.places[row].platform].label;
    const auto [place, fresh] = newest.try_emplace(PointKey(report.rows[row].point(), platform), row);
    if (fresh || report.places[place->second].run == report.places[row].run) continue;
    std::size_t older = row;
    if (age(place->second) < age(row)) std::swap(place->second, older);
    report.places[older].older = true;
    const std::size_t standing = place->second;
    if (report.rows[older].row.content_key != report.rows[standing].row.content_key)
      report.remade.emplace(report.places[older].run, report.places[standing].run);
  }
}

void ask(Report& report) {
  struct Asked {
    std::vector<AskedPoint> points;
    std::string wanted;
  };
  std::map<std::pair<std::string, std::string>, Asked> all;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const Result& row = report.rows[i];
    const ReportRun& run = report.runs[report.places[i].run];
    Asked& asked = all[{run.title(), row.point().workload}];
    asked.points.push_back({&row.point(), row.row.vendor});
    if (asked.wanted.empty()) asked.wanted = run.row.question;
  }
  for (const auto& [key, asked] : all) {
    report.questions[key] = question_axis(asked.points, asked.wanted);
  }
}

void rank_rows(Report& report, IdenticalProblem& comparison) {
  mark_older(report, comparison);
  std::vector<const Result*> rows;
  std::vector<RowOrigin> origins;
  std::set<std::size_t> platforms;
  for (const std::size_t i : comparison.rows) {
    const Result& row = report.rows[i];
    const RowPlace& place = report.places[i];
    const std::string& axis =
        report.questions.at({report.runs[place.run].title(), comparison.key.problem.workload});
    const bool asked = is_asked({&row.point(), row.row.vendor}, axis);
    rows.push_back(&row);
    origins.push_back({place.platform, place.run, place.older, asked});
    platforms.insert(place.platform);
  }
  const std::vector<Rank> ranks = rank(rows, origins);
  for (std::size_t i = 0; i < ranks.size(); ++i) report.places[comparison.rows[i]].rank = ranks[i];
  comparison.platforms.assign(platforms.begin(), platforms.end());
}

std::vector<Portability> portability_of(const Report& report, std::size_t number) {
  const IdenticalProblem& comparison = report.comparisons[number];
  if (comparison.platforms.size() < 2) return {};
  const std::size_t count = comparison.platforms.size();
  std::vector<Portability> all;
  const auto place_of = [&](std::size_t row) {
    return static_cast<std::size_t>(std::ranges::find(comparison.platforms, report.places[row].platform) -
                                    comparison.platforms.begin());
  };
  // Unsupported until a row says otherwise.
  constexpr double none = -1;
  const auto of_variant = [&](std::size_t row) -> Portability& {
    const std::string& variant = report.rows[row].point().variant;
    auto found = std::ranges::find(all, variant, &Portability::variant);
    if (found == all.end()) {
      found = all.insert(all.end(), {number, variant, std::vector<double>(count, none),
                                     std::vector<double>(count, 0.0), 0, 0});
    }
    return *found;
  };
  for (const std::size_t index : comparison.rows) {
    const Result& row = report.rows[index];
    const Rank& own = report.places[index].rank;
    if (!own.competes) continue;
    Portability& entry = of_variant(index);
    const std::size_t at = place_of(index);
    entry.application[at] = std::max(entry.application[at], 1 / own.versus_best);
    const double share = row.metric("roof_fraction");
    // An unknown share makes the whole unknown, not small.
    double& known = entry.architectural[at];
    known = std::isnan(share) || std::isnan(known) ? std::nan("") : std::max(known, share);
  }
  for (const std::size_t index : comparison.failed) {
    const std::size_t at = place_of(index);
    if (at < count && report.rows[index].point().expect == Expect::right) {
      double& known = of_variant(index).application[at];
      known = std::max(known, 0.0);
    }
  }
  std::erase_if(all, [&](const Portability& entry) {
    return std::ranges::find(entry.application, none) != entry.application.end();
  });
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

std::string report_title(const Report& report) {
  Names titles;
  for (const ReportRun& run : report.runs) add_once(titles, run.title());
  if (titles.empty()) return "benchctl";
  return titles.size() > 3 ? fmt::format("{} and {} more", titles.front(), titles.size() - 1)
                           : fmt::format("{}", fmt::join(titles, " · "));
}

std::span<const Result> rows_of_run(const Report& report, std::size_t run) {
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
    devices.push_back(
        {platform.label, platform.known ? std::optional(platform.device.device.type) : std::nullopt});
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

void arrange(Report& report) {
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    RowPlace& place = report.places[i];
    place.platform = platform_of(report.platforms, report.runs[place.run], report.rows[i].point().device);
  }
  for (const ReportRun& run : report.runs) {
    for (const RoofRow& roof : run.roofs) {
      double& highest = report.platforms[platform_of(report.platforms, run, roof.lane)].roofs[roof.probe];
      highest = std::max(highest, roof.per_second);
    }
  }
  name_apart(report.platforms);
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const Platform& platform = report.platforms[report.places[i].platform];
    report.places[i].datasheet_share = datasheet_share(report.rows[i], platform.datasheet, platform.roofs);
  }
  compare(report);
  ask(report);
  for (std::size_t i = 0; i < report.comparisons.size(); ++i) {
    rank_rows(report, report.comparisons[i]);
    for (Portability& entry : portability_of(report, i)) report.portability.push_back(std::move(entry));
  }
  report.warnings = warnings_of(report);
}

Report make_report(std::span<const ReportSource> sources, const std::vector<std::string>& workloads) {
  Report report;
  std::size_t points = 0;
  for (const ReportSource& source : sources) points += source.store->point_count(source.run);
  report.rows.reserve(points);
  report.places.reserve(points);
  for (const ReportSource& source : sources) {
    const std::size_t number = report.runs.size();
    ReportRun& run = report.runs.emplace_back(read_run(source, sources));
    source.store->each_result(source.run, [&](Result&& stored) {
      if (!workloads.empty() && !any_matches(workloads, stored.row.point.workload)) return;
      ++run.counts[stored.row.point.status];
      report.rows.push_back(std::move(stored));
      report.places.push_back({.run = number});
    });
  }
  arrange(report);
  return report;
}

Report make_report(const Store& store, RunId run) {
  const ReportSource source{&store, run};
  return make_report({&source, 1});
}

}  // namespace benchctl
