#include <catch2/catch_test_macros.hpp>

#include "report/compare_side.hpp"

#include <cmath>
#include <limits>

using benchctl::Figures;

TEST_CASE("figures are kept by metric") {
  Figures figures{{"registers", 40}, {"occupancy", 0.5}};
  CHECK(figures.get("registers") == 40);
  CHECK(figures.get("occupancy") == 0.5);
  CHECK(std::isnan(figures.get("power")));
  CHECK_FALSE(figures.has("power"));
  figures.set("registers", 44);
  CHECK(figures.get("registers") == 44);
}

TEST_CASE("what is no figure of a metric is left out") {
  Figures figures;
  figures.set("tile", 16);
  figures.set("power", std::nan(""));
  figures.set("energy", std::numeric_limits<double>::infinity());
  CHECK_FALSE(figures.has("tile"));
  CHECK_FALSE(figures.has("power"));
  CHECK_FALSE(figures.has("energy"));
}
