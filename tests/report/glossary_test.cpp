// The glossary has no entry that no table uses. (A column without an entry does not compile.)
#include <catch2/catch_test_macros.hpp>

#include "report/compare_documents.hpp"
#include "report/compared_sides.hpp"
#include "report/export.hpp"
#include "report/fixtures.hpp"
#include "report/glossary.hpp"
#include "report/history.hpp"
#include "report/table.hpp"
#include "support/paths.hpp"

#include <set>

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// Everything that a row can show.
StoredPoint full(StoredPoint stored) {
  stored.resources = {{"cycles_per_access", 400}, {"roof_fraction", 0.5}, {"predicted_ns", 90},
                      {"sector_efficiency", 0.3}, {"conflict_degree", 2}, {"requested_bytes", 4096}};
  return vendor(with_tile(std::move(stored), 16));
}

StoredPoint of_size(StoredPoint stored, std::int64_t n) {
  stored.row.point.problem.set("n", n);
  return stored;
}

/// The tables of comparisons, histories and summaries.
std::string comparisons() {
  ComparedPoint slower = sampled_point("v", 103, 0.001);
  ComparedPoint before = sampled_point("v", 100, 0.001);
  before.metrics = {{"registers", 40}};
  slower.metrics = {{"registers", 50}};
  const CompareSide base = side_with({before, sampled_point("w", 100, 0.001)});
  const CompareSide fresh = side_with({slower, sampled_point("w", 104, 0.001)});
  const GatePolicy policy = parse_gate("[[rule]]\nmetric = \"registers\"\nthreshold = 0.1", "gate");
  std::string text = compare_text(compare_within(base, fresh, {.policy = policy}), {.markdown = true});
  const TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "s.db");
  RunWanted wanted;
  wanted.lanes = {lane_of("gpu:0", "Card")};
  wanted.lanes[0].device.properties["peak_dram_per_s"] = "1e12";
  std::vector<ReportSource> sources;
  for (const double median : {100.0, 100.1, 99.9, 120.0, 120.1, 119.9}) {
    wanted.points = {measured("gpu:0", "tiled", median, 0.1)};
    wanted.points[0].resources = {
        {"replicates", 2}, {"within_spread", 0.1}, {"between_spread", 0.1}, {"roof_fraction", 0.5}};
    wanted.points[0].row.cost.flops = 0;
    const RunId run = store_run(store, wanted);
    const Comparison baseline{Against::baseline, 0, "b", 9, 1, 0.9, 1.1, 1, 0, "same"};
    store.set_comparisons(store.points(run)[0].id, {&baseline, 1});
    sources.push_back({&store, run});
  }
  return text + history_text(make_history(store, {}), {.markdown = true, .bars = true}) +
         report_markdown(make_report(sources), {});
}

/// Every table that reports make, with every column that they have.
std::string all_tables() {
  constexpr TableOptions markdown{.markdown = true};
  std::vector<StoredPoint> points{full(measured("gpu:0", "tiled", 100, 1)),
                                  with_tile(measured("gpu:0", "tiled", 200, 1), 4)};
  for (const std::int64_t n : {1, 2, 3}) {
    StoredPoint copy = of_size(measured("gpu:0", "plain", 10, 1), n);
    copy.row.point.workload = "copy";
    copy.row.cost.flops = 0;
    points.push_back(copy);
    copy.row.point.workload = "latency";
    copy.row.cost.accesses = 5;
    points.push_back(copy);
  }
  const std::vector<ResultRow> rows = rows_of(points);
  Published published;
  published.source = "somebody";
  published.match = {{"workload", std::string("matmul")}};
  published.axis = "tile";
  published.values = {{std::int64_t{4}, 2}, {std::int64_t{16}, 1}};
  const TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "s.db");
  NewRun run;
  run.name = run.title = "x";
  run.environment = "[]";
  store.set_baseline("release", store.create_run(run));
  return comparisons() + problem_tables(rows, markdown) +
         published_tables({published}, rows, {}, markdown) +
         roof_table({{"gpu:0", "fma_f32", 1e12, {}, 0.99e12, 1.01e12, 1980}}, markdown) + runs_table(store);
}

}  // namespace

TEST_CASE("every column of the glossary stands in some table") {
  // Of `benchctl list`, `selftest` and the Markdown report, whose own tests look at them; and of
  // rows that only paired rounds and memory on the chip have.
  const std::set<std::string_view> elsewhere = {"workload",
                                                "check",
                                                "case",
                                                "expected",
                                                "found",
                                                "outcome",
                                                "measured as",
                                                "fastest",
                                                "time (range)",
                                                "ties with",
                                                "fastest non-vendor",
                                                "vs best device",
                                                "interval",
                                                "95 % interval",
                                                "application",
                                                "architectural",
                                                "speed vs baseline",
                                                "verdict",
                                                "requested GB/s"};
  const std::string tables = all_tables();
  std::set<std::string_view> titles;
  for (const ColumnInfo& column : column_table) {
    CAPTURE(column.title);
    CHECK(titles.insert(column.title).second);
    CHECK(column.doc.size() > 10);
    if (elsewhere.contains(column.title)) continue;
    const std::string title(column.title);
    const bool in_markdown = tables.find("| " + title + " |") != std::string::npos;
    const bool in_runs = tables.find(title + "  ") != std::string::npos ||
                         tables.find("  " + title + "\n") != std::string::npos;
    CHECK((in_markdown || in_runs));
  }
}
