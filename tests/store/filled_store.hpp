// Stores with a row in every table, and the comparison of two of them table by table.
#pragma once

#include "store/fixtures.hpp"

#include <array>

namespace benchctl::test {

/// A complete run of two points, the second taken over from the first, with everything that a run can have.
/// `median` tells runs apart that are otherwise the same.
inline RunId fill_run(Store& store, const std::string& hash, double median = 43.5) {
  const RunId run = store.create_run(a_run(hash));
  const auto points = store.add_points(run, std::vector{a_point(0), a_point(1)});
  store.append_samples(points[0], 0, 0, a_block(median));
  store.append_samples(points[0], 0, 1, a_block(median + 1));
  store.append_samples(points[0], 1, 0, a_block(median + 2), 1);
  store.mark_unused(points[0], 1);
  Result result = a_result();
  result.measurement->median_ns = median;
  store.finish_point(points[0], result);
  store.set_comparisons(
      {{points[0],
        {{Against::baseline, 1, awkward, 9, 1.25, 1.125, std::nan(""), 3, 0.01, stats::Verdict::slower}}}});
  store.copy_point(points[0], points[1]);
  store.set_roofs(run, std::array{RoofRow{"fake:0", "fma_f32", 1e12, points[0]}});
  store.add_event(run, awkward);
  store.add_files(run, std::array{RunFile{"kernel.cl", awkward}});
  store.finish_run(run, RunState::complete);
  return run;
}

/// How many rows of a table are in one file and not in the other, taken both ways; keys of rows do not
/// count.
inline std::string differing_rows(const std::filesystem::path& one, const std::filesystem::path& other,
                                  const std::string& table) {
  const std::string columns =
      execute(one, "SELECT group_concat(name) FROM pragma_table_info('" + table +
                       "') WHERE name NOT IN ('id', 'run', 'point', 'reused_from', 'source')");
  const std::string a = "SELECT " + columns + " FROM main." + table;
  const std::string b = "SELECT " + columns + " FROM other." + table;
  return execute(one, "ATTACH '" + other.string() + "' AS other; SELECT (SELECT count(*) FROM (" + a +
                          " EXCEPT " + b + ")) + (SELECT count(*) FROM (" + b + " EXCEPT " + a + "))");
}

inline constexpr std::array all_tables{"runs",         "lanes",         "points",    "samples",
                                       "measurements", "verifications", "resources", "notes",
                                       "comparisons",  "roofs",         "events",    "run_files"};

inline std::string count_of(const std::filesystem::path& file, const std::string& table) {
  return execute(file, "SELECT count(*) FROM " + table);
}

}  // namespace benchctl::test
