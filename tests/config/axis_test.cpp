#include "errors.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

std::vector<Value> values_of(const std::string& axis) {
  const Config config = parse_config(sweep_head + "parameters = { x = " + axis + " }", "x.toml");
  return config.sweeps.at(0).axes.at(0).values;
}

/// Findings about an axis `x` whose value starts at column 20 of line 5.
Lines axis_errors(const std::string& axis) { return sweep_errors("parameters = { x = " + axis + " }"); }

}  // namespace

TEST_CASE("axis values are lists, or one value alone") {
  CHECK(values_of("[3, 1, 2]") == integers({3, 1, 2}));
  CHECK(values_of("7") == integers({7}));
  CHECK(values_of("'word'") == std::vector<Value>{std::string("word")});
  CHECK(values_of("[true, false]") == std::vector<Value>{true, false});
  CHECK(values_of("[1, 2.5]") == std::vector<Value>{std::int64_t{1}, 2.5});
  CHECK(values_of("[-9007199254740992, 9007199254740992]") ==
        integers({-9007199254740992, 9007199254740992}));
}

TEST_CASE("values that make no axis are refused") {
  CHECK(axis_errors("[]") == Lines{"5:20: error: axis 'x' is empty; expected at least one value"});
  CHECK(axis_errors("[1, 2, 1]") == Lines{"5:27: error: axis 'x' has the value 1 twice"});
  CHECK(axis_errors("[1, 1.0]") == Lines{"5:24: error: axis 'x' has the value 1.0 twice"});
  CHECK(axis_errors("[1, 'a']") ==
        Lines{"5:24: error: axis 'x' mixes a string with an integer; expected values of one type"});
  CHECK(axis_errors("['']") == Lines{"5:21: error: axis 'x' has an empty string"});
  CHECK(axis_errors("[[1]]") == Lines{"5:21: error: a value of axis 'x' is a list; expected a number, a "
                                      "string or a truth value"});
  CHECK(axis_errors("1979-05-27") == Lines{"5:20: error: a value of axis 'x' is a date or time; expected a "
                                           "number, a string or a truth value"});
  CHECK(axis_errors("[1.5, inf]") ==
        Lines{"5:26: error: axis 'x': inf is not a finite number; expected a finite number"});
  CHECK(
      axis_errors("9007199254740993") ==
      Lines{
          "5:20: error: axis 'x': 9007199254740993 is too large; expected an integer from -2^53 to 2^53"});
}

TEST_CASE("a range by step includes its end when it meets it") {
  CHECK(values_of("{ from = 1, to = 7, step = 2 }") == integers({1, 3, 5, 7}));
  CHECK(values_of("{ from = 1, to = 8, step = 2 }") == integers({1, 3, 5, 7}));
  CHECK(values_of("{ from = 5, to = 5, step = 1 }") == integers({5}));
  CHECK(values_of("{ from = 5, to = 5, step = -1 }") == integers({5}));
  CHECK(values_of("{ from = 4, to = -4, step = -4 }") == integers({4, 0, -4}));
  CHECK(values_of("{ from = 0, to = 9007199254740991, step = 4503599627370496 }") ==
        integers({0, 4503599627370496}));
  CHECK(values_of("{ from = 0, to = 0.99, step = 0.5 }") == std::vector<Value>{0.0, 0.5});
  CHECK(values_of("{ from = 1.0, to = 2, step = 1 }") == std::vector<Value>{1.0, 2.0});
}

TEST_CASE("a range by factor includes its end when it meets it") {
  CHECK(values_of("{ from = 2, to = 16, times = 2 }") == integers({2, 4, 8, 16}));
  CHECK(values_of("{ from = 2, to = 15, times = 2 }") == integers({2, 4, 8}));
  CHECK(values_of("{ from = 3, to = 3, times = 10 }") == integers({3}));
  CHECK(values_of("{ from = 0.25, to = 1, times = 2 }") == std::vector<Value>{0.25, 0.5, 1.0});
  CHECK(values_of("{ from = 1, to = 10, times = 2.5 }") == std::vector<Value>{1.0, 2.5, 6.25});
}

