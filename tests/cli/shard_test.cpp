// Plans split over machines: shards of runs, searches and tunings. `collect`: shards' stores become one,
// each point once, and what is missing is named.
#include "store/store.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"

#include <csignal>
#include <filesystem>

using namespace benchctl::test;
using namespace benchctl;
using nlohmann::json;

namespace {

const std::string seven_problems =
    fake_config("variants = [\"steady\", \"slower\"]", "n = [8, 9, 10, 11, 12, 14, 15]", "samples = 3");

void check_refused(const Sandbox& sandbox, const std::vector<std::string>& arguments,
                   const std::string& reason) {
  CHECK_THAT(sandbox.expect(2, arguments).err, ContainsSubstring(reason));
}

/// A plan of three shards with seven problems and two variants in `results`.
class Plan : public Sandbox {
 public:
  Plan() {
    write("c.toml", seven_problems);
    expect(0, {"plan", "c.toml", "--shards", "3", "--output", "results"});
  }
  /// Measures a shard into its store, as a job does.
  void measure(int shard, const std::vector<std::string>& more = {}, int exit_code = 0) const {
    const std::string number = std::to_string(shard);
    std::vector<std::string> arguments{"run",  "results/config/fake.toml",       "--shard", number + "/3",
                                       "--db", "results/shard-" + number + ".db"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    expect(exit_code, arguments);
  }
  [[nodiscard]] json collected(int exit_code) const { return parsed({"collect", "results"}, exit_code); }
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

TEST_CASE_METHOD(Sandbox, "shards that cannot be are refused, and one without problems says so") {
  write("c.toml", seven_problems);
  for (const char* wrong : {"0/3", "4/3", "1", "1/0", "a/3", "1/3x", "-1/3"})
    check_refused(*this, {"run", "c.toml", "--shard", wrong}, "expected I/N with I from 1 to N");
  CHECK_THAT(expect(0, {"run", "c.toml", "--shard", "8/8"}).err,
             ContainsSubstring("shard 8/8 has nothing to measure"));
  CHECK_FALSE(std::filesystem::exists(path() / "store.db"));
}

TEST_CASE_METHOD(Sandbox,
                 "another device of the same kind goes on where the first stopped, in a run of its own") {
  write("c.toml", seven_problems);
  const std::vector<std::string> command{"run", "c.toml", "--shard", "1/2"};
  set("BENCHCTL_FAKE_SLEEP_US", "20000");
  const pid_t process = start(command);
  wait_for(*this, "problem", 2);
  kill(process, SIGINT);
  REQUIRE(Sandbox::wait(process) == 130);
  set("BENCHCTL_FAKE_SLEEP_US", "0");
  const auto finished = [&](const char* run) {
    std::set<std::string> labels;
    for (const json& row : rows({run})) {
      if (row.at("status") == "ok") labels.insert(row.at("label").get<std::string>());
    }
    return labels;
  };
  const std::set<std::string> first = finished("1");
  REQUIRE(!first.empty());
  REQUIRE(first.size() < 8);

  set("BENCHCTL_FAKE_PHYSICAL", "fake:another");
  CHECK_THAT(expect(0, command).err,
             ContainsSubstring(std::to_string(first.size()) + " points were finished by an equal"));
  CHECK(finished("1") == first);
  const std::set<std::string> rest = finished("2");
  CHECK(rest.size() == 8 - first.size());
  for (const std::string& label : rest) CHECK_FALSE(first.contains(label));
}

TEST_CASE_METHOD(Sandbox, "a plan shows its shards without asking a device") {
  write("c.toml", seven_problems);
  set("BENCHCTL_FAKE_CRASH_PROBE", "1");
  CHECK_THAT(expect(0, {"plan", "c.toml", "--shards", "3"}).out, ContainsSubstring("3/3"));
  const json plan = parsed({"plan", "c.toml", "--shards", "3"});
  std::size_t points = 0;
  for (const json& shard : plan.at("shards")) points += shard.at("points").get<std::size_t>();
  CHECK(points == 14);
}

TEST_CASE_METHOD(Sandbox, "shards of a tuning find what one tuning finds") {
  write("mine.k", "fine\n");
  write(
      "c.toml",
      "[experiment]\nname = 'tuned'\n[measure]\nmax_samples = 60\nmax_seconds = 0.2\n[[kernel]]\nname = "
      "'mine'\nworkload = 'matmul'\nbackend = 'fake'\nsource = 'mine.k'\nentry = 'go'\nblock = "
      "'TILE'\ngrid "
      "= 1\ndefines = ['TILE']\n[kernel.tunables]\nTILE = { default = 1, values = [1, 8, 32] }\nfit = "
      "0.25\nns = 100000\nnoise = 0.0\nnoise_seed = 1\ncorrelation = 0.0\ntail = 0.0\ndrift = 0.0\nprocess "
      "= 0.0\nfault_verb = 'run'\n[[sweep]]\nworkload = 'matmul'\nbackends = ['fake']\nvariants = "
      "['mine']\nparameters = { n = [8, 32] }\n");
  for (const char* shard : {"1/2", "2/2"}) {
    const json classes = parsed({"tune", "c.toml", "--shard", shard}).at("classes");
    REQUIRE(classes.size() == 1);
    // Work is greater where n is: that problem comes first.
    const int n = std::string(shard) == "1/2" ? 32 : 8;
    CHECK(classes[0].at("problem").at("n") == n);
    CHECK(classes[0].at("configurations")[0].at("tunables").at("TILE") == n);
  }
}

TEST_CASE_METHOD(Plan, "collected shards equal one run, point for point, with no point twice") {
  for (int shard = 1; shard <= 3; ++shard) measure(shard);
  expect(0, {"run", "c.toml"});
  const json collection = collected(0);
  CHECK(collection.at("missing_shards").empty());
  CHECK(collection.at("statuses") == json{{"ok", 14}});
  const auto keys = keys_in("results/merged.db");
  CHECK(keys.size() == 14);
  CHECK(keys == keys_in("store.db"));
  // Again it comes to the same.
  CHECK(collected(0) == collection);
  CHECK(keys_in("results/merged.db") == keys);
}

TEST_CASE_METHOD(Plan, "collect names shards and points that are missing, with a code of its own") {
  CHECK(collected(6).at("missing_shards") == json{1, 2, 3});
  measure(1);
  // The second is stopped on its way.
  set("BENCHCTL_FAKE_SLEEP_US", "1000");
  measure(2, {"--budget", "0.0001s"}, 6);
  set("BENCHCTL_FAKE_SLEEP_US", "0");
  json collection = collected(6);
  CHECK(collection.at("missing_shards") == json{2, 3});
  const json missing = collection.at("shards")[1].at("missing");
  CHECK(!missing.empty());
  CHECK(missing[0].at("status") == "not_run");
  CHECK_THAT(missing[0].at("label").get<std::string>(), ContainsSubstring("matmul/"));
  CHECK_THAT(call({"collect", "results"}).out,
             HasAll({"points are missing", ": not_run", "shard 3/3: no store has a run of it",
                     "1 of 3 shards are complete"}));
  // It goes on, although it was collected half-way.
  measure(2);
  measure(3);
  collection = collected(0);
  CHECK(collection.at("statuses") == json{{"ok", 14}});
  const auto keys = keys_in("results/merged.db");
  CHECK(keys.size() == 14);
  for (const auto& [key, times] : keys) CHECK(times == 1);
}

TEST_CASE_METHOD(Plan, "of a shard that was measured twice the newest results are collected") {
  for (int shard = 1; shard <= 3; ++shard) measure(shard);
  measure(2, {"--fresh"});
  // And a copy of a store, as of a job that was begun twice.
  std::filesystem::copy_file(path() / "results/shard-3.db", path() / "results/shard-3-again.db");
  const json collection = collected(0);
  CHECK(collection.at("shards")[1].at("runs").size() == 1);
  const auto keys = keys_in("results/merged.db");
  CHECK(keys.size() == 14);
  for (const auto& [key, times] : keys) CHECK(times == 1);
}

TEST_CASE_METHOD(Plan,
                 "stores that are none and runs of something else are told, and the rest is collected") {
  for (int shard = 1; shard <= 3; ++shard) measure(shard);
  write("results/shard-9.db", "no store");
  expect(0, {"run", "c.toml", "--db", "results/other.db"});
  CHECK_THAT(expect(0, {"collect", "results"}).err,
             HasAll({"left out", "shard-9.db", "is not a shard of this plan"}));
}

TEST_CASE_METHOD(Plan, "collect of stores of which none can be read leaves everything as it was") {
  write("results/shard-1.db", "no store");
  write("results/shard-2.db", "no store either");
  const auto names = [&] {
    std::set<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(path() / "results"))
      all.insert(entry.path().filename().string());
    return all;
  };
  const std::set<std::string> unmerged = names();
  CHECK_THAT(expect(2, {"collect", "results"}).err,
             HasAll({"none of the stores in", "shard-1.db", "shard-2.db"}));
  CHECK(names() == unmerged);
  // Nor does it replace what was merged before.
  std::filesystem::remove(path() / "results/shard-1.db");
  std::filesystem::remove(path() / "results/shard-2.db");
  measure(1);
  static_cast<void>(collected(6));
  const auto keys = keys_in("results/merged.db");
  write("results/shard-1.db", "no store any more");
  const std::set<std::string> merged = names();
  expect(2, {"collect", "results"});
  CHECK(keys_in("results/merged.db") == keys);
  CHECK(names() == merged);
}

TEST_CASE_METHOD(Plan, "collect refuses a folder without a plan, and a plan that is split otherwise") {
  CHECK_THAT(expect(2, {"collect", "."}).err, ContainsSubstring("has no plan.json"));
  CHECK_THAT(call({"plan", "c.toml", "--shards", "2", "--output", "results"}).err,
             ContainsSubstring("has a plan already"));
  CHECK_THAT(call({"plan", "c.toml", "--shards", "2", "--output", "c.toml"}).err,
             ContainsSubstring("--output c.toml: a file is there; name a folder"));
  write("results/config/fake.toml", read("results/config/fake.toml") + "\n" +
                                        "[[sweep]]\nname = 'more'\nworkload = "
                                        "'matmul'\nbackends = ['fake']\nvariants = "
                                        "['steady']\nparameters = { n = [5] }\n");
  CHECK_THAT(expect(2, {"collect", "results"}).err, ContainsSubstring("splits the plan in"));
  write("results/plan.json", "{\"shards\": 3}");
  CHECK_THAT(call({"collect", "results"}).err, ContainsSubstring("is not a plan of benchctl"));
}
