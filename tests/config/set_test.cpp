#include "errors.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

const std::string text = R"([experiment]
name = "x"
[[sweep]]
name = "big"
workload = "w"
parameters = { n = [1, 2], m = [3, 4], tile = [8] }
[sweep.measure]
max_seconds = 9
[[sweep.override]]
match = { backend = "a" }
parameters = { n = [7, 8], extra = [1] }
measure = { max_seconds = 8, seed = 4 }
[[sweep]]
name = "small"
workload = "w"
zip = [["n", "k"]]
parameters = { n = [5, 6], k = [1, 2], dtype = ["f32"] }
)";

Config config() { return parse_config(text, "x.toml"); }

std::vector<Value> axis(const std::vector<Axis>& axes, const std::string& name) {
  for (const Axis& candidate : axes) {
    if (candidate.name == name) return candidate.values;
  }
  return {};
}

Lines set_errors(const std::string& assignment) {
  Config changed = config();
  try {
    apply_set(changed, assignment);
  } catch (const ConfigErrors& errors) {
    CHECK(changed.sets.empty());
    CHECK(axis(changed.sweeps[0].axes, "n") == integers({1, 2}));
    return first_lines(errors.diagnostics());
  }
  return {};
}

}  // namespace

TEST_CASE("an assignment changes every sweep with that axis, overrides included") {
  Config changed = config();
  apply_set(changed, "n=[100, 200]");
  CHECK(axis(changed.sweeps[0].axes, "n") == integers({100, 200}));
  CHECK(axis(changed.sweeps[1].axes, "n") == integers({100, 200}));
  CHECK(axis(changed.sweeps[0].axes, "m") == integers({3, 4}));
  // The override no longer speaks of n, so that the command line's values hold everywhere.
  REQUIRE(changed.sweeps[0].overrides[0].axes.size() == 1);
  CHECK(changed.sweeps[0].overrides[0].axes[0].name == "extra");
  // The axis stays where it was among the others.
  CHECK(changed.sweeps[0].axes[0].name == "n");
  CHECK(changed.sets == Lines{"n=[100, 200]"});
}

TEST_CASE("an axis that only an override has is changed there") {
  Config changed = config();
  apply_set(changed, "extra=5");
  CHECK(axis(changed.sweeps[0].overrides[0].axes, "extra") == integers({5}));
  CHECK(axis(changed.sweeps[0].axes, "extra").empty());
}

TEST_CASE("a parameter that no sweep varies becomes an axis where the workload has it") {
  Config changed = parse_config(
      "[experiment]\nname = 'x'\n[[sweep]]\nname = 'product'\nworkload = 'matmul'\n"
      "parameters = { n = 64 }\n[[sweep]]\nname = 'sum'\nworkload = 'reduce'\n",
      "x.toml");
  apply_set(changed, "k=[8, 16]");
  CHECK(axis(changed.sweeps[0].axes, "k") == integers({8, 16}));
  CHECK(changed.sweeps[1].axes.empty());
  // Where the axis is written, the others keep their default.
  apply_set(changed, "n=32");
  CHECK(axis(changed.sweeps[0].axes, "n") == integers({32}));
  CHECK(changed.sweeps[1].axes.empty());
  apply_set(changed, "sum.n=[9]");
  CHECK(axis(changed.sweeps[1].axes, "n") == integers({9}));
  CHECK_THROWS_AS(apply_set(changed, "sum.k=3"), ConfigErrors);
}

TEST_CASE("a sweep's name restricts the change to it") {
  Config changed = config();
  apply_set(changed, "big.n=[100]");
  CHECK(axis(changed.sweeps[0].axes, "n") == integers({100}));
  CHECK(axis(changed.sweeps[1].axes, "n") == integers({5, 6}));
}

