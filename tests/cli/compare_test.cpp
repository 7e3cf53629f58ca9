// `benchctl compare` and `benchctl history` from end to end on the fake backend.
#include "support/has_all.hpp"
#include "support/program.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using nlohmann::json;

namespace {

struct Runs : Sandbox {
  /// A run of two steady points.
  void add() const {
    run(fake_config(list_of({"steady"}), "n = [8, 16]", "samples = 12\nwarmup_seconds = 0"), 0,
        {"--fresh"});
  }
  Outcome compare(const std::vector<std::string>& sides, int exit_code) const {
    return compare_all(sides, exit_code, {"--process-spread", "0"});
  }
  /// With the spread between processes that the store tells.
  Outcome compare_all(const std::vector<std::string>& sides, int exit_code,
                      const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"compare"};
    arguments.insert(arguments.end(), sides.begin(), sides.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    return expect(exit_code, arguments);
  }
};

}  // namespace

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
  // Stores, runs of stores and exported documents are sides, too.
  expect(0, {"runs", "merge", "store.db", "--db", "other.db"});
  expect(0, {"export", "1", "--format", "json", "--samples", "-o", "base.json"});
  expect(0, {"report", "2", "--format", "json", "-o", "new.json"});
  const std::vector<std::vector<std::string>> ways{{"1", "other.db"},
                                                   {"other.db:release", "store.db:2"},
                                                   {"base.json", "2"},
                                                   {"base.json", "new.json"},
                                                   {"base.json:1", "new.json:2"}};
  for (const auto& way : ways) {
    CAPTURE(way);
    const json document = json::parse(compare({way[0], way[1], "--format", "json"}, 3).out);
    CHECK(document.at("schema") == "benchctl.compare");
    REQUIRE(document.at("pairs").size() == 2);
    CHECK(document["pairs"][0].at("outcome") == "slower");
    CHECK(document["pairs"][0].at("ratio").get<double>() == Catch::Approx(1.03));
  }
  CHECK_THAT(compare({"release", "--format", "csv"}, 3).out, StartsWith("outcome,fails,"));
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
  CHECK_THAT(compare({"nowhere.json"}, 2).err, ContainsSubstring("there is no file 'nowhere.json'"));
  CHECK_THAT(compare({write("c.toml", "[gate]\n").string()}, 2).err,
             ContainsSubstring("neither a store nor a whole JSON document"));
  CHECK_THAT(compare({"1"}, 2).err, ContainsSubstring("store.db"));
  add();
  CHECK_THAT(compare({"release"}, 2).err, ContainsSubstring("has no run 'release'"));
  CHECK_THAT(compare({"none.json:1"}, 2).err, ContainsSubstring("there is no file 'none.json'"));
  CHECK_THAT(compare({write("x.json", "{}").string()}, 2).err, ContainsSubstring("benchctl export"));
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
