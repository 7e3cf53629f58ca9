// Readings from end to end: the scripted backend observes its own devices.
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

namespace {

/// One point with 30 samples in one block, and no warm-up.
std::string in_blocks_of_two(const std::string& measure = "") {
  return fake_config(R"(variants = ["steady"])", "n = 8",
                     "samples = 30\nwarmup_seconds = 0\nmax_seconds = 5\n" + measure);
}

/// A sandbox whose fake devices are observed, as the script says.
struct Observed : Sandbox {
  explicit Observed(const std::string& script) { set("BENCHCTL_FAKE_OBSERVER", script); }
};

json run(const Sandbox& sandbox, const std::string& config, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"run", sandbox.write("c.toml", config).string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = sandbox.call(arguments);
  INFO(outcome.out << outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const json document = sandbox.exported({"--samples"});
  REQUIRE(document.at("rows").size() == 1);
  return document.at("rows").front();
}

bool absent(const json& row, const std::string& column) {
  return !row.contains(column) || row.at(column).is_null();
}

}  // namespace

TEST_CASE("cheap readings are stored with every point, costly ones when asked for") {
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--in-process"}}) {
    const Observed sandbox("watch");
    const json cheap = run(sandbox, in_blocks_of_two(), more);
    CHECK(cheap.at("fake_level") == 5);
    CHECK(cheap.at("throttled_samples") == 0);
    CHECK(cheap.at("peak_host_bytes").get<double>() > 1e6);
    CHECK(cheap.at("device_bytes").get<double>() > 3 * 8 * 8 * 4);
    CHECK(cheap.at("prepare_ns").get<double>() > 0);
    CHECK(absent(cheap, "fake_ticks"));
    CHECK(absent(cheap, "fake_charge"));
    const json dear = run(sandbox, in_blocks_of_two("observe = [\"fake_ticks\", \"fake_charge\"]"), more);
    CHECK(dear.at("fake_level") == 5);
    CHECK(dear.at("fake_ticks") == 3);  // of a block: the first sample is thrown away, with its reading
    CHECK(dear.at("fake_charge") == 7);
    CHECK(dear.at("n_samples") == 30);
  }
}

TEST_CASE("samples of a pass are no samples of the point") {
  const Observed sandbox("watch");
  const json row = run(sandbox, in_blocks_of_two("observe = [\"fake_charge\"]"));
  CHECK(row.at("samples_ns").size() == 30);
  CHECK(sandbox.logged("watch fake_charge") == 1);
  CHECK(sandbox.logged("watch fake_level throttled_samples sm_clock power") == 15);
}

TEST_CASE("without readings nobody is asked") {
  const Observed sandbox("watch");
  const json row = run(sandbox, in_blocks_of_two("observe = [\"none\"]"));
  CHECK(absent(row, "fake_level"));
  CHECK(absent(row, "peak_host_bytes"));
  for (const std::string& line : sandbox.log()) CHECK_FALSE(line.starts_with("watch"));
}

TEST_CASE("what is asked for and cannot be read is a note with the reason") {
  const Observed sandbox("watch");
  const json row = run(sandbox, in_blocks_of_two("observe = [\"fake_gone\", \"energy\", \"cycles\"]"));
  CHECK(row.at("status") == "ok");
  const auto notes = row.at("notes").get<std::string>();
  CHECK_THAT(notes, ContainsSubstring("not_observed.fake_gone=scripted: not on this device"));
  CHECK_THAT(notes,
             ContainsSubstring("not_observed.energy=no observer reads it on Fake device 0 (fake:0)"));
  CHECK_THAT(notes, ContainsSubstring("not_observed.cycles=no observer"));
}

TEST_CASE("an observer that fails harms no measurement") {
  const Observed sandbox("throw");
  const json row = run(sandbox, in_blocks_of_two("observe = [\"fake_charge\"]"));
  CHECK(row.at("status") == "ok");
  CHECK(row.at("n_samples") == 30);
  const auto notes = row.at("notes").get<std::string>();
  CHECK_THAT(notes, ContainsSubstring("not_observed.fake_level=scripted: the sensor fell off"));
  CHECK_THAT(notes, ContainsSubstring("not_observed.fake_charge=scripted: the sensor fell off"));
}

