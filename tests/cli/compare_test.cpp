// `benchctl compare` and `benchctl history` from end to end on the fake backend.
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
  /// A run of two steady points, of which the second lasts `ns`, and what else a sweep says.
  void add(int ns, const std::string& more = "") const {
    const std::string config = fake_config("variants = [\"steady\"]", "n = [8]\nns = [100000]",
                                           "samples = 12\nwarmup_seconds = 0") +
                               "[[sweep]]\nworkload = \"matmul\"\nbackends = [\"fake\"]\nvariants = "
                               "[\"steady\"]\n[sweep.parameters]\nn = [16]\n" +
                               "ns = [" + std::to_string(ns) + "]\n" + more;
    const Outcome outcome = call({"run", write("c.toml", config).string(), "--fresh"});
    INFO(outcome.err);
    REQUIRE(outcome.exit_code < 2);
  }
  [[nodiscard]] Outcome compare(const std::vector<std::string>& sides, int exit_code) const {
    return compare_all(sides, exit_code, {"--process-spread", "0"});
  }
  /// With the spread between processes that the store tells.
  [[nodiscard]] Outcome compare_all(const std::vector<std::string>& sides, int exit_code,
                                    const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"compare"};
    arguments.insert(arguments.end(), sides.begin(), sides.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    Outcome outcome = call(arguments);
    INFO(outcome.out << outcome.err);
    CHECK(outcome.exit_code == exit_code);
    return outcome;
  }
  [[nodiscard]] std::string file(const std::string& name) const { return (path() / name).string(); }
};

}  // namespace

TEST_CASE("the same kernels in two runs are the same: exit code 0") {
  const Runs runs;
  runs.add(100000);
  runs.add(100000);
  const Outcome outcome = runs.compare({"1", "2"}, 0);
  CHECK_THAT(outcome.out, ContainsSubstring("run 1 of store.db") && ContainsSubstring("2 same") &&
                              ContainsSubstring("\nfine\n"));
  CHECK_THAT(runs.compare({"1"}, 0).out, ContainsSubstring("new: run 2 of"));
}

TEST_CASE("a planted slowdown is found: exit code 3") {
  Runs runs;
  runs.add(100000);
  runs.set("BENCHCTL_FAKE_SLOWER_PERCENT", "3");
  runs.add(100000);
  REQUIRE(runs.call({"runs", "baseline", "release", "1"}).exit_code == 0);
  const Outcome outcome = runs.compare({"release"}, 3);
  CHECK_THAT(outcome.out, ContainsSubstring("slower (!)") && ContainsSubstring("1.030") &&
                              ContainsSubstring("regressed: 2 slower"));
  CHECK_THAT(runs.compare({"2", "1"}, 0).out, ContainsSubstring("2 faster"));
  CHECK_THAT(runs.compare({"release", "--threshold", "0.05"}, 0).out, ContainsSubstring("2 same"));
  // Stores, runs of stores and exported documents are sides, too.
  REQUIRE(runs.call({"runs", "merge", runs.file("store.db"), "--db", runs.file("other.db")}).exit_code ==
          0);
  REQUIRE(
      runs.call({"export", "1", "--format", "json", "--samples", "-o", runs.file("base.json")}).exit_code ==
      0);
  REQUIRE(runs.call({"report", "2", "--format", "json", "-o", runs.file("new.json")}).exit_code == 0);
  const std::vector<std::vector<std::string>> ways{{"1", runs.file("other.db")},
                                                   {runs.file("other.db:release"), runs.file("store.db:2")},
                                                   {runs.file("base.json"), "2"},
                                                   {runs.file("base.json"), runs.file("new.json")},
                                                   {runs.file("base.json:1"), runs.file("new.json:2")}};
  for (const auto& way : ways) {
    CAPTURE(way);
    const json document = json::parse(runs.compare({way[0], way[1], "--format", "json"}, 3).out);
    CHECK(document.at("schema") == "benchctl.compare");
    REQUIRE(document.at("pairs").size() == 2);
    CHECK(document["pairs"][0].at("outcome") == "slower");
    CHECK(document["pairs"][0].at("ratio").get<double>() == Catch::Approx(1.03));
  }
  CHECK_THAT(runs.compare({"release", "--format", "csv"}, 3).out, StartsWith("outcome,fails,"));
  const Outcome written = runs.compare({"release", "--format", "md", "-o", runs.file("c.md")}, 3);
  CHECK(written.out.empty());
  CHECK_THAT(written.err, ContainsSubstring("regressed: 2 slower"));
  CHECK_THAT(runs.read("c.md"), ContainsSubstring("**regressed: 2 slower**"));
}

