// `benchctl explain` and `benchctl replay` from end to end on the fake backend.
#include "store/store.hpp"
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

namespace {

/// A sandbox with one run: point 0 is steady, point 1 noisy, point 2 ruled out, point 3 wrong.
struct Measured {
  Sandbox sandbox;

  Measured() {
    const auto config = sandbox.write(
        "c.toml", fake_config("variants = [\"steady\"]", "n = [8]\nns = [100000]") +
                      "[[sweep]]\nworkload = \"matmul\"\nbackends = [\"fake\"]\n"
                      "variants = [\"noisy\"]\n[sweep.parameters]\nn = [8]\nnoise = [0.01]\n" +
                      "[[sweep]]\nworkload = \"matmul\"\nbackends = [\"fake\"]\n"
                      "variants = [\"steady\"]\n[sweep.parameters]\nn = [8]\nblock = [2048]\n" +
                      "[[sweep]]\nworkload = \"matmul\"\nbackends = [\"fake\"]\n"
                      "variants = [\"wrong\"]\n[sweep.parameters]\nn = [8]\n");
    const Outcome outcome = sandbox.call({"run", config.string()});
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 1);
  }
  [[nodiscard]] Outcome call(const std::vector<std::string>& arguments) const {
    return sandbox.call(arguments);
  }
};

}  // namespace

TEST_CASE("points are numbered in tables and exports, and explained by number or label") {
  const Measured measured;
  const Outcome shown = measured.call({"show"});
  CHECK_THAT(shown.out, ContainsSubstring("benchctl explain 1:#"));
  const json exported = measured.sandbox.exported();
  REQUIRE(exported.at("rows").size() == 4);
  CHECK(exported.at("rows").at(2).at("point") == 2);
  CHECK(exported.at("rows").at(2).at("run") == 1);

  const Outcome first = measured.call({"explain", "0"});
  INFO(first.err);
  CHECK(first.exit_code == 0);
  CHECK_THAT(first.out, ContainsSubstring("point 1:0  matmul/steady @ fake:0") &&
                            ContainsSubstring("100.0 µs") && ContainsSubstring("42 registers"));
  CHECK_THAT(measured.call({"explain", "1:2"}).out,
             ContainsSubstring("skipped") && ContainsSubstring("block <= 1024"));
  CHECK_THAT(measured.call({"explain", "*noisy*"}).out, ContainsSubstring("point 1:1"));
  const Outcome several = measured.call({"explain", "*steady*"});
  CHECK(several.exit_code == 2);
  CHECK_THAT(several.err,
             ContainsSubstring("1:0  matmul/steady") && ContainsSubstring("1:2  matmul/steady"));
  const json document = json::parse(measured.call({"explain", "3", "--format", "json"}).out);
  CHECK(document.at("status") == "wrong");
  CHECK(document.at("point") == "1:3");
}

TEST_CASE("the accesses of a stored point are judged by the rules of old hardware") {
  const Measured measured;
  const Outcome lines = measured.call({"explain", "3", "--rules", "cc2.0"});
  INFO(lines.err);
  CHECK(lines.exit_code == 0);
  CHECK_THAT(lines.out, ContainsSubstring("cc2.0") &&
                            ContainsSubstring("Load of A: 50.0 % of the bytes moved") &&
                            ContainsSubstring("2.00 transactions"));
  const json both =
      json::parse(measured.call({"explain", "3", "--rules", "cc2.0-l2,cc1.0", "--format", "json"}).out);
  REQUIRE(both.at("findings").size() == 4);
  CHECK(both.at("findings").at(1).at("figures").at("efficiency") == 0.8);
  CHECK(both.at("findings").at(3).at("figures").at("transactions") == 64);
  const json all = json::parse(measured.call({"explain", "3", "--rules", "all", "--format", "json"}).out);
  CHECK(all.at("findings").size() == 12);

  const Outcome unknown = measured.call({"explain", "3", "--rules", "cc9"});
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.err, ContainsSubstring("--rules cc9") && ContainsSubstring("cc2.0-l2"));
  const Outcome undeclared = measured.call({"explain", "0", "--rules", "today"});
  CHECK(undeclared.exit_code == 2);
  CHECK_THAT(undeclared.err,
             ContainsSubstring("steady of matmul") && ContainsSubstring("no access pattern"));
}

