// Stores of older versions, as they were written then: read, brought up to date, merged.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "store/filled_store.hpp"
#include "store/migrate.hpp"
#include "store/schema.hpp"
#include "store/versions.hpp"

#include <numeric>

using namespace benchctl;
using namespace benchctl::test;
namespace fs = std::filesystem;

namespace {

struct OldStore {
  explicit OldStore(int of) : version(of) { load_version(of, file); }
  [[nodiscard]] std::string count(const std::string& rows) const {
    return execute(file, "SELECT count(*) FROM " + rows);
  }

  int version;
  TemporaryDirectory folder;
  fs::path file = folder.path() / "old.db";
};

/// Everything that a dump holds and that its version could hold.
void check_contents(const Store& store, int version) {
  const auto runs = store.runs();
  REQUIRE(runs.size() == 2);
  const RunRow& finished = runs[0].name == "finished" ? runs[0] : runs[1];
  const RunRow& interrupted = runs[0].name == "finished" ? runs[1] : runs[0];
  CHECK(finished.state == RunState::complete);
  CHECK(state_now(interrupted) == RunState::interrupted);
  CHECK(finished.published.size() == (version >= 2 ? 1 : 0));
  CHECK(store.lanes(finished.id).at(0).name() == "fake:0");

  const auto points = store.results(finished.id);
  REQUIRE(points.size() == 5);
  const std::vector<Status> statuses{Status::ok, Status::ok, Status::skipped, Status::wrong,
                                     Status::launch_error};
  for (std::size_t i = 0; i < points.size(); ++i) {
    CAPTURE(i);
    const Point& point = points[i].row.point;
    CHECK(point.status == statuses[i]);
    CHECK(point.reason.empty() == (point.status == Status::ok));
    CHECK(points[i].row.finished);
    CHECK(points[i].measurement.has_value() == (i < 2));
  }
  CHECK(points[0].measurement->median_ns == 1e6);
  CHECK(points[1].measurement->median_ns == 1.1e6);
  CHECK(points[0].verifications.size() == 2);
  CHECK(points[0].resources.at("registers") == 42);
  CHECK(points[0].notes.at("kernel") == "scripted");
  // Paired rounds and replicates came with version 3.
  CHECK(points[1].row.point.measure.replicates == (version >= 3 ? 2 : 1));
  CHECK((points[1].row.point.measure.mode == RoundMode::paired) == (version >= 3));
  CHECK(points[1].comparison.has_value() == (version >= 3));
  CHECK(store.roofs(finished.id).size() == (version >= 2 ? 1 : 0));
  CHECK(store.find_named("release").has_value() == (version >= 4));
  CHECK(store.merged_runs().empty());

  std::size_t done = 0;
  for (const StoredPoint& point : store.results(interrupted.id)) {
    done += point.row.finished ? 1 : 0;
    if (point.row.finished) CHECK(point.measurement->median_ns == 1e6);
  }
  CHECK(done == 2);
  for (const RunRow& run : runs) {
    for (const StoredPoint& point : store.results(run.id)) {
      std::uint64_t samples = 0;
      for (const SampleRow& block : store.samples(point.row.id)) samples += block.block.ns.size();
      if (point.measurement) CHECK(samples == point.measurement->n_samples);
    }
  }
}

/// Tables with their columns.
std::string tables_of(const fs::path& file) {
  return execute(file,
                 "SELECT group_concat(x, ' ') FROM (SELECT t.name || '.' || c.name || ' ' || c.type || "
                 "c.\"notnull\" AS x FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c "
                 "WHERE t.type = 'table' ORDER BY t.name, c.name)");
}

}  // namespace

TEST_CASE("there is a dump of every schema version") {
  std::vector<int> expected(schema_version - oldest_schema_version + 1);
  std::iota(expected.begin(), expected.end(), oldest_schema_version);
  INFO("tests/store/versions/make writes that of the present version");
  CHECK(dumped_versions() == expected);
}

TEST_CASE("a store of any version is read as it is, and brought up to date when it is written to") {
  const int version = GENERATE(from_range(dumped_versions()));
  CAPTURE(version);
  const OldStore old(version);
  CHECK(execute(old.file, "PRAGMA user_version") == std::to_string(version));
  const std::string before = content_of(old.file);
  check_contents(Store::open(old.file, Store::Access::read_only), version);
  CHECK(content_of(old.file) == before);
  CHECK(std::distance(fs::directory_iterator(old.folder.path()), {}) == 1);
  {
    Store store = Store::open(old.file);
    check_contents(store, version);
    // What it could not hold before.
    store.set_baseline("good", RunId{1});
    store.set_comparison(store.points(RunId{1})[1].id, {"b", 9, 1.5, 1, 2, 0.5, 3, 0.01, "slower"});
    const RunId fresh = fill_run(store, "fresh");
    CHECK(store.samples(store.points(fresh)[0].id).size() == 3);
    CHECK(store.files(fresh).size() == 1);
  }
  CHECK(execute(old.file, "PRAGMA user_version") == std::to_string(schema_version));
  CHECK(execute(old.file, "PRAGMA integrity_check") == "ok");
  CHECK(execute(old.file, "PRAGMA foreign_key_check") == "");
  CHECK(Store::open(old.file, Store::Access::read_only).find_named("good") == RunId{1});
  const fs::path fresh = old.folder.path() / "fresh.db";
  static_cast<void>(Store::open(fresh));
  CHECK(tables_of(old.file) == tables_of(fresh));
}

TEST_CASE("stores of all versions are merged into one, and stay as they are") {
  const TemporaryDirectory folder;
  const fs::path into = folder.path() / "into.db";
  const auto merge = [&](const fs::path& from) {
    Store store = Store::open(into);
    return store.merge(Store::open(from, Store::Access::read_only));
  };
  std::size_t runs = 0;
  for (const int version : dumped_versions()) {
    CAPTURE(version);
    const OldStore old(version);
    const std::string before = content_of(old.file);
    const MergeOutcome outcome = merge(old.file);
    REQUIRE(outcome.added.size() == 2);
    CHECK(outcome.conflicts.empty());
    CHECK(merge(old.file).known.size() == 2);
    CHECK(content_of(old.file) == before);
    runs += 2;
    CHECK(count_of(into, "runs") == std::to_string(runs));
    for (const auto& [from, to] : outcome.added) {
      for (const char* table : {"points", "lanes", "events"}) {
        const auto rows = [&](RunId run) {
          return std::string(table) + " WHERE run = " + std::to_string(to_number(run));
        };
        CHECK(count_of(into, rows(to)) == old.count(rows(from)));
      }
    }
    const Store merged = Store::open(into, Store::Access::read_only);
    const auto points = merged.results(outcome.added[0].into);
    CHECK(points.at(1).measurement->median_ns == 1.1e6);
    CHECK(points.at(1).comparison.has_value() == (version >= 3));
    CHECK(merged.roofs(outcome.added[0].into).size() == (version >= 2 ? 1 : 0));
  }
  for (const char* table : {"samples", "measurements", "verifications", "resources", "notes"}) {
    CAPTURE(table);
    std::size_t rows = 0;
    for (const int version : dumped_versions()) rows += std::stoul(OldStore(version).count(table));
    CHECK(count_of(into, table) == std::to_string(rows));
  }
  CHECK(execute(into, "PRAGMA foreign_key_check") == "");
}