TEST_CASE("a difference between two processes is no regression until their spread is known") {
  Runs runs;
  runs.add(100000);
  runs.set("BENCHCTL_FAKE_SLOWER_PERCENT", "3");
  runs.add(100000);
  const Outcome unknown = runs.compare_all({"1", "2"}, 5);
  CHECK_THAT(unknown.out, ContainsSubstring("The spread between processes: unknown for 2 pairs") &&
                              ContainsSubstring("not resolved: 2 slower within one process of each run") &&
                              ContainsSubstring("--set measure.replicates=5"));
  CHECK_THAT(runs.compare_all({"2", "1"}, 0).out,
             ContainsSubstring("nothing counts as failure: 2 faster within one process"));
  // The store learns how runs of base scatter.
  runs.set("BENCHCTL_FAKE_SLOWER_PERCENT", "0");
  runs.add(100000);
  static_cast<void>(runs.compare_all({"1", "2"}, 5));
  runs.add(100000);
  const json document = json::parse(runs.compare_all({"1", "2", "--format", "json"}, 3).out);
  CHECK(document.at("verdict") == "regressed");
  CHECK(document.at("spread") ==
        json::parse(
            R"({"given": false, "replicated": 0, "from_runs": 2, "runs": 3, "builds": 1, "unknown": 0})"));
  CHECK(document.at("pairs")[0].at("process_spread").get<double>() < 0.001);
  CHECK_THAT(runs.compare_all({"1", "2"}, 3).out,
             ContainsSubstring("The spread between processes: from 3 other runs of 1 build."));
}

TEST_CASE("a policy decides what fails; its errors have their place") {
  Runs runs;
  runs.add(100000);
  runs.set("BENCHCTL_FAKE_SLOWER_PERCENT", "3");
  runs.add(100000);
  const auto policy = [&](const std::string& text) { return runs.write("gate.toml", text).string(); };
  static_cast<void>(runs.compare({"1", "2", "--policy", policy("[gate]\nthreshold = 0.05")}, 0));
  static_cast<void>(runs.compare({"1", "2", "--policy", policy("[gate]\nfail = []")}, 0));
  static_cast<void>(
      runs.compare({"1", "2", "--policy", policy("[gate]\nthreshold = 0.05"), "--threshold", "0.01"}, 3));
  static_cast<void>(runs.compare(
      {"1", "2", "--policy", policy("[[rule]]\nmatch = { workload = \"mat*\" }\nthreshold = 0.05")}, 0));
  const Outcome wrong = runs.compare({"1", "2", "--policy", policy("[gate]\nfial = []")}, 2);
  CHECK_THAT(wrong.err, ContainsSubstring("gate.toml:2:1: error: unknown key 'fial' in [gate]") &&
                            ContainsSubstring("did you mean 'fail'?"));
  CHECK_THAT(runs.compare({"1", "2", "--policy", runs.file("none.toml")}, 2).err,
             ContainsSubstring("none.toml: error: cannot be read: No such file"));
}

