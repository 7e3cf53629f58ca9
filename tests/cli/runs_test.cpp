// Runs of a store from end to end on the fake backend: named, merged, compared, their history.
#include "store/store.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"

using namespace benchctl::test;
using nlohmann::json;

namespace {

/// A sandbox with two runs: of one point, and of two.
struct TwoRuns : Sandbox {
  TwoRuns() {
    for (const std::string n : {"[8]", "[8, 16]"})
      run(fake_config(list_of({"steady"}), "n = " + n, "samples = 8\nwarmup_seconds = 0"), 0, {"--fresh"});
  }
  [[nodiscard]] Outcome fine(const std::vector<std::string>& arguments) const {
    return expect(0, arguments);
  }
};

struct Runs : Sandbox {
  /// A run of two steady points.
  void add() const {
    run(fake_config(list_of({"steady"}), "n = [8, 16]", "samples = 12\nwarmup_seconds = 0"), 0,
        {"--fresh"});
  }
  Outcome compare(std::vector<std::string> sides, int exit_code) const {
    sides.insert(sides.end(), {"--process-spread", "0"});
    return compare_all(std::move(sides), exit_code);
  }
  /// With the spread between processes that the store tells.
  Outcome compare_all(std::vector<std::string> sides, int exit_code) const {
    sides.insert(sides.begin(), "compare");
    return expect(exit_code, sides);
  }
};

}  // namespace

TEST_CASE_METHOD(TwoRuns, "no output takes the place of a store or a config, and nothing is lost") {
  write("again.toml", "[experiment]\nname = 'again'\n");
  for (const std::string file : {"store.db", "again.toml"}) {
    const auto refused = [&](std::vector<std::string> command) {
      CHECK_THAT(expect(2, command).err, ContainsSubstring(file + ": a store or a config is there"));
    };
    refused({"report", "-o", file});
    refused({"export", "all", "-o", file});
    refused({"history", "-o", file});
    refused({"compare", "1", "2", "--verdict", file});
  }
  CHECK_THAT(fine({"runs"}).out, ContainsSubstring("1  fake"));
}

TEST_CASE_METHOD(Sandbox,
                 "a doctor's config that measures something else is refused before it is measured") {
  const auto config = write("other.toml", fake_config(list_of({"steady"}), "n = [8]"));
  CHECK_THAT(expect(2, {"doctor", "--config", config.string()}).err,
             HasAll({"other.toml: sweeps of workload 'matmul' tell no roof", "'peaks' alone"}));
  CHECK_THAT(expect(2, {"doctor", "--config", write("empty.toml", "").string()}).err,
             ContainsSubstring("empty.toml:1:1: error: the config has no 'experiment'"));
}

TEST_CASE_METHOD(TwoRuns, "the newest run is not compared with itself unless both sides name it") {
  CHECK_THAT(expect(2, {"compare", "2"}).err, ContainsSubstring("run 2 is the newest complete one"));
  CHECK_THAT(expect(2, {"compare", "store.db"}).err, ContainsSubstring("run 2 is the newest complete one"));
  CHECK_THAT(call({"compare", "2", "2"}).out, ContainsSubstring("new: run 2"));
  CHECK_THAT(call({"compare", "1"}).out, ContainsSubstring("new: run 2"));
}

TEST_CASE_METHOD(TwoRuns, "a baseline's name works wherever a run is named") {
  CHECK_THAT(fine({"runs", "baseline", "release", "1"}).out, ContainsSubstring("release is run 1"));
  CHECK_THAT(fine({"show", "release"}).out, ContainsSubstring("as run 1"));
  CHECK_THAT(fine({"show", "store.db:release"}).out, ContainsSubstring("as run 1"));
  CHECK(parsed({"export", "release"}).at("rows").size() == 1);
  CHECK(parsed({"export", "release"}).at("runs").at(0).at("id") == 1);
  CHECK_THAT(fine({"explain", "release:0"}).out, ContainsSubstring("point 1:0"));
  CHECK_THAT(fine({"replay", "release:*steady*"}).err, ContainsSubstring("replaying 1:0"));
  CHECK_THAT(fine({"runs"}).out, ContainsSubstring("baseline release"));
  const json runs = parsed({"runs"});
  CHECK(runs.at("runs").at(1).at("baselines") == json::array({"release"}));
  CHECK(runs.at("runs").at(0).at("baselines").empty());
  // Without a run the newest; by another name; set anew.
  CHECK_THAT(fine({"runs", "baseline", "release"}).out, ContainsSubstring("release is run 2"));
  CHECK_THAT(fine({"runs", "baseline", "copy", "release"}).out, ContainsSubstring("copy is run 2"));
  const json moved = parsed({"runs"});
  CHECK(moved.at("runs").at(0).at("baselines") == json::array({"copy", "release"}));
  CHECK(moved.at("runs").at(1).at("baselines").empty());
  CHECK(fine({"runs", "baseline", "release", "--remove"}).out.empty());
  CHECK_THAT(fine({"show", "copy"}).out, ContainsSubstring("as run 2"));
  CHECK_THAT(expect(2, {"show", "release"}).err, HasAll({"'release' names no run", "baseline"}));
}

