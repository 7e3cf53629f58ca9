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
    PointResult result = a_result();
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

TEST_CASE_METHOD(Fixture,
                 "a limit leaves the fastest of all that compete, and all points without good times") {
  struct Wanted {
    std::int64_t n;
    std::string device;
    double median;
    Status status = Status::ok;
    CacheMode cache = CacheMode::cold;
  };
  const double untimed = std::nan("");
  const std::vector<Wanted> all{{1, "a:0", 5},
                                {1, "a:0", 3},
                                {1, "a:0", 4, Status::unstable},
                                {1, "b:0", 4.5},
                                {1, "b:0", 3.5},
                                {2, "a:0", 7},
                                {2, "a:0", untimed, Status::crashed},
                                {2, "a:0", 6},
                                {2, "a:0", 1, Status::wrong},
                                {2, "a:0", untimed},
                                {1, "a:0", 9, Status::ok, CacheMode::hot}};
  std::vector<PointRow> rows;
  for (const Wanted& wanted : all) {
    rows.push_back(a_point(rows.size()));
    Point& point = rows.back().point;
    point.problem = {{"n", wanted.n}};
    point.device = wanted.device;
    point.measure.cache = wanted.cache;
    point.status = Status::not_run;
  }
  const std::vector<PointId> ids = store.add_points(run, rows);
  for (std::size_t i = 0; i < all.size(); ++i) {
    PointResult result = a_result();
    result.status = all[i].status;
    result.measurement->median_ns = all[i].median;
    if (std::isnan(all[i].median)) result.measurement.reset();
    store.finish_point(ids[i], result);
  }
  using Ordinals = std::vector<std::uint64_t>;
  StatusCounts left_out;
  const auto read = [&](std::optional<std::size_t> limit) {
    Ordinals ordinals;
    left_out = store.each_result(
        run, [&](const Result& point) { ordinals.push_back(point.row.ordinal); }, limit);
    return ordinals;
  };
  CHECK(read(4) == Ordinals{1, 4, 6, 7, 8, 9, 10});
  CHECK(left_out == StatusCounts{{Status::ok, 3}, {Status::unstable, 1}});
  CHECK(read(6) == Ordinals{1, 2, 3, 4, 6, 7, 8, 9, 10});
  CHECK(left_out == StatusCounts{{Status::ok, 2}});
  CHECK(read(8).size() == all.size());
  CHECK(left_out.empty());
  CHECK(read(std::nullopt).size() == all.size());
  CHECK(store.point_count(run) == all.size());
}

TEST_CASE_METHOD(Fixture, "what a reader of results throws passes, and the store can be written to again") {
  const std::vector<PointId> ids = add({1, 2});
  struct Enough {};
  CHECK_THROWS_AS(store.each_result(run, [](const Result&) { throw Enough(); }), Enough);
  store.finish_point(ids[0], a_result());
  CHECK(store.results(run)[0].measurement.has_value());
}

TEST_CASE_METHOD(
    Fixture, "times are those of the samples in use, by replicate, in the order in which they were taken") {
  const std::vector<PointId> ids = add({1, 2});
  const auto block = [](std::vector<double> ns) {
    SampleBlock made;
    made.ns = std::move(ns);
    return made;
  };
  store.append_samples(ids[0], 0, 0, block({5, 4}), 1);
  store.append_samples(ids[0], 0, 0, block({3, 9}), 0);
  store.append_samples(ids[0], 0, 1, block({1}), 0);
  store.append_samples(ids[0], 0, 2, block({100}), 0);
  store.append_samples(ids[0], 0, 1, block({2}), 1);
  store.mark_unused(ids[0], 2, 0);
  const auto times = store.times_reader();
  CHECK(times(ids[0]) == std::vector<std::vector<double>>{{3, 9, 1}, {5, 4, 2}});
  CHECK(times(ids[1]).empty());
  CHECK(times(ids[0]).size() == 2);
}

TEST_CASE_METHOD(Fixture, "all times are seen as of one moment") {
  const std::vector<PointId> ids = add({1, 2});
  store.append_samples(ids[0], 0, 0, a_block(1));
  const Store reader = Store::open(store.path(), Store::Access::read_only);
  const auto times = reader.times_reader();
  CHECK(times(ids[0]).size() == 1);
  store.append_samples(ids[1], 0, 0, a_block(2));
  CHECK(times(ids[1]).empty());
  // Two readers of one store are one view of it, and end in any order.
  auto second = std::optional(reader.times_reader());
  CHECK((*second)(ids[0]) == times(ids[0]));
  second.reset();
  CHECK(times(ids[0]).size() == 1);
}
