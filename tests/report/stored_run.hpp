// Runs in stores of their own, made of the points that a test cares for.
#pragma once

#include "report/export.hpp"
#include "report/fixtures.hpp"
#include "support/paths.hpp"

#include <string>
#include <vector>

namespace benchctl::test {

/// A lane of a device with that name; `lane` is `backend:id`.
inline Lane lane_of(const std::string& lane, const std::string& device, DeviceType type = DeviceType::gpu) {
  Lane made;
  made.backend = lane.substr(0, lane.find(':'));
  made.device.id = lane.substr(lane.find(':') + 1);
  made.device.name = device;
  made.device.type = type;
  made.device.driver = "driver 1";
  return made;
}

inline Result with_roof(Result stored, double share) {
  stored.resources["roof_fraction"] = share;
  return stored;
}

struct RunWanted {
  std::vector<Lane> lanes{lane_of("gpu:0", "Card")};
  std::vector<Result> points;
  std::string title = "a title";
  std::string environment = R"([{"key":"cpu.model","value":"x","class":"must_match"}])";
  RunState state = RunState::complete;
  std::vector<Published> published;
  std::string question;
};

/// Stores the run, its points compared (race); those with a measurement get three samples: median - 1,
/// median, median + 1.
inline RunId store_run(Store& store, const RunWanted& wanted) {
  NewRun fresh;
  fresh.name = "name";
  fresh.title = wanted.title;
  fresh.config_text = "[experiment]";
  fresh.config_hash = "abc";
  fresh.command = "benchctl run x";
  fresh.version = "1.2.3";
  fresh.environment = wanted.environment;
  fresh.lanes = wanted.lanes;
  fresh.published = wanted.published;
  fresh.question = wanted.question;
  const RunId run = store.create_run(fresh);
  std::vector<PointRow> rows;
  for (const Result& point : wanted.points) {
    PointRow row = point.row;
    row.ordinal = rows.size();
    row.point.status = Status::not_run;
    rows.push_back(row);
  }
  const std::vector<PointId> ids = store.add_points(run, rows);
  std::vector<Result> compared = wanted.points;
  race(compared, wanted.question);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Result& point = compared[i];
    if (point.measurement) {
      SampleBlock block;
      const double median = point.measurement->median_ns;
      block.ns = {median - 1, median, median + 1};
      store.append_samples(ids[i], 0, 0, block);
    }
    Result result;
    result.row.point.status = point.row.point.status;
    result.row.point.reason = point.row.point.reason;
    result.measurement = point.measurement;
    result.verifications = point.verifications;
    result.resources = point.resources;
    result.notes = point.notes;
    store.finish_point(ids[i], result);
    if (!point.comparisons.empty()) store.set_comparisons({{ids[i], point.comparisons}});
  }
  store.finish_run(run, wanted.state);
  return run;
}

/// What `show` prints of a run.
inline std::string run_table(const Store& store, RunId run, const TableOptions& options = {}) {
  return run_text(store, run, options);
}

/// An empty store.
struct OneStore {
  TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "store.db");
};

/// Two stores: one machine with a fast and a slow device, another with one of the same lane name.
struct TwoMachines {
  TemporaryDirectory folder;
  Store first = Store::open(folder.path() / "first.db");
  Store second = Store::open(folder.path() / "second.db");
  std::vector<ReportSource> sources;

  TwoMachines() {
    RunWanted one;
    one.lanes = {lane_of("gpu:0", "Fast card"), lane_of("cpu:0", "A processor", DeviceType::cpu)};
    one.points = {with_roof(with_tile(measured("gpu:0", "tiled", 100, 1), 8), 0.5),
                  with_roof(with_tile(measured("gpu:0", "tiled", 200, 1), 16), 0.25),
                  with_roof(vendor(measured("gpu:0", "vendor", 50, 1)), 1.0),
                  with_roof(with_tile(measured("cpu:0", "tiled", 1000, 10), 8), 0.2),
                  with_roof(measured("cpu:0", "naive", 1005, 10), 0.2),
                  untimed("cpu:0", "broken", Status::compile_error, "line 3: <no> \"such\" | thing")};
    RunWanted other;
    other.title = "another";
    other.lanes = {lane_of("gpu:0", "Other card")};
    other.points = {with_roof(with_tile(measured("gpu:0", "tiled", 80, 1), 8), 0.4)};
    other.environment = R"([{"key":"cpu.model","value":"y","class":"must_match"}])";
    sources.push_back({&first, store_run(first, one)});
    sources.push_back({&second, store_run(second, other)});
  }
  [[nodiscard]] Report report() const { return make_report(sources); }
};

}  // namespace benchctl::test
