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
              "search, sweep, reference, kernel, workload"});
}

TEST_CASE("required parts are asked for") {
  CHECK(error_lines("") ==
        Lines{"1:1: error: the config has no 'experiment'", "1:1: error: the config has no 'sweep'"});
  CHECK(error_lines("[experiment]\n[[sweep]]\n") ==
        Lines{"1:1: error: [experiment] has no 'name'", "2:1: error: [[sweep]] has no 'workload'"});
  CHECK(error_lines("sweep = []\n[experiment]\nname='a'") ==
        Lines{"1:9: error: 'sweep' is a list; expected one [[sweep]] or more"});
  CHECK(error_lines("sweep = 3\n[experiment]\nname='a'") ==
        Lines{"1:9: error: 'sweep' is an integer; expected one [[sweep]] or more"});
  CHECK(error_lines("experiment = 1\nsweep = [2]\n") ==
        Lines{"1:14: error: [experiment] is an integer; expected a table",
              "2:10: error: [[sweep]] is an integer; expected a table"});
}

TEST_CASE("lists of names have no repetitions and no empty names") {
  CHECK(sweep_errors("backends = ['a', 'b', 'a']") ==
        Lines{"5:23: error: 'backends' in [[sweep]] has 'a' twice"});
  CHECK(sweep_errors("variants = ['']") ==
        Lines{"5:13: error: an element of 'variants' in [[sweep]] is empty; expected a string that is not "
              "empty"});
}

TEST_CASE("names of experiments and sweeps are plain and sweeps' are different") {
  CHECK(error_lines("[experiment]\nname = 'a b'\n[[sweep]]\nname = 'A-z_09'\nworkload='w'") ==
        Lines{"2:8: error: 'name' in [experiment] is 'a b'; expected letters, digits, '_' and '-' only"});
  CHECK(sweep_errors("name = 'a.b'") ==
        Lines{"5:8: error: 'name' in [[sweep]] is 'a.b'; expected letters, digits, '_' and '-' only"});
  CHECK(sweep_errors(
            "name = 's'\n[[sweep]]\nname = 't'\nworkload = 'w'\n[[sweep]]\nworkload = 'w'\nname = 's'") ==
        Lines{"11:8: error: two sweeps are called 's', the first at line 3; expected another name"});
  // A given name may not collide with a default one either.
  CHECK(sweep_errors("name = 'sweep-2'\n[[sweep]]\nworkload = 'w'") ==
        Lines{"6:1: error: two sweeps are called 'sweep-2', the first at line 3; expected another name"});
  CHECK(
      sweep_errors("name = 'measure'") ==
      Lines{"5:8: error: a sweep cannot be called 'measure', which --set means otherwise; expected another "
            "name"});
}

TEST_CASE("zip ties at least two different axes of the sweep, equally long") {
  const std::string axes = "parameters = { m = [1, 2], n = [3, 4], k = [1] }\n";
  CHECK(sweep_errors(axes + "zip = [['m', 'n']]").empty());
  CHECK(sweep_errors(axes + "zip = [['m']]") ==
        Lines{"6:8: error: zip ties 1 axis names; expected at least two"});
  CHECK(
      sweep_errors(axes + "zip = [['m', 'k']]") ==
      Lines{"6:8: error: zip ties axes of different lengths: m has 2, k has 1; expected as many values in "
            "each"});
  CHECK(sweep_errors(axes + "zip = [['m', 'nn']]") ==
        Lines{"6:14: error: zip names 'nn', which is not an axis of this sweep; expected one of m, n, k"});
  // Values may come again, all together may not.
  const std::string tiles = "parameters = { a = [64, 64, 32], b = [64, 128, 128], c = [1] }\n";
  CHECK(sweep_errors(tiles + "zip = [['a', 'b']]").empty());
  CHECK(sweep_errors(tiles) == Lines{"5:25: error: axis 'a' has the value 64 twice",
                                     "5:48: error: axis 'b' has the value 128 twice"});
  CHECK(sweep_errors("parameters = { a = [64, 32, 64], b = [8, 8, 8] }\nzip = [['a', 'b']]") ==
        Lines{"5:29: error: zip ties a = 64, b = 8 twice"});
  CHECK(sweep_errors(axes + "zip = [['m', 'm']]") == Lines{"6:14: error: zip names 'm' twice"});
  CHECK(sweep_errors(axes + "zip = [['m', 'n'], ['k', 'm']]") == Lines{"6:26: error: zip names 'm' twice"});
  CHECK(sweep_errors(axes + "zip = ['m', 'n']") ==
        Lines{"6:8: error: an element of 'zip' is a string; expected a list of lists of axes, such as "
              "[[\"m\", \"n\"]]",
              "6:13: error: an element of 'zip' is a string; expected a list of lists of axes, such as "
              "[[\"m\", \"n\"]]"});
}

