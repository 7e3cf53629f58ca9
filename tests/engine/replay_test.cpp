// What a replay says has changed since a point was stored.
#include "engine/replay.hpp"
#include "support/catch.hpp"

using namespace benchctl;

namespace {

Lane a_lane() {
  Lane lane;
  lane.backend = "some";
  lane.device.id = "0";
  lane.device.name = "Device";
  lane.device.driver = "driver 1";
  return lane;
}

Environment an_environment() {
  using enum EnvironmentClass;
  Environment environment;
  environment.entries = {{"system.load", "0 0 0", information},
                         {"plugin.some", "1.0 (GCC)", should_match},
                         {"plugin.some.digest", "abc", information},
                         {"plugin.other.digest", "def", information}};
  return environment;
}

PointRow stored_with(const std::string& key) {
  PointRow row;
  row.content_key = key;
  return row;
}

std::vector<std::string> changes(const Environment& now, const Lane& lane, const std::string& key) {
  const Lane then = a_lane();
  return changes_since(stored_with("k1"), an_environment(), &then, now, lane, key);
}

}  // namespace

TEST_CASE("an equal content key: nothing that counts has changed, whatever else has") {
  Environment now = an_environment();
  now.entries[0].value = "9 9 9";
  now.entries[2].value = "changed";
  CHECK(changes(now, a_lane(), "k1").empty());
}

TEST_CASE("another driver, another build of the point's own plugin") {
  Lane lane = a_lane();
  lane.device.driver = "driver 2";
  const auto driver = changes(an_environment(), lane, "k2");
  REQUIRE(driver.size() == 2);
  CHECK_THAT(driver[0], ContainsSubstring("some:0: driver differs (driver 1 / driver 2)"));
  CHECK_THAT(driver[1], ContainsSubstring("as well"));
  Environment now = an_environment();
  now.entries[0].value = "9 9 9";
  now.entries[2].value = "abd";
  now.entries[3].value = "deg";
  const auto plugin = changes(now, a_lane(), "k2");
  REQUIRE(plugin.size() == 2);
  CHECK_THAT(plugin[0], ContainsSubstring("plugin.some.digest differs (abc / abd)"));
}

TEST_CASE("where nothing else explains another key, it is the kernel or its description") {
  const auto found = changes(an_environment(), a_lane(), "k2");
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], ContainsSubstring("kernel's source"));
}

TEST_CASE("a point whose device is not in its run's record: the rest is compared") {
  const auto found =
      changes_since(stored_with("k1"), an_environment(), nullptr, an_environment(), a_lane(), "k2");
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], ContainsSubstring("kernel's source"));
}