TEST_CASE("a replay runs the stored point alone, verified, and leaves the store as it is") {
  const Measured measured;
  const std::size_t sampled = measured.sandbox.logged("sample steady");
  const std::size_t others = measured.sandbox.logged("sample noisy");
  const Outcome outcome = measured.call({"replay", "0", "--repeat", "3", "--format", "json"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  const json document = json::parse(outcome.out);
  CHECK(document.at("status") == "ok");
  CHECK(document.at("changes").empty());
  CHECK(document.at("samples_ns") == json::array({100000, 100000, 100000}));
  CHECK(document.at("stored_median_ns") == 100000);
  CHECK(document.at("verifications").at("before").at("ok") == true);
  CHECK(document.at("verifications").at("after").at("ok") == true);
  CHECK(document.at("stored_as_run").is_null());
  CHECK(measured.sandbox.logged("sample steady") == sampled + 1);
  CHECK(measured.sandbox.logged("sample noisy") == others);
  const json runs = json::parse(measured.call({"runs", "--format", "json"}).out);
  CHECK(runs.at("runs").size() == 1);
}

TEST_CASE("a replay without timing verifies every execution") {
  const Measured measured;
  for (const char* option : {"--no-time", "--device-debug"}) {
    CAPTURE(option);
    const std::size_t runs = measured.sandbox.logged("run steady");
    const std::size_t sampled = measured.sandbox.logged("sample steady");
    const Outcome outcome = measured.call({"replay", "0", "--repeat", "4", option});
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(measured.sandbox.logged("run steady") == runs + 4);
    CHECK(measured.sandbox.logged("sample steady") == sampled);
    CHECK_THAT(outcome.out, ContainsSubstring("executed 4 times") && !ContainsSubstring("median"));
  }
  CHECK(measured.call({"replay", "0", "--no-time", "--store"}).exit_code == 2);
}

TEST_CASE("a stored seed that is no number is told, and nothing is replayed") {
  const Measured measured;
  {
    benchctl::Store store = benchctl::Store::open(measured.sandbox.path() / "store.db");
    store.add_note(store.results(store.runs().front().id).front().row.id, "seed", "many");
  }
  const Outcome outcome = measured.call({"replay", "0"});
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, ContainsSubstring("'many', which is not a number"));
}

TEST_CASE("a replay says what became of the point, and what cannot be replayed") {
  Measured measured;
  const Outcome wrong = measured.call({"replay", "3"});
  CHECK(wrong.exit_code == 1);
  CHECK_THAT(wrong.out, ContainsSubstring("wrong: verifying: ") && ContainsSubstring("C[7, 7]"));
  const Outcome skipped = measured.call({"replay", "2"});
  CHECK(skipped.exit_code == 2);
  CHECK_THAT(skipped.err, ContainsSubstring("nothing to replay") && ContainsSubstring("block <= 1024"));
  measured.sandbox.set("BENCHCTL_FAKE_DEVICES", "0");
  const Outcome gone = measured.call({"replay", "0"});
  CHECK(gone.exit_code == 2);
  CHECK_THAT(gone.err,
             ContainsSubstring("device fake:0 is not there now") && ContainsSubstring("no fake hardware"));
}

TEST_CASE("a replay says what has changed since, and goes on") {
  Measured measured;
  measured.sandbox.set("OMP_NUM_THREADS", "3");
  const Outcome outcome = measured.call({"replay", "0"});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.err, ContainsSubstring("changed since: env.OMP_NUM_THREADS differs (not known / 3)"));
}

TEST_CASE("a replay is stored as a run of its own when asked for") {
  const Measured measured;
  const Outcome outcome = measured.call({"replay", "0", "--repeat", "7", "--store"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.err, ContainsSubstring("stored as run 2"));
  const json document = measured.sandbox.exported({"--samples"});
  CHECK(document.at("runs").at(0).at("title") == "replay of 1:0");
  CHECK(document.at("runs").at(0).at("state") == "complete");
  REQUIRE(document.at("rows").size() == 1);
  const json& row = document.at("rows").at(0);
  CHECK(row.at("status") == "ok");
  CHECK(row.at("n_samples") == 7);
  CHECK(row.at("median_ns") == 100000);
  CHECK(row.at("samples_ns").size() == 7);
  CHECK(row.at("stop") == "fixed");
  CHECK(row.at("verified") == true);
  CHECK(row.at("registers") == 42);
}
