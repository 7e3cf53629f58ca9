// How people name points.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "report/point_names.hpp"
#include "support/paths.hpp"

using namespace benchctl;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

/// A store with two runs; run 2 has one point more.
struct TwoRuns {
  test::TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "s.db");

  TwoRuns() {
    for (const int tiles : {2, 3}) {
      NewRun run;
      run.name = "x";
      run.config_hash = "h" + std::to_string(tiles);
      run.environment = "[]";
      run.lanes = {{"fake", {}}};
      run.lanes[0].device.id = "0";
      const RunId id = store.create_run(run);
      std::vector<PointRow> rows;
      for (int i = 0; i < tiles; ++i) {
        PointRow& row = rows.emplace_back();
        row.ordinal = static_cast<std::uint64_t>(i);
        row.point.workload = "matmul";
        row.point.variant = i == 0 ? "naive" : "tiled";
        row.point.backend = "fake";
        row.point.device = "fake:0";
        row.point.problem = {{"n", std::int64_t{8}}};
        if (i > 0) row.point.tunables = {{"tile", std::int64_t{i}}};
      }
      store.add_points(id, rows);
    }
  }
  [[nodiscard]] std::string chosen(const std::string& text) const {
    const PointChoice choice = choose_point(store, text);
    return choice.name() + " " + choice.point().label();
  }
};

}  // namespace

TEST_CASE("a point is named by its number, in the newest run or in one that is named") {
  const TwoRuns runs;
  CHECK(runs.chosen("2") == "2:2 matmul/tiled @ fake:0 n=8 tile=2");
  CHECK(runs.chosen("2:0") == "2:0 matmul/naive @ fake:0 n=8");
  CHECK(runs.chosen("1:1") == "1:1 matmul/tiled @ fake:0 n=8 tile=1");
  CHECK(choose_point(runs.store, "0").lane()->device.id == "0");
}

TEST_CASE("a point is named by a pattern of its label that no other matches") {
  const TwoRuns runs;
  CHECK(runs.chosen("*naive*") == "2:0 matmul/naive @ fake:0 n=8");
  CHECK(runs.chosen("1:*tiled*") == "1:1 matmul/tiled @ fake:0 n=8 tile=1");
  CHECK(runs.chosen("matmul/tiled @ fake:0 n=8 tile=2") == "2:2 matmul/tiled @ fake:0 n=8 tile=2");
}

TEST_CASE("a name that fits no point, or several, says which points there are") {
  const TwoRuns runs;
  const auto refuses = [&](const std::string& name, const std::string& because) {
    CAPTURE(name);
    CHECK_THROWS_MATCHES(choose_point(runs.store, name), PointChoiceError,
                         MessageMatches(ContainsSubstring(because)));
  };
  refuses("9", "run 2 has no point 9: it has 3 points, numbered from 0");
  refuses("1:2", "run 1 has no point 2: it has 2 points");
  refuses("7:0", "has no run 7");
  refuses("*tiled*", "2 points of run 2 match '*tiled*'");
  refuses("*tiled*", "2:1  matmul/tiled @ fake:0 n=8 tile=1");
  refuses("*other*", "no point of run 2 has a label that matches '*other*'");
  refuses("*other*", "2:0  matmul/naive");
  refuses("", "no point of run 2");
  refuses("-1", "no point of run 2");
  const test::TemporaryDirectory empty;
  const Store store = Store::open(empty.path() / "s.db");
  CHECK_THROWS_MATCHES(choose_point(store, "0"), PointChoiceError,
                       MessageMatches(ContainsSubstring("has no runs yet")));
}
