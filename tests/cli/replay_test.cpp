// `benchctl explain` and `benchctl replay` from end to end on the fake backend.
#include "store/store.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"

using namespace benchctl::test;
using nlohmann::json;

namespace {

/// A sandbox with one run: point 0 is steady, point 1 noisy, point 2 ruled out, point 3 wrong.
struct Measured : Sandbox {
  Measured() {
    const auto sweep = [](const std::string& variant, const std::string& parameters) {
      return "[[sweep]]\nworkload = 'matmul'\nbackends = ['fake']\nvariants = ['" + variant +
             "']\n[sweep.parameters]\nn = [8]\n" + parameters;
    };
    run(fake_config(list_of({"steady"}), "n = [8]\nns = [100000]") + sweep("noisy", "noise = [0.01]\n") +
            sweep("steady", "block = [2048]\n") + sweep("wrong", ""),
        1);
  }
};

}  // namespace

TEST_CASE_METHOD(Measured, "points are explained by number or label") {
  CHECK_THAT(expect(0, {"explain", "0"}).out,
             HasAll({"point 1:0  matmul/steady @ fake:0", "100.0 µs", "42 registers"}));
  CHECK_THAT(call({"explain", "*noisy*"}).out, ContainsSubstring("point 1:1"));
  CHECK_THAT(expect(2, {"explain", "*steady*"}).err, ContainsSubstring("1:2  matmul/steady"));
  const json document = parsed({"explain", "3"});
  CHECK(document.at("status") == "wrong");
  CHECK(document.at("point") == "1:3");
}

TEST_CASE_METHOD(Measured, "the accesses of a stored point are judged by the rules of old hardware") {
  CHECK_THAT(expect(0, {"explain", "3", "--rules", "cc2.0"}).out,
             HasAll({"cc2.0", "Load of A: 50.0 % of the bytes moved", "2.00 transactions"}));
  const json both = parsed({"explain", "3", "--rules", "cc2.0-l2,cc1.0"});
  REQUIRE(both.at("findings").size() == 4);
  CHECK(both.at("findings").at(1).at("figures").at("efficiency") == 0.8);
  CHECK(both.at("findings").at(3).at("figures").at("transactions") == 64);
  const json all = parsed({"explain", "3", "--rules", "all"});
  CHECK(all.at("findings").size() == 12);

  CHECK_THAT(expect(2, {"explain", "3", "--rules", "cc9"}).err, HasAll({"--rules cc9", "cc2.0-l2"}));
  CHECK_THAT(expect(2, {"explain", "0", "--rules", "today"}).err,
             HasAll({"steady of matmul", "no access pattern"}));
}

TEST_CASE_METHOD(Measured,
                 "a replay runs the stored point alone, verified, and leaves the store as it is") {
  const std::size_t sampled = logged("sample steady");
  const std::size_t others = logged("sample noisy");
  const Outcome outcome = expect(0, {"replay", "0", "--repeat", "3"});
  CHECK_THAT(
      outcome.out,
      HasAll({"verified before timing: right", "verified after timing: right",
              "3 samples of one execution, basis device: median 100.0 µs, from 100.0 µs to 100.0 µs; "
              "stored: 100.0 µs",
              "\nok"}));
  CHECK_THAT(outcome.err, !ContainsSubstring("changed since"));
  CHECK(logged("sample steady") == sampled + 1);
  CHECK(logged("sample noisy") == others);
  CHECK(parsed({"runs"}).at("runs").size() == 1);
}

TEST_CASE_METHOD(Measured, "a replay without timing verifies every execution") {
  for (const char* option : {"--no-time", "--device-debug"}) {
    CAPTURE(option);
    const std::size_t runs = logged("run steady");
    const std::size_t sampled = logged("sample steady");
    const Outcome outcome = expect(0, {"replay", "0", "--repeat", "4", option});
    CHECK(logged("run steady") == runs + 4);
    CHECK(logged("sample steady") == sampled);
    CHECK_THAT(outcome.out, ContainsSubstring("executed 4 times") && !ContainsSubstring("median"));
  }
}

TEST_CASE_METHOD(Measured, "a stored seed that is no number is told, and nothing is replayed") {
  {
    benchctl::Store store = benchctl::Store::open(path() / "store.db");
    store.add_note(store.results(store.runs().front().id).front().row.id, "seed", "many");
  }
  CHECK_THAT(expect(2, {"replay", "0"}).err, ContainsSubstring("'many', which is not a number"));
}

TEST_CASE_METHOD(Measured, "a replay says what became of the point, and what cannot be replayed") {
  const Outcome wrong = expect(1, {"replay", "3"});
  CHECK_THAT(wrong.out, HasAll({"wrong: verifying: ", "C[7, 7]"}));
  CHECK_THAT(expect(2, {"replay", "2"}).err, HasAll({"nothing to replay", "block <= 1024"}));
  set("BENCHCTL_FAKE_DEVICES", "0");
  CHECK_THAT(expect(2, {"replay", "0"}).err,
             HasAll({"device fake:0 is not there now", "no fake hardware"}));
}

TEST_CASE_METHOD(Measured, "a replay says what has changed since, and goes on") {
  set("OMP_NUM_THREADS", "3");
  CHECK_THAT(expect(0, {"replay", "0"}).err,
             ContainsSubstring("changed since: env.OMP_NUM_THREADS differs (not known / 3)"));
}
