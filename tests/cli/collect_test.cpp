// `collect`: shards' stores become one, each point once, and what is missing is named.
#include "store/store.hpp"
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <filesystem>
#include <map>
#include <set>

using namespace benchctl;
using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

namespace {

/// A plan of three shards with seven problems and two variants in `results`.
class Plan : public Sandbox {
 public:
  Plan() {
    static_cast<void>(write("c.toml", fake_config("variants = [\"steady\", \"slower\"]",
                                                  "n = [8, 9, 10, 11, 12, 14, 15]", "samples = 3")));
    CHECK(call({"plan", "c.toml", "--shards", "3", "--output", "results"}).exit_code == 0);
  }
  /// Measures a shard into its store, as a job does.
  [[nodiscard]] Outcome measure(int shard, const std::vector<std::string>& more = {}) const {
    const std::string number = std::to_string(shard);
    std::vector<std::string> arguments{"run",  "results/config/fake.toml",       "--shard", number + "/3",
                                       "--db", "results/shard-" + number + ".db"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return call(arguments);
  }
  [[nodiscard]] json collected(int exit_code) const {
    const Outcome outcome = call({"collect", "results", "--format", "json"});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == exit_code);
    return json::parse(outcome.out);
  }
  /// Content keys of all points of a store, with how often each is there.
  [[nodiscard]] std::map<std::string, int> keys_in(const std::string& name) const {
    const Store store = Store::open(path() / name, Store::Access::read_only);
    std::map<std::string, int> keys;
    for (const RunRow& run : store.runs()) {
      for (const PointRow& row : store.points(run.id)) {
        if (row.finished) ++keys[row.content_key + " " + std::string(to_string(row.point.status))];
      }
    }
    return keys;
  }
};

}  // namespace

TEST_CASE("collected shards equal one run, point for point, with no point twice") {
  const Plan plan;
  for (int shard = 1; shard <= 3; ++shard) REQUIRE(plan.measure(shard).exit_code == 0);
  CHECK(plan.call({"run", "c.toml"}).exit_code == 0);
  const json collection = plan.collected(0);
  CHECK(collection.at("missing_shards").empty());
  CHECK(collection.at("statuses") == json{{"ok", 14}});
  const auto keys = plan.keys_in("results/merged.db");
  CHECK(keys.size() == 14);
  CHECK(keys == plan.keys_in("store.db"));
  // Again it comes to the same.
  CHECK(plan.collected(0) == collection);
  CHECK(plan.keys_in("results/merged.db") == keys);
}

TEST_CASE("collect names shards and points that are missing, with a code of its own") {
  Plan plan;
  CHECK(plan.collected(6).at("missing_shards") == json{1, 2, 3});
  REQUIRE(plan.measure(1).exit_code == 0);
  // The second is stopped on its way.
  plan.set("BENCHCTL_FAKE_SLEEP_US", "1000");
  REQUIRE(plan.measure(2, {"--budget", "0.0001s"}).exit_code == 6);
  plan.set("BENCHCTL_FAKE_SLEEP_US", "0");
  json collection = plan.collected(6);
  CHECK(collection.at("missing_shards") == json{2, 3});
  const json missing = collection.at("shards")[1].at("missing");
  CHECK(!missing.empty());
  CHECK(missing[0].at("status") == "not_run");
  CHECK_THAT(missing[0].at("label").get<std::string>(), ContainsSubstring("matmul/"));
  const Outcome text = plan.call({"collect", "results"});
  CHECK_THAT(text.out, ContainsSubstring("points are missing") && ContainsSubstring(": not_run") &&
                           ContainsSubstring("shard 3/3: no store has a run of it") &&
                           ContainsSubstring("1 of 3 shards are complete"));
  // It goes on, although it was collected half-way.
  REQUIRE(plan.measure(2).exit_code == 0);
  REQUIRE(plan.measure(3).exit_code == 0);
  collection = plan.collected(0);
  CHECK(collection.at("statuses") == json{{"ok", 14}});
  const auto keys = plan.keys_in("results/merged.db");
  CHECK(keys.size() == 14);
  for (const auto& [key, times] : keys) CHECK(times == 1);
}