TEST_CASE_METHOD(TwoRuns, "what cannot be a baseline is refused, with the reason") {
  const auto refused = [&](const std::vector<std::string>& words) { return expect(2, words).err; };
  CHECK_THAT(refused({"runs", "baseline", "3x", "1"}), ContainsSubstring("begins with a letter"));
  CHECK_THAT(refused({"runs", "baseline", "x", "9"}), ContainsSubstring("has no run '9'"));
  CHECK_THAT(refused({"runs", "baseline", "x", "--remove"}), ContainsSubstring("no baseline 'x'"));
  CHECK_THAT(refused({"runs", "baseline", "x", "1", "--remove"}), ContainsSubstring("excludes"));
  CHECK_THAT(refused({"runs", "baseline"}), ContainsSubstring("name is required"));
  CHECK_THAT(refused({"show", "all"}), ContainsSubstring("several runs"));
}

TEST_CASE_METHOD(TwoRuns, "stores are merged from the command line; twice is once, a conflict is said") {
  CHECK_THAT(fine({"runs", "merge", "store.db", "--db", "all.db"}).out,
             HasAll({"2 runs added, 0 runs there already", "run 2 is run 2"}));
  CHECK_THAT(fine({"runs", "merge", "store.db", "--db", "all.db"}).out,
             ContainsSubstring("0 runs added, 2 runs there already"));
  const auto rows = [&](const std::string& db) {
    return parsed({"export", "2", "--db", db, "--samples"}).at("rows");
  };
  CHECK(rows("all.db") == rows("store.db"));
  CHECK_THAT(fine({"runs", "--db", "all.db"}).out, ContainsSubstring("run 1 of store.db"));
  CHECK_THAT(expect(2, {"runs", "merge", "store.db", "--db", "store.db"}).err,
             ContainsSubstring("into itself"));
  expect(2, {"runs", "--db", "other.db", "merge", "store.db", "none.db"});
  CHECK_FALSE(std::filesystem::exists(path() / "other.db"));
}

TEST_CASE_METHOD(TwoRuns, "a merge that is refused leaves no store behind, unless it added a run before") {
  benchctl::Store busy = benchctl::Store::open(path() / "busy.db");
  static_cast<void>(busy.create_run({}));  // this process measures it
  const Outcome refused = call({"runs", "merge", "busy.db", "--db", "all.db"});
  CHECK(refused.exit_code != 0);
  CHECK_THAT(refused.err, ContainsSubstring("still being measured"));
  for (const auto& entry : std::filesystem::directory_iterator(path()))
    CHECK_FALSE(entry.path().filename().string().starts_with("all.db"));
  CHECK(call({"runs", "merge", "store.db", "busy.db", "--db", "all.db"}).exit_code != 0);
  CHECK_THAT(fine({"runs", "merge", "store.db", "--db", "all.db"}).out,
             ContainsSubstring("0 runs added, 2 runs there already"));
}

TEST_CASE_METHOD(Runs, "the same kernels in two runs are the same: exit code 0") {
  add();
  add();
  CHECK_THAT(compare({"1", "2"}, 0).out, HasAll({"run 1 of store.db", "2 same", "\nfine\n"}));
  CHECK_THAT(compare({"1"}, 0).out, ContainsSubstring("new: run 2 of"));
}

TEST_CASE_METHOD(Runs, "a planted slowdown is found: exit code 3") {
  add();
  set("BENCHCTL_FAKE_SLOWER_PERCENT", "3");
  add();
  expect(0, {"runs", "baseline", "release", "1"});
  const Outcome outcome = compare({"release"}, 3);
  CHECK_THAT(outcome.out, HasAll({"slower (!)", "1.030", "regressed: 2 slower"}));
  CHECK_THAT(compare({"2", "1"}, 0).out, ContainsSubstring("2 faster"));
  CHECK_THAT(compare({"release", "--threshold", "0.05"}, 0).out, ContainsSubstring("2 same"));
  // Stores and runs of stores are sides, too.
  expect(0, {"runs", "merge", "store.db", "--db", "other.db"});
  const std::vector<std::vector<std::string>> ways{{"1", "other.db"}, {"other.db:release", "store.db:2"}};
  for (const auto& way : ways) {
    CAPTURE(way);
    const json document = json::parse(compare({way[0], way[1], "--format", "json"}, 3).out);
    CHECK(document.at("schema") == "benchctl.compare");
    REQUIRE(document.at("pairs").size() == 2);
    CHECK(document["pairs"][0].at("outcome") == "slower");
    CHECK(document["pairs"][0].at("ratio").get<double>() == Approx(1.03));
  }
  const Outcome written = compare({"release", "--format", "md", "-o", "c.md"}, 3);
  CHECK(written.out.empty());
  CHECK_THAT(written.err, ContainsSubstring("regressed: 2 slower"));
  CHECK_THAT(read("c.md"), ContainsSubstring("**regressed: 2 slower**"));
}

