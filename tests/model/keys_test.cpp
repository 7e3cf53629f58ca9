#include "model/keys.hpp"
#include "support/catch.hpp"

#include <unordered_set>

using namespace benchctl;

namespace {

Point tiled() {
  Point point;
  point.workload = "matmul";
  point.variant = "tiled";
  point.backend = "cuda";
  point.device = "cuda:0";
  point.problem = {{"n", std::int64_t{512}}, {"dtype", std::string("f32")}};
  point.tunables = {{"tile", std::int64_t{16}}};
  return point;
}

template <class Change>
Point changed(Change change) {
  Point point = tiled();
  change(point);
  return point;
}

}  // namespace

TEST_CASE("keys: numbers count by their value") {
  const Point real = changed([](Point& p) { p.problem.set("n", 512.0); });
  CHECK(ProblemKey(real) == ProblemKey(tiled()));
  CHECK(ProblemKey(real).hash() == ProblemKey(tiled()).hash());
  CHECK(ProblemKey(real).text() == ProblemKey(tiled()).text());
  CHECK(PointKey(real) == PointKey(tiled()));
  CHECK(PointKey(real).hash() == PointKey(tiled()).hash());
}

TEST_CASE("keys: each part tells points apart, in order, hash and text alike") {
  const std::vector<Point> points = {
      tiled(),
      changed([](Point& p) { p.workload = "transpose"; }),
      changed([](Point& p) { p.variant = "naive"; }),
      changed([](Point& p) { p.backend = "opencl"; }),
      changed([](Point& p) { p.device = "cuda:1"; }),
      changed([](Point& p) { p.layout = "aos12"; }),
      changed([](Point& p) { p.problem.set("n", std::int64_t{513}); }),
      changed([](Point& p) { p.problem.set("dtype", std::string("f64")); }),
      changed([](Point& p) { p.tunables.set("tile", std::int64_t{32}); }),
      changed([](Point& p) { p.tunables.set("block", std::int64_t{16}); }),
      changed([](Point& p) { p.measure.cache = CacheMode::cold; }),
      changed([](Point& p) { p.measure.launch = LaunchMode::graph; }),
      changed([](Point& p) { p.measure.basis = Basis::host_sync; }),
  };
  std::map<PointKey, int> ordered;
  std::unordered_set<PointKey, KeyHash> hashed;
  std::unordered_set<std::string> texts;
  for (const Point& point : points) {
    ++ordered[PointKey(point)];
    hashed.insert(PointKey(point));
    texts.insert(PointKey(point).text());
  }
  CHECK(ordered.size() == points.size());
  CHECK(hashed.size() == points.size());
  CHECK(texts.size() == points.size());
}

TEST_CASE("keys: rivals differ in what they are, not in what they compute or how they are timed") {
  const RivalKey key(tiled());
  CHECK(RivalKey(changed([](Point& p) { p.variant = "naive"; })) == key);
  CHECK(RivalKey(changed([](Point& p) { p.device = "cuda:1"; })) == key);
  CHECK(RivalKey(changed([](Point& p) { p.layout = "aos12"; })) == key);
  CHECK(RivalKey(changed([](Point& p) { p.measure.target = 0.5; })) == key);
  CHECK(RivalKey(changed([](Point& p) { p.measure.cache = CacheMode::cold; })) != key);
  CHECK(RivalKey(changed([](Point& p) { p.problem.set("n", std::int64_t{1}); })) != key);
}

TEST_CASE("keys: without a device a point is the same on each") {
  const Point other = changed([](Point& p) { p.device = "cuda:1"; });
  CHECK(PointKey(other) != PointKey(tiled()));
  CHECK(PointKey(other, "") == PointKey(tiled(), ""));
}

TEST_CASE("keys: two cards of one kind are two devices") {
  DeviceInfo first;
  first.name = "H200";
  first.driver = "580.1";
  first.properties["uuid"] = "GPU-1";
  DeviceInfo second = first;
  second.properties["uuid"] = "GPU-2";
  CHECK(DeviceKey(first) == DeviceKey(first));
  CHECK(DeviceKey(first) != DeviceKey(second));
  CHECK(same_kind(DeviceKey(first), DeviceKey(second)));
  second.driver = "580.2";
  CHECK_FALSE(same_kind(DeviceKey(first), DeviceKey(second)));
}
