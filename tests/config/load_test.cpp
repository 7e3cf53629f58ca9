#include "errors.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

const std::string full = R"([experiment]
name = "all_settings"
description = "words"
[measure]
cache = "cold"
launch = "graph"
basis = "end_to_end"
target = 0.02
min_samples = 7
max_samples = 70
max_seconds = 3
samples = 5
min_sample_us = 50
min_timer_steps = 100.5
warmup_seconds = 0.5
seed = 9
[[sweep]]
workload = "matmul"
devices = ["opencl:*"]
[[sweep.override]]
match = { backend = "opencl", device_type = "cpu", device = "opencl:p*" }
measure = { seed = 3 }
)";

}  // namespace

// What a sweep's other keys come to is what tests/golden compares.
TEST_CASE("every measure setting and every part of a match arrives") {
  const Config config = parse_config(full, "dir/full.toml");
  CHECK(config.experiment.description == "words");
  MeasureSettings measure;
  measure.cache = CacheMode::cold;
  measure.launch = LaunchMode::graph;
  measure.basis = Basis::end_to_end;
  measure.target = 0.02;
  measure.min_samples = 7;
  measure.max_samples = 70;
  measure.max_seconds = 3;
  measure.fixed_samples = 5;
  measure.min_sample_ns = 50'000;
  measure.min_timer_steps = 100.5;
  measure.warmup_seconds = 0.5;
  measure.seed = 9;
  CHECK(config.measure == measure);
  const Sweep& sweep = config.sweeps.at(0);
  CHECK(sweep.name == "sweep-1");
  CHECK(sweep.devices.at(0).text == "opencl:*");
  const Override& over = sweep.overrides.at(0);
  CHECK(over.match.backend.value().text == "opencl");
  CHECK(over.match.device_type == DeviceType::cpu);
  CHECK(over.match.device.value().text == "opencl:p*");
}

TEST_CASE("a syntax error has the form of all errors") {
  const auto errors = errors_of("[experiment]\nname = \n");
  REQUIRE(errors.size() == 1);
  CHECK_THAT(to_text(errors[0]), ContainsSubstring("x.toml:2:8: error: TOML syntax: "));
  CHECK_THAT(to_text(errors[0]), ContainsSubstring("\n  name = \n         ^"));
}

TEST_CASE("a byte-order mark does not move columns") {
  CHECK(error_lines("\xEF\xBB\xBFx = 1\n[experiment]\nname='a'\n[[sweep]]\nworkload='w'\n") ==
        Lines{"1:1: error: unknown key 'x' in the config; expected one of experiment, measure, compare, "
              "search, sweep, published, kernel, workload"});
}

TEST_CASE("expectations are of variants") {
  const Config config = parse_config(sweep_head + "expect = { a = 'right', b = 'wrong' }", "x");
  CHECK(config.sweeps[0].expectations[0].expect == Expect::right);
  CHECK(config.sweeps[0].expectations[1].expect == Expect::wrong);
}

TEST_CASE("a file is read whole and under the name that was given") {
  const TemporaryDirectory folder;
  const auto file = folder.write("a.toml", full);
  const Config config = load_config(file);
  CHECK(config.path == file.string());
  CHECK(config.text == full);
}

TEST_CASE("a file that cannot be read is refused with its name") {
  const TemporaryDirectory folder;
  const auto missing = folder.path() / "missing.toml";
  CHECK_THROWS_WITH(load_config(missing),
                    missing.string() + ": error: cannot be read: No such file or directory");
  CHECK_THROWS_WITH(load_config(folder.path()),
                    folder.path().string() + ": error: this is a folder, not a config file");
  const std::string comment(max_config_bytes, '#');
  CHECK_THROWS_WITH(load_config(folder.write("big.toml", comment + "#")),
                    ContainsSubstring("larger than 10 MiB"));
  CHECK_THROWS_WITH(load_config(folder.write("less.toml", comment)), ContainsSubstring("no 'experiment'"));
}

TEST_CASE("roofs come from the cache unless the config says otherwise") {
  const std::string sweep = "[[sweep]]\nworkload = \"matmul\"\nbackends = [\"a\", \"b\"]\n";
  const auto config_with = [&](const std::string& line) {
    return parse_config("[experiment]\nname = \"x\"\n" + line + sweep, "x.toml");
  };
  CHECK(config_with("").experiment.roofs == Roofs::cached);
  CHECK(config_with("").sweeps.size() == 1);
  CHECK(config_with("roofs = \"none\"\n").experiment.roofs == Roofs::none);
  CHECK(config_with("").experiment.order == ProblemOrder::random);
  CHECK(config_with("order = \"written\"\n").experiment.order == ProblemOrder::written);
}
