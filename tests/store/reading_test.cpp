// Reading point by point.
#include <catch2/catch_test_macros.hpp>

#include "store/fixtures.hpp"
#include "store/sample_times.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

struct Fixture {
  TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "store.db");
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

TEST_CASE("results come one by one, by ordinal, as they come all at once") {
  Fixture f;
  const std::vector<std::int64_t> sizes{5, 5, 6, 5, 7, 7};
  const std::vector<PointId> ids = f.add(sizes);
  f.store.finish_point(ids[2], a_result());
  std::vector<StoredPoint> one_by_one;
  f.store.each_result(f.run, [&](StoredPoint point) {
    CHECK(f.store.samples(point.row.id).empty());  // reading meanwhile is allowed
    one_by_one.push_back(std::move(point));
  });
  const std::vector<StoredPoint> at_once = f.store.results(f.run);
  REQUIRE(one_by_one.size() == sizes.size());
  REQUIRE(at_once.size() == sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    CAPTURE(i);
    for (const StoredPoint& point : {one_by_one[i], at_once[i]}) {
      CHECK(point.row.id == ids[i]);
      CHECK(point.row.point.problem == Parameters{{"n", sizes[i]}});
      CHECK(point.row.point.measure.seed == static_cast<std::uint64_t>(sizes[i]));
      CHECK(point.measurement.has_value() == (i == 2));
      CHECK(point.resources.size() == (i == 2 ? 2 : 0));
    }
  }
}

TEST_CASE("what a reader of results throws passes, and the store can be written to again") {
  Fixture f;
  const std::vector<PointId> ids = f.add({1, 2});
  struct Enough {};
  CHECK_THROWS_AS(f.store.each_result(f.run, [](const StoredPoint&) { throw Enough(); }), Enough);
  f.store.finish_point(ids[0], a_result());
  CHECK(f.store.results(f.run)[0].measurement.has_value());
}

TEST_CASE("times are those of the samples in use, by replicate, in the order in which they were taken") {
  Fixture f;
  const std::vector<PointId> ids = f.add({1, 2});
  const auto block = [](std::vector<double> ns) {
    SampleBlock made;
    made.ns = std::move(ns);
    return made;
  };
  f.store.append_samples(ids[0], 0, 0, block({5, 4}), 1);
  f.store.append_samples(ids[0], 0, 0, block({3, 9}), 0);
  f.store.append_samples(ids[0], 0, 1, block({1}), 0);
  f.store.append_samples(ids[0], 0, 2, block({100}), 0);
  f.store.append_samples(ids[0], 0, 1, block({2}), 1);
  f.store.mark_unused(ids[0], 2, 0);
  SampleTimes times(f.store);
  CHECK(times.of(ids[0]) == std::vector<std::vector<double>>{{3, 9, 1}, {5, 4, 2}});
  CHECK(times.of(ids[1]).empty());
  CHECK(times.of(ids[0]).size() == 2);
}

TEST_CASE("all times are seen as of one moment") {
  Fixture f;
  const std::vector<PointId> ids = f.add({1, 2});
  f.store.append_samples(ids[0], 0, 0, a_block(1));
  const Store reader = Store::open(f.store.path(), Store::Access::read_only);
  SampleTimes times(reader);
  CHECK(times.of(ids[0]).size() == 1);
  f.store.append_samples(ids[1], 0, 0, a_block(2));
  CHECK(times.of(ids[1]).empty());
  // Two readers of one store are one view of it, and end in any order.
  auto second = std::make_optional<SampleTimes>(reader);
  CHECK(second->of(ids[0]) == times.of(ids[0]));
  second.reset();
  CHECK(times.of(ids[0]).size() == 1);
}