TEST_CASE("ranges and bare words are values too") {
  Config changed = config();
  apply_set(changed, "tile={ from = 2, to = 8, times = 2 }");
  CHECK(axis(changed.sweeps[0].axes, "tile") == integers({2, 4, 8}));
  apply_set(changed, "dtype=f64");
  CHECK(axis(changed.sweeps[1].axes, "dtype") == std::vector<Value>{std::string("f64")});
  apply_set(changed, "dtype=[f64,f32]");
  CHECK(axis(changed.sweeps[1].axes, "dtype") ==
        std::vector<Value>{std::string("f64"), std::string("f32")});
  apply_set(changed, "dtype=[\"f64\", 'bf 16']");
  CHECK(axis(changed.sweeps[1].axes, "dtype") ==
        std::vector<Value>{std::string("f64"), std::string("bf 16")});
  apply_set(changed, "tile=[1.5e3, -2, +3, 0x10]");
  CHECK(axis(changed.sweeps[0].axes, "tile") ==
        std::vector<Value>{1500.0, std::int64_t{-2}, std::int64_t{3}, std::int64_t{16}});
  apply_set(changed, "tile=[true, false]");
  CHECK(axis(changed.sweeps[0].axes, "tile") == std::vector<Value>{true, false});
  apply_set(changed, "tile=[1e-5, -1.5E+3]");
  CHECK(axis(changed.sweeps[0].axes, "tile") == std::vector<Value>{1e-5, -1500.0});
  CHECK(changed.sets.size() == 7);
}

TEST_CASE("a measure setting of the command line has the last word") {
  Config changed = config();
  apply_set(changed, "measure.max_seconds=0.5");
  CHECK(changed.measure.max_seconds == 0.5);
  CHECK(changed.sweeps[0].measure.empty());
  REQUIRE(changed.sweeps[0].overrides[0].measure.size() == 1);
  CHECK(changed.sweeps[0].overrides[0].measure[0].key == "seed");
  apply_set(changed, "measure.cache=cold");
  CHECK(changed.measure.cache == CacheMode::cold);
}

TEST_CASE("assignments to nothing name what there is") {
  CHECK(
      set_errors("tiel=[1]") ==
      Lines{"1:1: error: no sweep has an axis 'tiel'; expected one of n, m, tile, extra, k, dtype; did you "
            "mean 'tile'?"});
  CHECK(set_errors("big.k=[1]") ==
        Lines{"1:5: error: sweep 'big' has no axis 'k'; expected one of n, m, tile, extra"});
  CHECK(set_errors("bigg.n=[1]") ==
        Lines{"1:1: error: unknown sweep 'bigg'; expected one of big, small, measure; did you mean "
              "'big'?"});
  CHECK(set_errors("measure.sed=1")[0].ends_with("did you mean 'seed'?"));
  CHECK(set_errors("measure.seed=-1") ==
        Lines{"1:14: error: 'seed' cannot be -1; expected an integer from 0 to 2^53"});
}

TEST_CASE("assignments that are none are refused") {
  CHECK(set_errors("n=[]") == Lines{"1:3: error: axis 'n' is empty; expected at least one value"});
  CHECK(set_errors("")[0].starts_with("1:1: error: --set takes one assignment; expected NAME=VALUE"));
  CHECK(set_errors("n=1\nm=2")[0].starts_with("1:1: error: --set takes one assignment"));
  CHECK(set_errors("big.n.x=1")[0].starts_with("1:1: error: --set takes one dot at most"));
  CHECK(set_errors("n")[0].starts_with("1:2: error: TOML syntax"));
  CHECK(set_errors("n=[1,")[0].starts_with("1:6: error: TOML syntax"));
}

TEST_CASE("tied axes stay equally long") {
  CHECK(
      set_errors("n=[1]") ==
      Lines{"16:8: error: zip ties axes of different lengths: n has 1, k has 2; expected as many values in "
            "each"});
  Config changed = config();
  apply_set(changed, "n=[9,10]");
  CHECK(axis(changed.sweeps[1].axes, "n") == integers({9, 10}));
}

TEST_CASE("what an assignment brought is later reported at the assignment") {
  Config changed = config();
  apply_set(changed, "big.tile=[8]");
  apply_set(changed, "small.dtype=[f32,f23]");
  const Axis& dtype = changed.sweeps[1].axes[2];
  Reporter reporter = changed.reporter();
  CHECK(to_text(reporter.error(dtype.value_positions[1], "no")) ==
        "--set:1:20: error: no\n  small.dtype=[\"f32\",\"f23\"]\n                     ^");
}
