// Choices: variants that try configurations of others and keep the quickest. `chosen` of the scripted
// plugin is a choice among `steady`, `slower` (2 % slower than its script) and `throws`.
#include "engine/content_key.hpp"
#include "engine/fake_machine.hpp"
#include "support/catch.hpp"
#include "sweep/configurations.hpp"

#include <fmt/format.h>

#include <cstdlib>

using namespace benchctl;

namespace {

/// A configuration of the scripted plugin that takes so long.
Configuration taking(const std::string& variant, std::int64_t ns) { return {variant, {{"ns", ns}}, 1}; }

struct Machine : test::FakeMachine {
  void set_table(std::vector<Configuration> configurations) {
    TuningTable table;
    table.workload = "matmul";
    table.classes = {{"chosen", {{"n", std::int64_t{8}}, {"dtype", "f32"}}, "", std::move(configurations)}};
    backend().tunings = {table};
  }
  Result measure(const std::string& parameters, const std::string& settings = {}) {
    return FakeMachine::measure("chosen", parameters, settings);
  }
};

}  // namespace

TEST_CASE("a choice keeps the quickest of the configurations that the table names") {
  Machine machine;
  machine.set_table({taking("steady", 30'000), taking("slower", 10'000), taking("steady", 10'100)});
  const Result point = machine.measure("n = [8]");
  CHECK(point.row.point.status == Status::ok);
  REQUIRE(point.measurement);
  CHECK(point.measurement->median_ns == 10'100);  // `slower` takes 10.2 µs
  CHECK_THAT(point.notes.at(configuration_note), StartsWith("steady ") && ContainsSubstring(" ns=10100 "));
  CHECK_THAT(point.notes.at("trial"),
             StartsWith("10.10 us steady ") && ContainsSubstring("10.20 us slower "));
  // The table's, and the defaults of three variants.
  CHECK(machine.tried == test::Counts{6});
}

TEST_CASE("with trial = 1 a choice takes the first unseen") {
  Machine machine;
  machine.set_table({taking("steady", 300'000), taking("steady", 100'000)});
  const Result point = machine.measure("n = [8]\ntrial = [1]");
  REQUIRE(point.measurement);
  CHECK(point.measurement->median_ns == 300'000);
  CHECK_THAT(point.notes.at(configuration_note), ContainsSubstring(" ns=300000 "));
  CHECK_FALSE(point.notes.contains("trial"));
}

TEST_CASE("a configuration that fails costs the point nothing, unless there is no other") {
  Machine machine;
  machine.set_table({taking("throws", 10), taking("steady", 50'000)});
  CHECK(machine.measure("n = [8]").measurement.value().median_ns == 50'000);

  machine.set_table({taking("throws", 10)});
  const Result point = machine.measure("n = [8]\ntrial = [1]");
  CHECK(point.row.point.status == Status::launch_error);
  CHECK_THAT(point.row.point.reason, ContainsSubstring("scripted failure"));
}

TEST_CASE("the audit of a choice allows for the launches of the configuration that it has picked") {
  for (const bool picks_many : {true, false}) {
    Machine machine;
    for (VariantInfo& variant : machine.backend().variants) {
      LaunchSpec launch;
      launch.source = launch.entry = "kernel";
      if ((variant.name == "slower") == picks_many) launch.repeat = "11";
      if (variant.among.empty()) variant.kernel = KernelSpec{{launch}, {}};
    }
    machine.set_table({taking("steady", 50'000), taking("slower", 10'000)});
    machine.script = [](Verb verb, const nlohmann::json&, nlohmann::json answer) {
      if (verb == verbs::Audit::verb) {
        answer["host"] = {{"claimed_ns", 10'200},
                          {"left_out_ns", 250'000},
                          {"waited_ns", 0},
                          {"unwaited_ns", 0},
                          {"read_ns", 0}};
      }
      return answer;
    };
    const Result point = machine.measure("n = [8]");
    CHECK_THAT(point.notes.at(configuration_note), StartsWith("slower "));
    INFO(point.row.point.reason);
    CHECK(point.row.point.status == (picks_many ? Status::ok : Status::implausible));
  }
}

TEST_CASE("every replicate measures what the first has picked") {
  Machine machine;
  machine.set_table({taking("steady", 200'000), taking("steady", 90'000)});
  const Result point = machine.measure("n = [8]", "replicates = 3\n");
  REQUIRE(point.measurement);
  CHECK(point.measurement->median_ns == 90'000);
  CHECK(machine.tried == test::Counts{5, 1, 1});
  CHECK_THAT(point.notes.at("trial"), StartsWith("90.00 us steady "));
}

TEST_CASE("a point of a choice is ruled out before it runs where no configuration can") {
  Machine machine;
  for (VariantInfo& variant : machine.backend().variants) variant.require = {"n > 100"};
  machine.backend().variants.back().require.clear();
  const std::vector<Point> points = machine.points("chosen", "n = [8, 101]");
  REQUIRE(points.size() == 2);
  CHECK(points[0].status == Status::skipped);
  CHECK(points[0].reason == "constraint: variant 'steady' needs n > 100 (n=8)");
  CHECK(points[1].status == Status::not_run);
}

TEST_CASE("the key of a choice's point covers the table and the variants that it is among") {
  Machine machine;
  const Lane& lane = machine.lanes.front().lanes.front();
  const Point point = machine.points("chosen", "n = [8]").front();
  const auto key = [&] {
    return ContentKeys(Workloads::built_in(), {})
        .key(point, lane, machine.backend(), *machine.plugins.find("fake"), false);
  };
  const std::string without = key();
  machine.set_table({taking("steady", 1000)});
  const std::string with = key();
  CHECK(with != without);
  CHECK(key() == with);
  machine.set_table({taking("steady", 1001)});
  CHECK(key() != with);
  machine.set_table({taking("steady", 1000)});
  machine.backend().tunings[0].date = "another day";
  CHECK(key() == with);
  machine.backend().variants.front().tunables.front().default_value = std::int64_t{7};
  CHECK(machine.backend().variants.front().name == "steady");
  CHECK(key() != with);
}

TEST_CASE("tables are found in the folders that BENCHCTL_TUNINGS names, the first of them first") {
  const test::TemporaryDirectory folder;
  const char* const table =
      "[tuning]\nworkload = \"matmul\"\nbackend = \"fake\"\narchitecture = \"{}\"\n"
      "[[class]]\nchoice = \"chosen\"\nproblem = {{ n = 8 }}\n"
      "configurations = [{{ variant = \"steady\", tunables = {{ ns = 5 }} }}]\n";
  const auto write = [&](const std::string& name, const std::string& text) {
    std::filesystem::create_directories(folder.path() / name / "fake/arch");
    folder.write(name + "/fake/arch/matmul.toml", text);
  };
  write("one", fmt::format(fmt::runtime(table), "arch"));
  write("two", fmt::format(fmt::runtime(table), "arch"));
  setenv("BENCHCTL_TUNINGS",
         ((folder.path() / "two").string() + ":" + (folder.path() / "one").string()).c_str(), 1);
  CHECK(tuning_folders().at(0) == folder.path() / "two");
  CHECK(tuning_folders().at(1) == folder.path() / "one");
  CHECK(Machine().backend().tunings.size() == 2);
  write("one", "[tuning]\nworkload = 3\n");
  CHECK_THROWS_WITH(Machine(), ContainsSubstring("one/fake/arch/matmul.toml:2"));
  unsetenv("BENCHCTL_TUNINGS");
}
