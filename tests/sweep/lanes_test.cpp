// Which lanes a sweep has, what is said of those that it cannot have, and what lanes have in common.
#include "fixtures.hpp"
#include "support/catch.hpp"

#include <benchctl/software.hpp>

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("a backend without device gives skipped points with the reason") {
  LaneTable table = lanes();
  table[0].lanes.clear();
  table[0].unavailable = "no driver";
  const auto points = points_of(
      "variants = ['tiled']\nparameters = { tile = [1, 2] }\n[[sweep.override]]\n"
      "match = { device_type = 'gpu' }\nparameters = { tile = [9] }\n[[sweep.override]]\n"
      "match = { device = '*' }\nparameters = { tile = [3] }\n[[sweep.override]]\n"
      "match = { backend = 'gpu' }\nparameters = { n = [5] }",
      table);
  REQUIRE(short_labels(points, {"n", "tile"}) ==
          Labels{"tiled@cpu:0 n=64 tile=3", "tiled@gpu n=5 tile=1", "tiled@gpu n=5 tile=2"});
  CHECK(points[1].status == Status::skipped);
  CHECK(points[1].reason == "no device: no driver");
  CHECK(points[1].backend == "gpu");
}

TEST_CASE("lanes that were filtered out before leave nothing behind") {
  LaneTable table = lanes();
  table.erase(table.begin());
  CHECK(labels_of({}, "backends = ['gpu', 'cpu']\nvariants = ['plain']", table) == Labels{"plain@cpu:0"});
}

TEST_CASE("a device pattern also decides whether a backend without device is mentioned") {
  LaneTable table = lanes();
  table[0] = {"gpu", {}, "no driver"};
  CHECK(labels_of({}, "variants = ['plain']\ndevices = ['cpu:0']", table) == Labels{"plain@cpu:0"});
  CHECK(labels_of({}, "variants = ['plain']\ndevices = ['gpu:0']", table) == Labels{"plain@gpu"});
  CHECK(labels_of({}, "variants = ['plain']\ndevices = ['*']", table) ==
        Labels{"plain@gpu", "plain@cpu:0"});
}

TEST_CASE("simulators run only when a pattern names them") {
  LaneTable table = lanes();
  table[0].lanes.push_back(lane("gpu", "sim", DeviceType::simulator));
  CHECK(labels_of({}, "variants = ['fancy']", table) == Labels{"fancy@gpu:0", "fancy@gpu:1"});
  CHECK(labels_of({}, "variants = ['fancy']\ndevices = ['gpu:sim']", table) == Labels{"fancy@gpu:sim"});
  table[0].lanes.erase(table[0].lanes.begin(), table[0].lanes.begin() + 2);
  const auto points = points_of("variants = ['fancy']", table);
  REQUIRE(short_labels(points, {}) == Labels{"fancy@gpu"});
  CHECK(points[0].reason == "no device: only simulators, which run when 'devices' names them");
}

TEST_CASE("software stands in for a device only where it is asked for") {
  const auto with_software = [] {
    LaneTable table = lanes();
    Lane software = table[0].lanes.front();
    software.device.id = "software:0";
    software.device.properties[software_property] = "yes";
    table[0].lanes.push_back(software);
    return table;
  };
  const std::string backend = with_software()[0].backend;
  const auto left = [&](const std::vector<std::string>& backends, const std::vector<std::string>& devices) {
    LaneTable table = with_software();
    leave_out_software(table, backends, devices);
    return table[0].lanes.size() == with_software()[0].lanes.size();
  };
  CHECK_FALSE(left({}, {}));
  CHECK_FALSE(left({"another"}, {backend + ":0"}));
  CHECK(left({backend}, {}));
  CHECK(left({}, {backend + ":software*"}));

  LaneTable table = with_software();
  std::erase_if(table[0].lanes, [](const Lane& lane) { return lane.device.properties.empty(); });
  leave_out_software(table, {}, {});
  CHECK(table[0].lanes.empty());
  CHECK(table[0].unavailable == "only software (" + backend + ":software:0), which runs when --backend " +
                                    backend + " or --device names it");
}
