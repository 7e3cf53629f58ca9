// Readings from end to end: the scripted backend observes its own devices.
#include "support/catch.hpp"
#include "support/program.hpp"

using namespace benchctl::test;
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
  sandbox.run(config, 0, more);
  const json rows = sandbox.rows({"--samples"});
  REQUIRE(rows.size() == 1);
  return rows.front();
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

TEST_CASE("what is asked for and cannot be read is a note with the reason") {
  const Observed sandbox("watch");
  const json row = run(sandbox, in_blocks_of_two("observe = [\"fake_gone\", \"energy\", \"cycles\"]"));
  CHECK(row.at("status") == "ok");
  const json& notes = row.at("notes");
  CHECK(notes.at("not_observed.fake_gone") == "scripted: not on this device");
  CHECK(notes.at("not_observed.energy") == "no observer reads it on Fake device 0 (fake:0)");
  CHECK_THAT(notes.at("not_observed.cycles").get<std::string>(), StartsWith("no observer"));
}

TEST_CASE("throttled samples are put aside, taken again and counted") {
  const Observed sandbox("redo=2");
  const json row = run(sandbox, in_blocks_of_two());
  CHECK(row.at("status") == "ok");
  CHECK(row.at("n_samples") == 30);
  CHECK(row.at("samples_ns").size() == 30);
  CHECK(row.at("throttled_samples") == 4);
  CHECK_THAT(row.at("notes").dump(),
             ContainsSubstring("4 samples were discarded and retaken (scripted heat)"));
  CHECK_THAT(sandbox.call({"show"}).out, ContainsSubstring("4 throttled"));
}

TEST_CASE("samples that stay throttled count in the end, and the point says so") {
  const Observed sandbox("redo=1000");
  const json row = run(sandbox, in_blocks_of_two());
  CHECK(row.at("n_samples") == 30);
  CHECK(row.at("throttled_samples") == 50);
  CHECK_THAT(row.at("notes").dump(), HasAll({"20 samples were discarded and retaken",
                                             "after 10 retries samples were kept anyway"}));
}

TEST_CASE("readings are chosen on the command line, too; samples of their pass are not the point's") {
  const Observed sandbox("watch");
  const json row =
      run(sandbox, in_blocks_of_two("observe = [\"none\"]"), {"--set", "measure.observe=[fake_charge]"});
  CHECK(row.at("fake_charge") == 7);
  CHECK(row.at("fake_level") == 5);
  CHECK(row.at("samples_ns").size() == 30);
  CHECK(sandbox.logged("watch fake_charge") == 1);
  CHECK(sandbox.logged("watch fake_level throttled_samples sm_clock power") == 15);
  const Outcome wrong = sandbox.call({"run", "c.toml", "--set", "measure.observe=[fake_carge]"});
  CHECK(wrong.exit_code != 0);
  CHECK_THAT(wrong.err, HasAll({"--set", "did you mean 'fake_charge'"}));
}

TEST_CASE_METHOD(Sandbox, "the list shows who reads what") {
  CHECK_THAT(call({"list"}).out, HasAll({"Observers:", "fake_level throttled_samples",
                                         "fake_charge (where 'observe' asks for it)"}));
  const json document = parsed({"list"});
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
