#include "errors.hpp"
#include "support/catch.hpp"

#include "config/measure_settings.hpp"

#include <stdexcept>

using namespace benchctl;
using namespace benchctl::test;

namespace {

bool takes(const std::string& key, const Value& value) {
  MeasureSettings settings;
  const MeasureSettings before = settings;
  const bool taken = find_measure_key(key)->set(settings, value);
  if (!taken) CHECK(settings == before);
  return taken;
}

Value integer(std::int64_t number) { return number; }

}  // namespace

TEST_CASE("numbers are taken within their bounds, bounds included") {
  struct Bounds {
    const char* key;
    Value least, below, most, above;
  };
  const std::vector<Bounds> table{
      {"target", 1e-6, 0.9e-6, 1.0, 1.0001},
      {"min_samples", integer(1), integer(0), integer(1'000'000), integer(1'000'001)},
      {"max_samples", integer(1), integer(0), integer(1'000'000), integer(1'000'001)},
      {"max_seconds", 0.001, 0.0009, 86'400.0, 86'401.0},
      {"samples", integer(0), integer(-1), integer(1'000'000), integer(1'000'001)},
      {"min_sample_us", 0.0, -0.1, 1e6, 1.1e6},
      {"min_timer_steps", 0.0, -0.1, 1e6, 1.1e6},
      {"warmup_seconds", 0.0, -0.1, 3600.0, 3600.5},
      {"seed", integer(0), integer(-1), integer(9007199254740992), integer(9007199254740993)},
  };
  for (const Bounds& row : table) {
    INFO(row.key);
    CHECK(takes(row.key, row.least));
    CHECK_FALSE(takes(row.key, row.below));
    CHECK(takes(row.key, row.most));
    CHECK_FALSE(takes(row.key, row.above));
    CHECK_FALSE(takes(row.key, std::string("1")));
    CHECK_FALSE(takes(row.key, true));
  }
  CHECK(takes("max_seconds", integer(2)));
  CHECK_FALSE(takes("min_samples", 2.0));
  CHECK_FALSE(takes("target", std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE("patches change what they name, and a cap under the default minimum counts") {
  MeasureSettings settings;
  apply_measure(settings, {{"max_samples", integer(10), {}}, {"min_sample_us", integer(3), {}}});
  MeasureSettings expected;
  expected.max_samples = 10;
  expected.min_samples = 10;
  expected.min_sample_ns = 3000;
  CHECK(settings == expected);
  apply_measure(settings, {});
  CHECK(settings == expected);
  CHECK_THROWS_AS(apply_measure(settings, {{"seed", integer(-1), {}}}), std::logic_error);
  CHECK_THROWS_AS(apply_measure(settings, {{"sead", integer(1), {}}}), std::logic_error);
}

TEST_CASE("observe is a list of names of readings, or none") {
  const auto observe = [](const std::string& value) {
    return parse_config(
               "[experiment]\nname='x'\n[measure]\nobserve = " + value + "\n[[sweep]]\nworkload='w'\n",
               "x.toml")
        .measure.observe;
  };
  using Names = std::vector<std::string>;
  CHECK(observe("['cycles', 'energy']") == Names{"cycles", "energy"});
  CHECK(observe("['none']") == Names{"none"});
  CHECK(observe("[]").empty());
  CHECK_FALSE(find_measure_key("observe")->is_parameter());
}

TEST_CASE("readings that a sweep asks for take the place of the config's, and --set of all") {
  Config config = parse_config(
      "[experiment]\nname='x'\n[measure]\nobserve=['a']\n[[sweep]]\nworkload='w'\nmeasure={observe=['b']}"
      "\n",
      "x.toml");
  MeasureSettings settings = config.measure;
  apply_measure(settings, config.sweeps[0].measure);
  CHECK(settings.observe == std::vector<std::string>{"b"});
  REQUIRE(config.measure_entries.size() == 1);
  CHECK(config.measure_entries[0].words.at(0).text == "a");
  CHECK(config.measure_entries[0].words.at(0).position.column == 10);
  apply_set(config, "measure.observe=[c,d]");
  CHECK(config.measure.observe == std::vector<std::string>{"c", "d"});
  CHECK(config.sweeps[0].measure.empty());
  REQUIRE(config.measure_entries.size() == 1);
  CHECK(config.measure_entries[0].words.size() == 2);
}

TEST_CASE("roofs are measured without the readings that the config asks for") {
  const Config config = parse_config(
      "[experiment]\nname='x'\nroofs='run'\n[measure]\nobserve=['energy']\n[[sweep]]\nworkload='w'\n",
      "x.toml");
  REQUIRE(config.sweeps.size() == 2);
  MeasureSettings settings = config.measure;
  apply_measure(settings, config.sweeps[0].measure);
  CHECK(settings.observe.empty());
}
