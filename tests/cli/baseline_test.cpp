// Named baselines and merged stores, from the command line.
#include "store/store.hpp"
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

namespace {

/// A sandbox with two runs: of one point, and of two.
struct TwoRuns : Sandbox {
  TwoRuns() {
    run("variants = [\"steady\"]", "n = [8]\nns = [100000]");
    run("variants = [\"steady\"]", "n = [8, 16]\nns = [100000]");
  }
  void run(const std::string& sweep, const std::string& parameters) const {
    const Outcome outcome = call(
        {"run", write("c.toml", fake_config(sweep, parameters, "samples = 8\nwarmup_seconds = 0")).string(),
         "--fresh"});
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
  }
  [[nodiscard]] Outcome fine(const std::vector<std::string>& arguments) const {
    Outcome outcome = call(arguments);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    return outcome;
  }
};

}  // namespace

TEST_CASE("a baseline's name works wherever a run is named") {
  const TwoRuns sandbox;
  CHECK_THAT(sandbox.fine({"runs", "baseline", "release", "1"}).out, ContainsSubstring("release is run 1"));
  CHECK_THAT(sandbox.fine({"show", "release"}).out, ContainsSubstring("as run 1"));
  CHECK_THAT(sandbox.fine({"show", (sandbox.path() / "store.db:release").string()}).out,
             ContainsSubstring("as run 1"));
  CHECK(json::parse(sandbox.fine({"export", "release", "--format", "json"}).out).at("rows").size() == 1);
  CHECK(
      json::parse(sandbox.fine({"report", "release", "--format", "json"}).out).at("runs").at(0).at("id") ==
      1);
  CHECK_THAT(sandbox.fine({"explain", "release:0"}).out, ContainsSubstring("point 1:0"));
  CHECK_THAT(sandbox.fine({"replay", "release:*steady*"}).err, ContainsSubstring("replaying 1:0"));
  CHECK_THAT(sandbox.fine({"runs"}).out, ContainsSubstring("baseline release"));
  const json runs = json::parse(sandbox.fine({"runs", "--format", "json"}).out);
  CHECK(runs.at("runs").at(1).at("baselines") == json::array({"release"}));
  CHECK(runs.at("runs").at(0).at("baselines").empty());
  // Without a run the newest; by another name; set anew.
  CHECK_THAT(sandbox.fine({"runs", "baseline", "release"}).out, ContainsSubstring("release is run 2"));
  CHECK_THAT(sandbox.fine({"runs", "baseline", "copy", "release"}).out, ContainsSubstring("copy is run 2"));
  const json moved = json::parse(sandbox.fine({"runs", "--format", "json"}).out);
  CHECK(moved.at("runs").at(0).at("baselines") == json::array({"copy", "release"}));
  CHECK(moved.at("runs").at(1).at("baselines").empty());
  CHECK(sandbox.fine({"runs", "baseline", "release", "--remove"}).out.empty());
  CHECK_THAT(sandbox.fine({"show", "copy"}).out, ContainsSubstring("as run 2"));
  const Outcome gone = sandbox.call({"show", "release"});
  CHECK(gone.exit_code == 2);
  CHECK_THAT(gone.err, ContainsSubstring("'release' names no run") && ContainsSubstring("baseline"));
}

TEST_CASE("what cannot be a baseline is refused, with the reason") {
  const TwoRuns sandbox;
  const auto refused = [&](const std::vector<std::string>& arguments) {
    const Outcome outcome = sandbox.call(arguments);
    CHECK(outcome.exit_code == 2);
    return outcome.err;
  };
  CHECK_THAT(refused({"runs", "baseline", "3x", "1"}), ContainsSubstring("begins with a letter"));
  CHECK_THAT(refused({"runs", "baseline", "all", "1"}), ContainsSubstring("not 'all'"));
  CHECK_THAT(refused({"runs", "baseline", "x", "9"}), ContainsSubstring("has no run '9'"));
  CHECK_THAT(refused({"runs", "baseline", "x", "--remove"}), ContainsSubstring("no baseline 'x'"));
  CHECK_THAT(refused({"runs", "baseline", "x", "1", "--remove"}), ContainsSubstring("excludes"));
  CHECK_THAT(refused({"runs", "baseline"}), ContainsSubstring("name is required"));
  CHECK_THAT(refused({"show", "all"}), ContainsSubstring("several runs"));
}

TEST_CASE("stores are merged from the command line; twice is once, a conflict is said") {
  const TwoRuns sandbox;
  const std::string own = (sandbox.path() / "store.db").string();
  const std::string all = (sandbox.path() / "all.db").string();
  CHECK_THAT(
      sandbox.fine({"runs", "merge", own, "--db", all}).out,
      ContainsSubstring("2 runs added, 0 runs there already") && ContainsSubstring("run 2 is run 2"));
  CHECK_THAT(sandbox.fine({"runs", "merge", own, "--db", all}).out,
             ContainsSubstring("0 runs added, 2 runs there already"));
  const auto rows = [&](const std::string& db) {
    return json::parse(sandbox.fine({"export", "2", "--db", db, "--format", "json", "--samples"}).out)
        .at("rows");
  };
  CHECK(rows(all) == rows(own));
  CHECK_THAT(sandbox.fine({"runs", "--db", all}).out, ContainsSubstring("run 1 of store.db"));
  const Outcome itself = sandbox.call({"runs", "merge", own, "--db", own});
  CHECK(itself.exit_code == 2);
  CHECK_THAT(itself.err, ContainsSubstring("into itself"));
  const auto other = (sandbox.path() / "other.db").string();
  const Outcome missing =
      sandbox.call({"runs", "--db", other, "merge", own, (sandbox.path() / "none.db").string()});
  CHECK(missing.exit_code == 2);
  CHECK_FALSE(std::filesystem::exists(other));
}

TEST_CASE("a merge that is refused leaves no store behind, unless it added a run before") {
  const TwoRuns sandbox;
  const auto file = [&](const char* name) { return (sandbox.path() / name).string(); };
  benchctl::Store busy = benchctl::Store::open(file("busy.db"));
  static_cast<void>(busy.create_run({}));  // this process measures it
  const Outcome refused = sandbox.call({"runs", "merge", file("busy.db"), "--db", file("all.db")});
  CHECK(refused.exit_code != 0);
  CHECK_THAT(refused.err, ContainsSubstring("still being measured"));
  for (const auto& entry : std::filesystem::directory_iterator(sandbox.path()))
    CHECK_FALSE(entry.path().filename().string().starts_with("all.db"));
  CHECK(sandbox.call({"runs", "merge", file("store.db"), file("busy.db"), "--db", file("all.db")})
            .exit_code != 0);
  CHECK_THAT(sandbox.fine({"runs", "merge", file("store.db"), "--db", file("all.db")}).out,
             ContainsSubstring("0 runs added, 2 runs there already"));
}