TEST_CASE("the values of a range are the decimal numbers that one would write") {
  CHECK(values_of("{ from = 0.1, to = 0.5, step = 0.1 }") == std::vector<Value>{0.1, 0.2, 0.3, 0.4, 0.5});
  CHECK(values_of("{ from = 0.7, to = 0.1, step = -0.2 }") == std::vector<Value>{0.7, 0.5, 0.3, 0.1});
  CHECK(values_of("{ from = 1.1, to = 1.4, step = 0.1 }") == std::vector<Value>{1.1, 1.2, 1.3, 1.4});
  CHECK(values_of("{ from = -0.3, to = 0.3, step = 0.1 }") ==
        std::vector<Value>{-0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3});
  CHECK(values_of("{ from = 1, to = 1.3, step = 0.15 }") == std::vector<Value>{1.0, 1.15, 1.3});
  CHECK(values_of("{ from = 1e-9, to = 5e-9, step = 2e-9 }") == std::vector<Value>{1e-9, 3e-9, 5e-9});
  CHECK(values_of("{ from = 1e-30, to = 3e-30, step = 1e-30 }").size() == 3);  // too small for it
  CHECK(values_of("{ from = 0.1, to = 0.9, times = 3 }") == std::vector<Value>{0.1, 0.3, 0.9});
  CHECK(values_of("{ from = 0.7, to = 7000, times = 10 }") ==
        std::vector<Value>{0.7, 7.0, 70.0, 700.0, 7000.0});
  CHECK(values_of("{ from = 0.1, to = 1e20, times = 10 }").size() == 22);
}

TEST_CASE("ranges that lead nowhere are refused") {
  CHECK(axis_errors("{ from = 1, to = 5, step = 0 }") ==
        Lines{"5:47: error: 'step' of axis 'x' is 0, which does not lead from 1 to 5; expected a positive "
              "number"});
  CHECK(axis_errors("{ from = 5, to = 1, step = 1 }") ==
        Lines{"5:47: error: 'step' of axis 'x' is 1, which does not lead from 5 to 1; expected a negative "
              "number"});
  CHECK(axis_errors("{ from = 1, to = 5, times = 1 }") ==
        Lines{"5:48: error: 'times' of axis 'x' is 1; expected a number of at least 2"});
  CHECK(
      axis_errors("{ from = 0, to = 5, times = 2 }") ==
      Lines{
          "5:29: error: 'from' of axis 'x' is 0, which does not grow when multiplied; expected a positive "
          "number"});
  CHECK(axis_errors("{ from = 5, to = 4, times = 2 }") ==
        Lines{"5:37: error: 'to' of axis 'x' is 4, less than 'from'; expected at least 5"});
}

TEST_CASE("a range has from, to and one of step and times, all numbers") {
  CHECK(axis_errors("{ from = 1, to = 5 }") ==
        Lines{"5:20: error: the range of axis 'x' has neither 'step' nor 'times'; expected exactly one of "
              "step, times"});
  CHECK(
      axis_errors("{ from = 1, to = 5, step = 1, times = 2 }") ==
      Lines{"5:20: error: the range of axis 'x' has both 'step' and 'times'; expected exactly one of step, "
            "times"});
  CHECK(axis_errors("{ to = 5, step = 1 }") == Lines{"5:20: error: the range of axis 'x' has no 'from'"});
  CHECK(axis_errors("{ from = 5, times = 2 }") == Lines{"5:20: error: the range of axis 'x' has no 'to'"});
  CHECK(axis_errors("{ from = 1, to = 2, setp = 1 }") ==
        Lines{"5:20: error: the range of axis 'x' has neither 'step' nor 'times'; expected exactly one of "
              "step, times",
              "5:40: error: unknown key 'setp' in the range of axis 'x'; expected one of from, to, step, "
              "times; did you mean 'step'?"});
  CHECK(axis_errors("{ from = '1', to = 2, step = 1 }") ==
        Lines{"5:29: error: 'from' of axis 'x' is a string; expected a number"});
  CHECK(axis_errors("{ from = 1, to = 2, step = true }") ==
        Lines{"5:47: error: 'step' of axis 'x' is a truth value; expected a number"});
  CHECK(axis_errors("{ from = 1, to = inf, step = 1 }") ==
        Lines{"5:37: error: axis 'x': inf is not a finite number; expected a finite number"});
}

TEST_CASE("an axis has at most 100,000 values") {
  CHECK(values_of("{ from = 1, to = 100000, step = 1 }").size() == 100'000);
  CHECK(axis_errors("{ from = 1, to = 100001, step = 1 }") ==
        Lines{"5:20: error: axis 'x' has 100001 values; expected at most 100000"});
  CHECK(axis_errors("{ from = 0.0, to = 1, step = 1e-12 }") ==
        Lines{"5:20: error: axis 'x' has 1000000000001 values; expected at most 100000"});
  std::string list = "[0";
  for (int i = 1; i < 100'000; ++i) list += "," + std::to_string(i);
  CHECK(values_of(list + "]").size() == 100'000);
  CHECK(axis_errors(list + ",-1]").size() == 1);
}
