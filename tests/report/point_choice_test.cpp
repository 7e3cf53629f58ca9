// How people name points.
#include "report/point_names.hpp"
#include "report/stored_run.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// A store with two runs; run 2 has one point more.
struct TwoRuns : OneStore {
  TwoRuns() {
    for (const int tiles : {2, 3}) {
      RunWanted wanted;
      wanted.points = {measured("gpu:0", "naive", 9, 1)};
      for (int i = 1; i < tiles; ++i)
        wanted.points.push_back(with_tile(measured("gpu:0", "tiled", 9, 1), i));
      store_run(store, wanted);
    }
  }
  [[nodiscard]] std::string chosen(const std::string& text) const {
    const FoundPoint choice = choose_point(store, text);
    return choice.name() + " " + choice.point().label();
  }
};

}  // namespace

TEST_CASE_METHOD(TwoRuns, "a point is named by its number, in the newest run or in one that is named") {
  CHECK(chosen("2") == "2:2 matmul/tiled @ gpu:0 dtype=f32 n=64 tile=2");
  CHECK(chosen("2:0") == "2:0 matmul/naive @ gpu:0 dtype=f32 n=64");
  CHECK(chosen("1:1") == "1:1 matmul/tiled @ gpu:0 dtype=f32 n=64 tile=1");
  CHECK(choose_point(store, "0").lane()->device.id == "0");
}

TEST_CASE_METHOD(TwoRuns, "a point is named by a pattern of its label that no other matches") {
  CHECK(chosen("*naive*") == "2:0 matmul/naive @ gpu:0 dtype=f32 n=64");
  CHECK(chosen("1:*tiled*") == "1:1 matmul/tiled @ gpu:0 dtype=f32 n=64 tile=1");
  CHECK(chosen("matmul/tiled @ gpu:0 dtype=f32 n=64 tile=2") ==
        "2:2 matmul/tiled @ gpu:0 dtype=f32 n=64 tile=2");
}

TEST_CASE("a name that fits no point, or several, says which points there are") {
  const TwoRuns runs;
  const auto refuses = [&](const std::string& name, const std::string& because) {
    CAPTURE(name);
    CHECK_THROWS_MATCHES(choose_point(runs.store, name), PointNotFound,
                         MessageMatches(ContainsSubstring(because)));
  };
  refuses("9", "run 2 has no point 9: it has 3 points, numbered from 0");
  refuses("1:2", "run 1 has no point 2: it has 2 points");
  refuses("7:0", "has no run 7");
  refuses("*tiled*", "2 points of run 2 match '*tiled*'");
  refuses("*tiled*", "2:1  matmul/tiled @ gpu:0 dtype=f32 n=64 tile=1");
  refuses("*other*", "no point of run 2 has a label that matches '*other*'");
  refuses("*other*", "2:0  matmul/naive");
  refuses("", "no point of run 2");
  refuses("-1", "run 2 has no point -1: it has 3 points");
  const OneStore empty;
  CHECK_THROWS_MATCHES(choose_point(empty.store, "0"), PointNotFound,
                       MessageMatches(ContainsSubstring("has no runs yet")));
}