TEST_CASE("what is missing, wrong or not resolved: exit codes 3 and 5, as the policy says") {
  Runs runs;
  runs.add(100000,
           "[[sweep]]\nworkload = \"matmul\"\nbackends = [\"fake\"]\nvariants = [\"noisy\"]\n"
           "[sweep.parameters]\nn = [8]\nnoise = [0.3]\n");
  runs.add(100000,
           "[[sweep]]\nworkload = \"matmul\"\nbackends = [\"fake\"]\nvariants = [\"noisy\"]\n"
           "[sweep.parameters]\nn = [8]\nnoise = [0.3]\n");
  runs.add(100000);
  const auto policy = [&](const std::string& text) { return runs.write("gate.toml", text).string(); };
  CHECK_THAT(runs.compare({"1", "2"}, 0).out,
             ContainsSubstring("\nfine as far as is known: 1 of 3 pairs not resolved"));
  CHECK_THAT(runs.compare({"1", "2", "--policy", policy("[gate]\nfail = [\"not_resolved\"]")}, 5).out,
             ContainsSubstring("not resolved: 1 not resolved"));
  CHECK_THAT(runs.compare({"1", "3"}, 0).out, ContainsSubstring("missing"));
  CHECK_THAT(runs.compare({"1", "3", "--policy", policy("[gate]\nfail = [\"missing\"]")}, 3).out,
             ContainsSubstring("regressed: 1 missing"));
}

TEST_CASE("runs of different machines are not comparable: exit code 4, with the reason") {
  Runs runs;
  runs.add(100000);
  runs.add(100000);
  const std::string one = json::parse(runs.call({"export", "1", "--format", "json"}).out).dump();
  json other = json::parse(one);
  other["runs"][0]["devices"][0]["name"] = "Quite another device";
  const std::string file = runs.write("other.json", other.dump()).string();
  const Outcome outcome = runs.compare({"1", file}, 4);
  CHECK_THAT(outcome.out, ContainsSubstring("fake:0: not comparable") &&
                              ContainsSubstring("another product") &&
                              ContainsSubstring("not comparable: 2 not comparable"));
}

TEST_CASE("wrong use of compare is told") {
  const Runs runs;
  CHECK_THAT(runs.compare({}, 2).err, ContainsSubstring("base is required"));
  CHECK_THAT(runs.compare({"nowhere.json"}, 2).err, ContainsSubstring("there is no file 'nowhere.json'"));
  CHECK_THAT(runs.compare({runs.write("c.toml", "[gate]\n").string()}, 2).err,
             ContainsSubstring("neither a store nor a whole JSON document"));
  CHECK_THAT(runs.compare({"1"}, 2).err, ContainsSubstring("store.db"));
  runs.add(100000);
  CHECK_THAT(runs.compare({"release"}, 2).err, ContainsSubstring("has no run 'release'"));
  CHECK_THAT(runs.compare({"none.json:1"}, 2).err, ContainsSubstring("there is no file 'none.json'"));
  CHECK_THAT(runs.compare({runs.write("x.json", "{}").string()}, 2).err,
             ContainsSubstring("benchctl export"));
  CHECK_THAT(runs.compare({runs.write("x.txt", "hello").string()}, 2).err,
             ContainsSubstring("not a benchctl store"));
  static_cast<void>(runs.compare({"1", "1", "--threshold", "2"}, 2));
}

TEST_CASE("the history of a store, in every form") {
  Runs runs;
  runs.add(100000);
  runs.set("BENCHCTL_FAKE_SLOWER_PERCENT", "10");
  for (int i = 0; i < 2; ++i) runs.add(100000);
  const Outcome text = runs.call({"history", "matmul"});
  INFO(text.err);
  CHECK(text.exit_code == 0);
  CHECK_THAT(text.out, ContainsSubstring(" 1.100\n") && !ContainsSubstring("█"));
  const json document = json::parse(runs.call({"history", "--format", "json"}).out);
  REQUIRE(document.at("series").size() == 2);
  CHECK(document["series"][0].at("points").size() == 3);
  CHECK_THAT(runs.call({"history", "copy"}).out, ContainsSubstring("no run has a time"));
  CHECK_THAT(runs.call({"history", "--format", "csv"}).out, StartsWith("run,created_at,"));
  CHECK_THAT(runs.call({"history", "--format", "md", "--last", "2"}).out,
             StartsWith("## History\n\n2 runs"));
  const Outcome html = runs.call({"history", "-o", runs.file("h.html"), "--format", "html"});
  if (html.exit_code == 0) {
    const std::string page = runs.read("h.html");
    CHECK_THAT(page, ContainsSubstring("\"history\":{") && ContainsSubstring("Content-Security-Policy"));
  } else {
    CHECK_THAT(html.err, ContainsSubstring("built without npm"));
  }
}
