// Reading point by point.
#include "store/fixtures.hpp"
#include "store/store.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

struct Fixture : OneFile {
  RunId run = store.create_run(a_run());

  /// Points with these values of the parameter `n`.
  std::vector<PointId> add(const std::vector<std::int64_t>& sizes) {
    std::vector<PointRow> rows;
    for (const std::int64_t n : sizes) {
      rows.push_back(a_point(rows.size()));
      rows.back().point.problem = {{"n", n}};
      rows.back().point.measure.seed = static_cast<std::uint64_t>(n);
      rows.back().point.status = Status::not_run;
    }
    return store.add_points(run, rows);
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "results come by ordinal, one by one as all at once, each with what is its own") {
  std::vector<PointRow> rows;
  for (const std::uint64_t ordinal : {2, 0, 5, 3, 1, 4}) {
    PointRow& row = rows.emplace_back(a_point(ordinal));
    row.point.problem = {{"n", static_cast<std::int64_t>(ordinal / 2)}};
    row.point.measure.seed = ordinal;
    row.point.status = Status::not_run;
  }
  const std::vector<PointId> ids = store.add_points(run, rows);
  const auto resources_of = [](std::uint64_t ordinal) {
    return Resources{{"a", static_cast<double>(ordinal)}, {"b", 1}};
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Result result = a_result();
    result.resources = resources_of(rows[i].ordinal);
    if (rows[i].ordinal != 3) store.finish_point(ids[i], result);
  }
  std::vector<Result> one_by_one;
  store.each_result(run, [&](Result point) {
    CHECK(store.point_count(run) == rows.size());  // reading meanwhile is allowed
    one_by_one.push_back(std::move(point));
  });
  const std::vector<Result> at_once = store.results(run);
  REQUIRE(one_by_one.size() == rows.size());
  REQUIRE(at_once.size() == rows.size());
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    CAPTURE(i);
    for (const Result& point : {one_by_one[i], at_once[i]}) {
      CHECK(point.row.ordinal == i);
      CHECK(point.row.point.problem == Parameters{{"n", static_cast<std::int64_t>(i / 2)}});
      CHECK(point.row.point.measure.seed == i);
      CHECK(point.measurement.has_value() == (i != 3));
      CHECK(point.resources == (i != 3 ? resources_of(i) : Resources{}));
    }
  }
}

TEST_CASE_METHOD(Fixture, "what a reader of results throws passes, and the store can be written to again") {
  const std::vector<PointId> ids = add({1, 2});
  struct Enough {};
  CHECK_THROWS_AS(store.each_result(run, [](const Result&) { throw Enough(); }), Enough);
  store.finish_point(ids[0], a_result());
  CHECK(store.results(run)[0].measurement.has_value());
}