TEST_CASE("throttled samples are put aside, taken again and counted") {
  const Observed sandbox("redo=2");
  const json row = run(sandbox, in_blocks_of_two());
  CHECK(row.at("status") == "ok");
  CHECK(row.at("n_samples") == 30);
  CHECK(row.at("samples_ns").size() == 30);
  CHECK(row.at("throttled_samples") == 4);
  CHECK_THAT(row.at("notes").get<std::string>(),
             ContainsSubstring("4 samples were discarded and retaken (scripted heat)"));
  CHECK_THAT(sandbox.call({"show"}).out, ContainsSubstring("4 throttled"));
}

TEST_CASE("samples that stay throttled count in the end, and the point says so") {
  const Observed sandbox("redo=1000");
  const json row = run(sandbox, in_blocks_of_two());
  CHECK(row.at("n_samples") == 30);
  CHECK(row.at("throttled_samples") == 50);
  CHECK_THAT(row.at("notes").get<std::string>(),
             ContainsSubstring("20 samples were discarded and retaken") &&
                 ContainsSubstring("after 10 retries samples were kept anyway"));
}

TEST_CASE("an unknown reading is an error with its place and the nearest name") {
  const Sandbox sandbox;
  const auto refused = [&](const std::string& measure) {
    const Outcome outcome =
        sandbox.call({"check", sandbox.write("c.toml", in_blocks_of_two(measure)).string()});
    CHECK(outcome.exit_code != 0);
    return outcome.err + outcome.out;
  };
  CHECK_THAT(refused("observe = [\"cycles\", \"enrgy\"]"), ContainsSubstring("c.toml:7:22") &&
                                                               ContainsSubstring("'enrgy'") &&
                                                               ContainsSubstring("did you mean 'energy'"));
  CHECK_THAT(refused("observe = [\"median_ns\"]"),
             ContainsSubstring("nothing reads the metric 'median_ns'"));
  CHECK_THAT(refused("observe = \"energy\""), ContainsSubstring("'observe'"));
  CHECK_THAT(refused("observe = [\"none\", \"energy\"]"), ContainsSubstring("[\"none\"]"));
  CHECK_THAT(refused("observe = [3]"), ContainsSubstring("'observe'"));
  CHECK(sandbox.call({"check", sandbox.write("c.toml", in_blocks_of_two("observe = []")).string()})
            .exit_code == 0);
}

TEST_CASE("readings are chosen on the command line, too") {
  const Observed sandbox("watch");
  const json row =
      run(sandbox, in_blocks_of_two("observe = [\"none\"]"), {"--set", "measure.observe=[fake_charge]"});
  CHECK(row.at("fake_charge") == 7);
  CHECK(row.at("fake_level") == 5);
  const Outcome wrong = sandbox.call({"run", "c.toml", "--set", "measure.observe=[fake_carge]"});
  CHECK(wrong.exit_code != 0);
  CHECK_THAT(wrong.err, ContainsSubstring("--set") && ContainsSubstring("did you mean 'fake_charge'"));
}

TEST_CASE("the list shows who reads what") {
  const Sandbox sandbox;
  const Outcome text = sandbox.call({"list"});
  CHECK_THAT(text.out, ContainsSubstring("Observers:") &&
                           ContainsSubstring("fake_level throttled_samples") &&
                           ContainsSubstring("fake_charge (where 'observe' asks for it)"));
  const json document = json::parse(sandbox.call({"list", "--format", "json"}).out);
  bool found = false;
  for (const json& entry : document.at("observers")) {
    if (entry.at("reading") != "fake_charge") continue;
    found = true;
    CHECK(entry.at("observer") == "fake");
    CHECK(entry.at("unit") == "C");
    CHECK(entry.at("kind") == "pass");
    CHECK(entry.at("on_request") == true);
  }
  CHECK(found);
}