TEST_CASE("of a shard that was measured twice the newest results are collected") {
  const Plan plan;
  for (int shard = 1; shard <= 3; ++shard) REQUIRE(plan.measure(shard).exit_code == 0);
  REQUIRE(plan.measure(2, {"--fresh"}).exit_code == 0);
  // And a copy of a store, as of a job that was begun twice.
  std::filesystem::copy_file(plan.path() / "results/shard-3.db", plan.path() / "results/shard-3-again.db");
  const json collection = plan.collected(0);
  CHECK(collection.at("shards")[1].at("runs").size() == 1);
  const auto keys = plan.keys_in("results/merged.db");
  CHECK(keys.size() == 14);
  for (const auto& [key, times] : keys) CHECK(times == 1);
}

TEST_CASE("stores that are none and runs of something else are told, and the rest is collected") {
  const Plan plan;
  for (int shard = 1; shard <= 3; ++shard) REQUIRE(plan.measure(shard).exit_code == 0);
  static_cast<void>(plan.write("results/shard-9.db", "no store"));
  CHECK(plan.call({"run", "c.toml", "--db", "results/other.db"}).exit_code == 0);
  const Outcome outcome = plan.call({"collect", "results"});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.err, ContainsSubstring("left out") && ContainsSubstring("shard-9.db") &&
                              ContainsSubstring("is not a shard of this plan"));
}

TEST_CASE("collect of stores of which none can be read leaves everything as it was") {
  const Plan plan;
  static_cast<void>(plan.write("results/shard-1.db", "no store"));
  static_cast<void>(plan.write("results/shard-2.db", "no store either"));
  const auto names = [&] {
    std::set<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(plan.path() / "results"))
      all.insert(entry.path().filename().string());
    return all;
  };
  const std::set<std::string> unmerged = names();
  const Outcome outcome = plan.call({"collect", "results"});
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, ContainsSubstring("none of the stores in") && ContainsSubstring("shard-1.db") &&
                              ContainsSubstring("shard-2.db"));
  CHECK(names() == unmerged);
  // Nor does it replace what was merged before.
  std::filesystem::remove(plan.path() / "results/shard-1.db");
  std::filesystem::remove(plan.path() / "results/shard-2.db");
  REQUIRE(plan.measure(1).exit_code == 0);
  static_cast<void>(plan.collected(6));
  const auto keys = plan.keys_in("results/merged.db");
  static_cast<void>(plan.write("results/shard-1.db", "no store any more"));
  const std::set<std::string> merged = names();
  CHECK(plan.call({"collect", "results"}).exit_code == 2);
  CHECK(plan.keys_in("results/merged.db") == keys);
  CHECK(names() == merged);
}

TEST_CASE("collect refuses a folder without a plan, and a plan that is split otherwise") {
  const Plan plan;
  const Outcome none = plan.call({"collect", "."});
  CHECK(none.exit_code == 2);
  CHECK_THAT(none.err, ContainsSubstring("has no plan.json"));
  CHECK_THAT(plan.call({"plan", "c.toml", "--shards", "2", "--output", "results"}).err,
             ContainsSubstring("has a plan already"));
  static_cast<void>(plan.write("results/config/fake.toml", plan.read("results/config/fake.toml") + "\n" +
                                                               "[[sweep]]\nname = 'more'\nworkload = "
                                                               "'matmul'\nbackends = ['fake']\nvariants = "
                                                               "['steady']\nparameters = { n = [5] }\n"));
  const Outcome other = plan.call({"collect", "results"});
  CHECK(other.exit_code == 2);
  CHECK_THAT(other.err, ContainsSubstring("splits the plan in"));
  static_cast<void>(plan.write("results/plan.json", "{\"shards\": 3}"));
  CHECK_THAT(plan.call({"collect", "results"}).err, ContainsSubstring("is not a plan of benchctl"));
}
