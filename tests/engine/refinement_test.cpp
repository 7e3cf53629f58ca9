// Who gets what is left of a budget, on numbers alone.
#include "engine/refinement.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace benchctl;
using Catch::Approx;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double total(const RefiningStep& step) {
  double sum = 0;
  for (const auto& [point, seconds] : step.seconds) sum += seconds;
  return sum;
}

}  // namespace

TEST_CASE("the widest interval comes first, with those of its group that are nearly as wide") {
  const std::vector<Refinable> points{
      {0, 0, 3.0, 1.0}, {1, 1, 8.0, 1.0}, {2, 1, 5.0, 2.0}, {3, 1, 1.2, 1.0}, {4, 0, 7.9, 1.0}};
  const auto step = next_refining(points, 1000, 500);
  REQUIRE(step);
  CHECK(step->group == 1);
  REQUIRE(step->seconds.size() == 2);
  CHECK(step->seconds.at(1) == Approx(1));  // no more than it has had
  CHECK(step->seconds.at(2) == Approx(2));
}

TEST_CASE("a point close to its target gets what it should need, and one without an interval comes first") {
  const auto close = next_refining(std::vector<Refinable>{{7, 0, 1.2, 10.0}}, 1000, 500);
  REQUIRE(close);
  CHECK(close->seconds.at(7) == Approx(1.3 * 10 * (1.2 * 1.2 - 1)));
  const std::vector<Refinable> points{{0, 0, 50.0, 1.0}, {1, 1, infinity, 1.0}};
  const auto unknown = next_refining(points, 1000, 500);
  REQUIRE(unknown);
  CHECK(unknown->group == 1);
  CHECK(unknown->seconds.at(1) == Approx(1));
}

TEST_CASE("a turn fits into what is left, and lasts as long as what it costs beside its samples") {
  const std::vector<Refinable> points{{0, 0, 9.0, 40.0, 2.0}, {1, 0, 9.0, 20.0, 2.0}};
  const auto last = next_refining(points, 100, 33);
  REQUIRE(last);
  CHECK(total(*last) == Approx(33 - 1 - 2));
  CHECK(last->seconds.at(0) == Approx(2 * last->seconds.at(1)));
  const auto costly = next_refining(std::vector<Refinable>{{0, 0, 9.0, 0.5, 4.0}}, 100, 50);
  REQUIRE(costly);
  CHECK(total(*costly) == Approx(4));
}

TEST_CASE("no turn for a group that cannot be brought up in what is left, nor when the budget is used") {
  const std::vector<Refinable> points{{0, 0, 9.0, 1.0, 8.0}, {1, 1, 2.0, 1.0, 1.0}};
  const auto cheaper = next_refining(points, 100, 8);
  REQUIRE(cheaper);
  CHECK(cheaper->group == 1);
  CHECK_FALSE(next_refining(std::span(points).first(1), 100, 8));
  CHECK_FALSE(next_refining(points, 100, 2.9));
  CHECK_FALSE(next_refining({}, 100, 50));
}

TEST_CASE("all of a paired group take part") {
  const std::vector<Refinable> points{{0, 0, 0.0, 1.0, 0, true}, {1, 0, 4.0, 1.0, 0, true}};
  const auto step = next_refining(points, 100, 50);
  REQUIRE(step);
  CHECK(step->seconds.size() == 2);
  CHECK(step->seconds.at(0) > 0);
}

TEST_CASE("turn by turn every point reaches its target, or the budget is used to 97 %") {
  // Intervals that narrow with the root of the time, two groups, an overhead in every turn.
  struct Model {
    double at_one_second;  // width over target
    double spent;
  };
  for (const double budget : {30.0, 100.0, 2000.0}) {
    std::vector<Model> models{{3.0, 0.5}, {9.0, 0.5}, {1.1, 0.5}, {20.0, 0.5}};
    double left = budget / 2;
    int turns = 0;
    for (;; ++turns) {
      REQUIRE(turns < 200);
      std::vector<Refinable> points;
      for (std::size_t i = 0; i < models.size(); ++i) {
        const double excess = models[i].at_one_second / std::sqrt(models[i].spent);
        if (excess > 1) points.push_back({i, i % 2, excess, models[i].spent, 0.2});
      }
      const auto step = next_refining(points, budget, left);
      if (!step) {
        const bool used = left < 0.03 * budget;
        CHECK((points.empty() || used));
        break;
      }
      left -= 0.2;
      for (const auto& [point, seconds] : step->seconds) {
        models[point].spent += seconds;
        left -= seconds;
      }
      CHECK(left >= 0);
    }
    // They need 9, 81, 1.21 and 400 seconds: only the largest budget has them.
    CHECK((models[3].spent >= 400) == (budget == 2000.0));
    CHECK((models[0].spent >= 9) == (budget == 2000.0));
    const auto width = [&](std::size_t i) { return models[i].at_one_second / std::sqrt(models[i].spent); };
    if (budget == 100.0) {  // all about equally far from their targets then
      CHECK(width(3) < 2 * width(0));
      CHECK(width(0) < 2 * width(3));
    }
  }
}