TEST_CASE("an override may change tied axes together, not one alone to another length") {
  const std::string axes = "parameters = { m = [1, 2], n = [3, 4] }\nzip = [['m', 'n']]\n";
  const std::string over = "[[sweep.override]]\nmatch = { backend = 'a' }\n";
  CHECK(sweep_errors(axes + over + "parameters = { m = [1], n = [1] }").empty());
  CHECK(sweep_errors(axes + over + "parameters = { m = [5, 6] }").empty());
  CHECK(
      sweep_errors(axes + over + "parameters = { m = [5] }") ==
      Lines{
          "7:1: error: this override leaves tied axes of different lengths: m has 1, n has 2; expected as "
          "many values in each"});
}

TEST_CASE("conditions are parsed, and their errors point into the string") {
  CHECK(
      sweep_errors("where = ['n > 1', \"m  <=\"]") ==
      Lines{
          "5:25: error: where: expected a number, a name, a quoted word or '(', but the expression ends"});
  CHECK(sweep_errors("where = ['n = 1']") ==
        Lines{"5:13: error: where: '=' does not compare and nothing can be assigned here; write '=='"});
  CHECK(sweep_errors("where = [3, '']") ==
        Lines{"5:10: error: a condition in 'where' is an integer; expected a string",
              "5:13: error: a condition in 'where' is empty; expected a string that is not empty"});
}

TEST_CASE("expectations are right or wrong") {
  CHECK(sweep_errors("expect = 'wrng'") ==
        Lines{"5:10: error: 'expect' in [[sweep]] is 'wrng'; expected one of right, wrong; did you mean "
              "'wrong'?"});
  CHECK(sweep_errors("expect = { racy = 'bad' }") ==
        Lines{"5:19: error: 'racy' in expect is 'bad'; expected one of right, wrong"});
  const Config config = parse_config(sweep_head + "expect = { a = 'right', b = 'wrong' }", "x");
  CHECK(config.sweeps[0].expectations[0].expect == Expect::right);
  CHECK(config.sweeps[0].expectations[1].expect == Expect::wrong);
}

TEST_CASE("an override matches something and changes something") {
  CHECK(sweep_errors("[[sweep.override]]\nparameters = { n = [1] }") ==
        Lines{"5:1: error: [[sweep.override]] has no 'match'"});
  CHECK(sweep_errors("[[sweep.override]]\nmatch = { }\nparameters = { n = [1] }") ==
        Lines{"6:9: error: 'match' is empty; expected at least one of backend, device_type, device"});
  CHECK(sweep_errors("[[sweep.override]]\nmatch = { backend = 'a' }") ==
        Lines{"5:1: error: [[sweep.override]] changes nothing; expected 'parameters' or 'measure'"});
  CHECK(sweep_errors("[[sweep.override]]\nmatch = { device_type = 'gpus' }\nmeasure = { seed = 1 }") ==
        Lines{"6:25: error: 'device_type' in match is 'gpus'; expected one of cpu, gpu, accelerator, "
              "simulator; did "
              "you mean 'gpu'?"});
  CHECK(sweep_errors("override = [1]") ==
        Lines{"5:13: error: [[sweep.override]] is an integer; expected a table"});
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
  CHECK(error_lines("[experiment]\nname = \"x\"\nroofs = \"cache\"\n" + sweep) ==
        Lines{"3:9: error: 'roofs' in [experiment] is 'cache'; expected one of run, cached, none; did you "
              "mean 'cached'?"});
}
