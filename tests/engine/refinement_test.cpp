// Who gets what is left of a budget, on numbers alone.
#include "engine/refiner.hpp"
#include "support/catch.hpp"

using namespace benchctl;

namespace {

using Numbers = std::vector<std::size_t>;

Refinable contested(std::size_t point, std::size_t group, double work, double spent,
                    double overhead = 0.1) {
  return {.point = point,
          .group = group,
          .work = work,
          .contested = true,
          .spent_seconds = spent,
          .overhead_seconds = overhead};
}

Refinable of_width(std::size_t point, std::size_t group, double excess, double spent,
                   double overhead = 0.1) {
  return {.point = point,
          .group = group,
          .ended_early = true,
          .excess = excess,
          .spent_seconds = spent,
          .overhead_seconds = overhead};
}

}  // namespace

TEST_CASE(
    "contested points come first, those of the smallest problem before others, group by group in turn") {
  std::vector<Refinable> points{of_width(0, 0, 100, 1), contested(1, 0, 10, 1), contested(2, 1, 80, 2),
                                contested(3, 1, 80, 3), of_width(4, 1, 100, 1)};
  const auto first = next_refining(points, Numbers{0, 0}, 1000, 500);
  REQUIRE(first);
  CHECK(first->group == 0);
  CHECK(first->points == Numbers{1});
  const auto second = next_refining(points, Numbers{1, 0}, 1000, 500);
  REQUIRE(second);
  CHECK(second->group == 1);
  CHECK(second->points == Numbers{2, 3});
  CHECK(second->seconds == Approx(5));  // as long as they have had
}

TEST_CASE("then the widest interval, with those of its group that are nearly as wide") {
  const std::vector<Refinable> points{of_width(0, 0, 3, 1), of_width(1, 1, 8, 1), of_width(2, 1, 5, 2),
                                      of_width(3, 1, 1.2, 1), of_width(4, 0, 7.9, 1)};
  const auto step = next_refining(points, Numbers{0, 0}, 1000, 500);
  REQUIRE(step);
  CHECK(step->group == 1);
  CHECK(step->points == Numbers{1, 2});
  const std::vector<Refinable> unknown{of_width(0, 0, 50, 1),
                                       of_width(1, 1, std::numeric_limits<double>::infinity(), 1)};
  CHECK(next_refining(unknown, Numbers{0, 0}, 1000, 500)->group == 1);
}

TEST_CASE("a turn fits into what is left, and lasts as long as what it costs beside its samples") {
  const std::vector<Refinable> points{contested(0, 0, 1, 40, 2), contested(1, 0, 1, 20, 2)};
  const auto last = next_refining(points, Numbers{0}, 100, 33);
  REQUIRE(last);
  CHECK(last->seconds == Approx(33 - 1 - 2));
  const auto costly =
      next_refining(std::vector<Refinable>{contested(0, 0, 1, 0.5, 4)}, Numbers{0}, 100, 50);
  REQUIRE(costly);
  CHECK(costly->seconds == Approx(4));
}

TEST_CASE("no turn for a group that cannot be brought up in what is left, nor when the budget is used") {
  const std::vector<Refinable> points{contested(0, 0, 9, 1, 8), contested(1, 1, 1, 1, 1)};
  const auto cheaper = next_refining(points, Numbers{0, 0}, 100, 8);
  REQUIRE(cheaper);
  CHECK(cheaper->group == 1);
  CHECK_FALSE(next_refining(std::span(points).first(1), Numbers{0, 0}, 100, 8));
  CHECK_FALSE(next_refining(points, Numbers{0, 0}, 100, 2.9));
  CHECK_FALSE(next_refining({}, {}, 100, 50));
}

TEST_CASE("a point that is settled and within its target, or ended by its own cap, wants no turn") {
  Refinable capped = of_width(0, 0, 5, 1);
  capped.ended_early = false;
  const std::vector<Refinable> points{capped, of_width(1, 0, 0.9, 1)};
  CHECK_FALSE(next_refining(points, Numbers{0}, 100, 50));
}

TEST_CASE("all of a paired group take part") {
  std::vector<Refinable> points{of_width(0, 0, 0, 1), of_width(1, 0, 4, 1)};
  for (Refinable& point : points) point.paired = true;
  const auto step = next_refining(points, Numbers{0}, 100, 50);
  REQUIRE(step);
  CHECK(step->points == Numbers{0, 1});
}