TEST_CASE_METHOD(Runs, "a difference between two processes is no regression until their spread is known") {
  add();
  set("BENCHCTL_FAKE_SLOWER_PERCENT", "3");
  add();
  const Outcome unknown = compare_all({"1", "2"}, 5);
  CHECK_THAT(unknown.out, HasAll({"The spread between processes: unknown for 2 pairs",
                                  "not resolved: 2 slower within one process of each run",
                                  "--set measure.replicates=5"}));
  CHECK_THAT(compare_all({"2", "1"}, 0).out,
             ContainsSubstring("nothing counts as failure: 2 faster within one process"));
  // The store learns how runs of base scatter.
  set("BENCHCTL_FAKE_SLOWER_PERCENT", "0");
  add();
  compare_all({"1", "2"}, 5);
  add();
  const json document = json::parse(compare_all({"1", "2", "--format", "json"}, 3).out);
  CHECK(document.at("verdict") == "regressed");
  CHECK(document.at("spread") ==
        json::parse(
            R"({"given": false, "replicated": 0, "from_runs": 2, "runs": 3, "builds": 1, "unknown": 0})"));
  CHECK(document.at("pairs")[0].at("process_spread").get<double>() < 0.001);
  CHECK_THAT(compare_all({"1", "2"}, 3).out,
             ContainsSubstring("The spread between processes: from 3 other runs of 1 build."));
}

TEST_CASE_METHOD(Runs,
                 "a policy decides what fails, the command line before it; its errors have their place") {
  add();
  set("BENCHCTL_FAKE_SLOWER_PERCENT", "3");
  add();
  const auto policy = [&](const std::string& text) { return write("gate.toml", text).string(); };
  const std::string tolerant = policy("[gate]\nthreshold = 0.05");
  compare({"1", "2", "--policy", tolerant}, 0);
  compare({"1", "2", "--policy", tolerant, "--threshold", "0.01"}, 3);
  CHECK_THAT(compare({"1", "2", "--policy", policy("[gate]\nfial = []")}, 2).err,
             ContainsSubstring("gate.toml:2:1: error: unknown key 'fial' in [gate]"));
  CHECK_THAT(compare({"1", "2", "--policy", "none.toml"}, 2).err,
             ContainsSubstring("none.toml: error: cannot be read: No such file"));
}

TEST_CASE_METHOD(Runs, "wrong use of compare is told") {
  CHECK_THAT(compare({}, 2).err, ContainsSubstring("base is required"));
  CHECK_THAT(compare({"nowhere.db"}, 2).err, ContainsSubstring("there is no file 'nowhere.db'"));
  CHECK_THAT(compare({"1"}, 2).err, ContainsSubstring("store.db"));
  add();
  CHECK_THAT(compare({"release"}, 2).err, ContainsSubstring("'release' names no run"));
  CHECK_THAT(compare({"none.db:1"}, 2).err, HasAll({"there is no store", "none.db"}));
  CHECK_THAT(compare({write("x.txt", "hello").string()}, 2).err, ContainsSubstring("not a benchctl store"));
  compare({"1", "1", "--threshold", "2"}, 2);
}

TEST_CASE_METHOD(Runs, "the history of a store: of a workload, of the newest runs, as a page") {
  for (int i = 0; i < 3; ++i) add();
  CHECK_THAT(expect(0, {"history", "copy"}).out, ContainsSubstring("no run has a time"));
  CHECK_THAT(expect(0, {"history", "--format", "md", "--last", "2"}).out,
             StartsWith("## History\n\n2 runs"));
  const Outcome html = call({"history", "-o", "h.html", "--format", "html"});
  if (html.exit_code == 0) {
    CHECK_THAT(read("h.html"), HasAll({"\"history\":{", "Content-Security-Policy"}));
  } else {
    CHECK_THAT(html.err, ContainsSubstring("built without npm"));
  }
}
