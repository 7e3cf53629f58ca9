// Named baselines and merged stores, from the command line.
#include "store/store.hpp"
#include "support/has_all.hpp"
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
    for (const std::string n : {"[8]", "[8, 16]"})
      run(fake_config(list_of({"steady"}), "n = " + n, "samples = 8\nwarmup_seconds = 0"), 0, {"--fresh"});
  }
  [[nodiscard]] Outcome fine(const std::vector<std::string>& arguments) const {
    return expect(0, arguments);
  }
};

}  // namespace

TEST_CASE_METHOD(TwoRuns, "a baseline's name works wherever a run is named") {
  CHECK_THAT(fine({"runs", "baseline", "release", "1"}).out, ContainsSubstring("release is run 1"));
  CHECK_THAT(fine({"show", "release"}).out, ContainsSubstring("as run 1"));
  CHECK_THAT(fine({"show", "store.db:release"}).out, ContainsSubstring("as run 1"));
  CHECK(parsed({"export", "release"}).at("rows").size() == 1);
  CHECK(parsed({"report", "release"}).at("runs").at(0).at("id") == 1);
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
