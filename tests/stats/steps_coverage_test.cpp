// How often changes are found where none is, missed where one is, and measured wrongly: seeded series of
// runs, counted. A count passes if the exact binomial interval of its rate (95 %) is on the right side.
#include <catch2/catch_test_macros.hpp>

#include "stats/steps.hpp"
#include "support/series.hpp"

#include <boost/math/distributions/binomial.hpp>

#include <cstdio>

using namespace benchctl::stats;
using namespace benchctl::test;

namespace {

using Binomial = boost::math::binomial_distribution<>;

double upper_rate(int count, int series) {
  return count == series ? 1 : Binomial::find_upper_bound_on_p(series, count, 0.025);
}
double lower_rate(int count, int series) {
  return count == 0 ? 0 : Binomial::find_lower_bound_on_p(series, count, 0.025);
}

/// Student's t with three degrees of freedom, with the normal distribution's median distance.
double heavy(Random& random) {
  double squares = 0;
  const double normal = random.normal();
  for (int i = 0; i < 3; ++i) {
    const double z = random.normal();
    squares += z * z;
  }
  return normal / std::sqrt(squares / 3) * (0.6745 / 0.7649);
}

/// Noise of log medians of runs; the spread is a share of the time.
std::vector<SeriesKind> noises() {
  const auto zero = [](double) { return 0.0; };
  return {
      {"normal", true, [](Random& r, double s, double, double&) { return s * r.normal(); }, zero},
      {"t, 3 degrees", true, [](Random& r, double s, double, double&) { return s * heavy(r); }, zero},
      {"5 % outliers of 20 %", true,
       [](Random& r, double s, double, double&) {
         const double value = s * r.normal();
         return value + (r.uniform() < 0.05 ? std::log(1.2) : 0);
       },
       zero},
      dependent_kind(0.5),
      dependent_kind(0.7),
  };
}
constexpr std::size_t claimed_noises = 4;  ///< all but the last

struct Shape {
  const char* name;
  std::size_t first;  ///< first changed value, of 20
  std::size_t end;
  double ratio;
};
constexpr std::size_t shape_length = 20;
constexpr std::array<Shape, 3> shapes{{{"+10 % in the last 6 of 20", 14, 20, 1.1},
                                       {"+20 % in the last 3 of 20", 17, 20, 1.2},
                                       {"+10 % in 6 of 20, and back", 7, 13, 1.1}}};

LevelChanges changes_at_5(const std::vector<double>& values) {
  return find_changes(values, std::vector<double>(values.size(), 0.0), 0.05);
}

struct Alarms {
  std::array<int, 3> steps{};  ///< p-value at most 5, 1, 0.1 %
  int trends = 0;
};

Alarms alarms(const SeriesKind& noise, std::size_t n, int series) {
  Alarms counted;
  for (int i = 0; i < series; ++i) {
    const LevelChanges found =
        changes_at_5(draw_series(noise, n, 0.02, static_cast<std::uint64_t>(i) * 7919 + n));
    double p = 1;
    for (const Step& step : found.steps) p = std::min(p, step.p_value);
    counted.steps[0] += found.steps.empty() ? 0 : 1;
    counted.steps[1] += p <= 0.01 ? 1 : 0;
    counted.steps[2] += p <= 0.001 ? 1 : 0;
    counted.trends += found.trend ? 1 : 0;
  }
  return counted;
}

struct Hits {
  int found = 0;
  int exact = 0;  ///< these steps and no other
  int covered = 0;
};

Hits hits(const SeriesKind& noise, const Shape& shape, double spread, int series) {
  Hits counted;
  const double shift = std::log(shape.ratio);
  for (int i = 0; i < series; ++i) {
    std::vector<double> values =
        draw_series(noise, shape_length, spread, static_cast<std::uint64_t>(i) * 104'729 + shape.first);
    for (std::size_t at = shape.first; at < shape.end; ++at) values[at] += shift;
    const LevelChanges found = changes_at_5(values);
    const std::size_t wanted = shape.end == shape_length ? 1 : 2;
    for (const Step& step : found.steps) {
      // A value of the noise may move the place by one.
      if (step.at + 1 < shape.first || step.at > shape.first + 1 || step.shift < 0) continue;
      ++counted.found;
      counted.exact += found.steps.size() == wanted ? 1 : 0;
      counted.covered += step.interval.low <= shift && shift <= step.interval.high ? 1 : 0;
      break;
    }
  }
  return counted;
}

struct Named {
  int drift = 0;
  int steps = 0;
  int covered = 0;
};

Named drifts(const SeriesKind& noise, std::size_t n, double shift, int series) {
  Named counted;
  for (int i = 0; i < series; ++i) {
    std::vector<double> values = draw_series(noise, n, 0.02, static_cast<std::uint64_t>(i) * 15'485 + n);
    for (std::size_t at = 0; at < n; ++at) {
      values[at] += shift * static_cast<double>(at) / static_cast<double>(n - 1);
    }
    const LevelChanges found = changes_at_5(values);
    counted.steps += found.steps.empty() ? 0 : 1;
    if (!found.trend) continue;
    ++counted.drift;
    counted.covered += found.trend->interval.low <= shift && shift <= found.trend->interval.high ? 1 : 0;
  }
  return counted;
}

double percent(int count, int series) { return 100.0 * count / series; }

}  // namespace

TEST_CASE("at most 5 % of series without a change get a step, and as many a trend") {
  for (std::size_t kind = 0; kind < claimed_noises; ++kind) {
    for (const std::size_t n : {std::size_t{8}, std::size_t{20}, std::size_t{40}}) {
      const int series = kind + 1 == claimed_noises ? 2000 : 500;  // rare with the others
      const SeriesKind noise = noises()[kind];
      const Alarms found = alarms(noise, n, series);
      CAPTURE(noise.name, n, found.steps[0], found.trends);
      CHECK(upper_rate(found.steps[0], series) <= 0.05);
      CHECK(upper_rate(found.trends, series) <= 0.05);
    }
  }
}

TEST_CASE("lasting steps and bumps are found in 95 % of series, at scatters of 1 and 2 %") {
  for (const Shape& shape : shapes) {
    for (const double spread : {0.01, 0.02}) {
      const int series = spread > 0.01 ? 2000 : 500;
      const Hits counted = hits(noises()[0], shape, spread, series);
      CAPTURE(shape.name, spread, counted.found, counted.exact);
      CHECK(lower_rate(counted.found, series) >= 0.95);
      CHECK(counted.exact >= 0.98 * counted.found);
    }
  }
}

TEST_CASE("intervals of steps that were found cover the true size") {
  for (const std::size_t kind : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
    for (const Shape& shape : shapes) {
      const SeriesKind noise = noises()[kind];
      const Hits counted = hits(noise, shape, 0.02, 1000);
      CAPTURE(noise.name, shape.name, counted.found, counted.covered);
      CHECK(lower_rate(counted.covered, counted.found) >= 0.93);
    }
  }
}

TEST_CASE("a drift of 20 % is called one in 95 % of series, and its interval covers it") {
  for (std::size_t kind = 0; kind < claimed_noises; ++kind) {
    constexpr int series = 500;
    const SeriesKind noise = noises()[kind];
    const Named counted = drifts(noise, 40, std::log(1.2), series);
    CAPTURE(noise.name, counted.drift, counted.steps, counted.covered);
    CHECK(lower_rate(counted.drift, series) >= 0.9);
    CHECK(counted.drift >= 0.95 * series);
    CHECK(lower_rate(counted.covered, counted.drift) >= 0.93);
  }
}

TEST_CASE("steps and drifts, with many series", "[full]") {
  constexpr int series = 10'000;
  std::printf("false alarms, per cent: steps at 5 %% / 1 %% / 0.1 %%, trends at 5 %%\n");
  for (const SeriesKind& noise : noises()) {
    std::printf("| %s", noise.name.c_str());
    for (const std::size_t n : {8U, 12U, 20U, 40U, 100U}) {
      const Alarms found = alarms(noise, n, series);
      std::printf(" | %.1f / %.1f / %.2f, %.1f", percent(found.steps[0], series),
                  percent(found.steps[1], series), percent(found.steps[2], series),
                  percent(found.trends, series));
    }
    std::printf(" |\n");
  }
  std::printf("found, exactly so, covered, per cent\n");
  for (const Shape& shape : shapes) {
    for (const double spread : {0.01, 0.02}) {
      std::printf("| %s | %.0f %%", shape.name, 100 * spread);
      for (const SeriesKind& noise : noises()) {
        const Hits counted = hits(noise, shape, spread, series);
        std::printf(" | %.1f, %.1f, %.1f", percent(counted.found, series), percent(counted.exact, series),
                    percent(counted.covered, counted.found));
      }
      std::printf(" |\n");
    }
  }
  std::printf("drift, steps, covered, per cent\n");
  for (const double ratio : {1.1, 1.2}) {
    for (const std::size_t n : {20U, 40U, 100U}) {
      std::printf("| +%.0f %% over %zu", 100 * (ratio - 1), n);
      for (const SeriesKind& noise : noises()) {
        const Named counted = drifts(noise, n, std::log(ratio), 2000);
        std::printf(" | %.1f, %.1f, %.1f", percent(counted.drift, 2000), percent(counted.steps, 2000),
                    percent(counted.covered, counted.drift));
      }
      std::printf(" |\n");
    }
  }
}
