// Coverage of intervals by simulation, and that the simulation itself is right.
#include "selftest/coverage.hpp"
#include "selftest/checks.hpp"
#include "stats/summary.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::selftest;

TEST_CASE("every kind of series has the median that it says") {
  for (const SeriesKind& kind : series_kinds()) {
    if (kind.name == "clusters") continue;  // the median is anything between its states
    RandomNumbers random(7);
    std::vector<double> series(400'001);
    kind.draw(random, series);
    INFO(kind.name);
    CHECK(std::abs(stats::median(series) / kind.median - 1) < 0.0008);
  }
}

TEST_CASE("intervals cover the true median as often as they say, stop rule included") {
  const std::vector<Finding> findings = check_coverage(false);
  CHECK(findings.size() == 4 * series_kinds().size());
  std::size_t shown = 0;
  for (const Finding& finding : findings) {
    INFO(finding.what << ": expected " << finding.expected << ", found " << finding.found);
    CHECK(finding.outcome != selftest::Outcome::fail);
    // Where nothing is promised, figures are shown and nothing is asked of them.
    if (finding.outcome != selftest::Outcome::shown) continue;
    ++shown;
    // Why nothing is promised: blocks are as much alike as samples.
    if (finding.what.starts_with("autoregression 0.95")) CHECK(finding.figures.at("covered") < 0.9);
  }
  CHECK(shown == 4 * 7);  // three kinds are continuous and independent
}
