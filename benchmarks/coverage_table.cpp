// How often intervals and verdicts are right, counted on synthetic series of known truth that go through
// the program's own code: docs/statistics.md has what it prints.
//
//   coverage_table [SERIES]     default 1000 for each figure; the same numbers give the same counts
#include "engine/pairing.hpp"
#include "engine/sampling.hpp"
#include "stats/between_runs.hpp"
#include "stats/dependence.hpp"
#include "stats/multiplicity.hpp"
#include "stats/steps.hpp"
#include "stats/verdict.hpp"
#include "support/series.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <utility>

namespace {

using namespace benchctl;
using test::Random;
using test::SeriesKind;

struct Count {
  std::size_t hits = 0;
  std::size_t of = 0;

  void add(bool hit) {
    hits += hit ? 1 : 0;
    ++of;
  }
  [[nodiscard]] std::string text() const {
    if (of == 0) return "–";
    return fmt::format("{:.1f} % ({} of {})", 100.0 * static_cast<double>(hits) / static_cast<double>(of),
                       hits, of);
  }
};

bool holds(const stats::Interval& interval, double value) {
  return interval.low <= value && value <= interval.high;
}

std::uint64_t seed_of(std::size_t number) { return number * 7919 + 1; }

/// So many samples, without a rule that looks at them.
void fixed_numbers(std::size_t series) {
  constexpr double spread = 0.03;
  constexpr std::array<std::size_t, 6> lengths{8, 20, 30, 100, 300, 1000};
  fmt::print("Intervals of so many samples that hold the median:\n\n| kind |");
  for (const std::size_t n : lengths) fmt::print(" n = {} |", n);
  fmt::print("\n| --- |");
  for (std::size_t i = 0; i < lengths.size(); ++i) fmt::print(" --- |");
  fmt::print("\n");
  for (const SeriesKind& kind : test::series_kinds()) {
    if (kind.name == "drifting") continue;  // has no median of its own
    fmt::print("| {} |", kind.name);
    for (const std::size_t n : lengths) {
      Count covered;
      for (std::size_t i = 0; i < series; ++i) {
        const std::vector<double> samples = test::draw_series(kind, n, spread, seed_of(i) + n);
        const stats::Interval interval =
            stats::dependent_median_interval(samples, stats::median_dependence(samples));
        if (interval.known()) covered.add(holds(interval, kind.true_median(spread)));
      }
      fmt::print(" {} |", covered.text());
    }
    fmt::print("\n");
  }
  fmt::print("\n");
}

/// What asking for a block costs beside its samples.
constexpr double block_seconds = 0.0005;

/// What a point goes through: warming up, rounds, the rule.
Measurement measured(const SeriesKind& kind, double spread, std::uint64_t seed, double sample_ns) {
  MeasureSettings settings;
  settings.max_seconds = 1e6;
  DeviceInfo device;
  device.timer_step_ns = 1;
  device.max_batch = 1;
  PointSampler sampler(settings, device, false);
  sampler.executed_once(sample_ns);
  Random random(seed);
  double state = 0;
  while (!sampler.done()) {
    const SampleRequest request = sampler.next();
    SampleBlock block;
    block.batch = request.batch;
    for (std::uint32_t i = 0; i < request.count; ++i) {
      block.ns.push_back(sample_ns * kind.draw(random, spread, 0, state));
    }
    sampler.accept(block, block_seconds + sample_ns * 1e-9 * request.count);
  }
  return sampler.measurement();
}

void stop_rule(std::size_t series) {
  fmt::print(
      "Points that end by the stop rule (target 1 %, scatter 3 %, at most 10,000 samples, 0.5 ms for a "
      "block): intervals that hold the median among those that are claimed, points without a claim, "
      "samples in the mean.\n\n"
      "| kind | samples of 20 µs: held | not claimed | samples | of 1 ms: held | not claimed | samples |\n"
      "| --- | --- | --- | ---: | --- | --- | ---: |\n");
  std::vector<std::pair<std::string, SeriesKind>> kinds;
  for (const SeriesKind& kind : test::series_kinds()) {
    if (kind.name != "drifting") kinds.emplace_back(kind.name, kind);
  }
  for (const double rho : {0.3, 0.7, 0.95}) {
    kinds.emplace_back(fmt::format("autoregression, ρ = {}", rho), test::dependent_kind(rho));
  }
  for (const double stay : {5.0, 50.0}) {
    kinds.emplace_back(fmt::format("two states, mean stay {}", stay), test::two_state_kind(stay));
  }
  for (const auto& [name, kind] : kinds) {
    fmt::print("| {} |", name);
    // Two states a tenth apart scatter enough by themselves.
    const double spread = kind.name == "two states" ? 0.005 : 0.03;
    for (const double sample_ns : {2e4, 1e6}) {
      Count covered;
      Count silent;
      double samples = 0;
      for (std::size_t i = 0; i < series; ++i) {
        const Measurement point = measured(kind, spread, seed_of(i), sample_ns);
        const stats::Interval interval{point.ci_low_ns, point.ci_high_ns};
        silent.add(!interval.known());
        if (interval.known()) covered.add(holds(interval, sample_ns * kind.true_median(spread)));
        samples += static_cast<double>(point.n_samples);
      }
      fmt::print(" {} | {} | {:.0f} |", covered.text(), silent.text(),
                 samples / static_cast<double>(series));
    }
    fmt::print("\n");
  }
  fmt::print("\n");
}

/// A clock that comes down: times rise by 10 % over so many seconds, then stay.
void ramps(std::size_t series) {
  fmt::print(
      "Times that rise by 10 % within the first seconds, then stay (samples of 1 ms, scatter 0.5 %): "
      "intervals "
      "that hold the final level.\n\n| rises for | held | bias in the median |\n| --- | --- | ---: |\n");
  for (const double rise : {0.05, 0.1, 0.3, 1.0}) {
    Count covered;
    std::vector<double> biases;
    for (std::size_t i = 0; i < series; ++i) {
      MeasureSettings settings;
      DeviceInfo device;
      device.timer_step_ns = 1;
      device.max_batch = 1;
      PointSampler sampler(settings, device, false);
      sampler.executed_once(0.9e6);
      Random random(seed_of(i));
      double now = 0.001;
      while (!sampler.done()) {
        const SampleRequest request = sampler.next();
        SampleBlock block;
        block.batch = request.batch;
        double passed = 0;
        for (std::uint32_t k = 0; k < request.count; ++k) {
          const double level = 1 - 0.1 * std::max(0.0, 1 - (now + passed) / rise);
          block.ns.push_back(1e6 * level * (1 + 0.005 * random.normal()));
          passed += block.ns.back() * 1e-9;
        }
        now += passed;
        now += block_seconds;
        sampler.accept(block, block_seconds + passed);
      }
      const Measurement point = sampler.measurement();
      const stats::Interval interval{point.ci_low_ns, point.ci_high_ns};
      if (interval.known()) covered.add(holds(interval, 1e6));
      biases.push_back(point.median_ns / 1e6 - 1);
    }
    fmt::print("| {} s | {} | {:.1f} % |\n", rise, covered.text(), 100 * stats::median(biases));
  }
  fmt::print("\n");
}

/// Rounds of two variants in one process.
void pairs(std::size_t series) {
  fmt::print(
      "Pairs of one process, rounds of scatter 1 % with neighbours that correlate, until they end (target "
      "and threshold 1 %, at most 2,000 rounds):\n\n"
      "| ρ | equal: called different | called the same | 2 % slower: called slower |\n"
      "| ---: | --- | --- | --- |\n");
  const auto verdict = [](double slowdown, double rho, std::uint64_t seed) {
    Random random(seed);
    const SeriesKind kind = test::dependent_kind(rho);
    double state = 0;
    RoundValues point;
    RoundValues baseline;
    std::size_t next_look = 20;
    for (std::uint32_t round = 0; round < 2000; ++round) {
      baseline[round_key(0, round)] = 1000;
      point[round_key(0, round)] = 1000 * slowdown * kind.draw(random, 0.01, 0, state);
      if (round + 1 < next_look) continue;
      next_look += next_look / 2;
      if (ratio_is_known({&point, &baseline, ""}, 0.01, 0.01, 1)) break;
    }
    const Pair pair{&point, &baseline, ""};
    return compare_pairs({&pair, 1}, 0.01).front().verdict;
  };
  for (const double rho : {0.0, 0.3, 0.7}) {
    Count different;
    Count same;
    Count slower;
    for (std::size_t i = 0; i < series; ++i) {
      const std::string equal = verdict(1, rho, seed_of(i));
      different.add(equal == "faster" || equal == "slower");
      same.add(equal == "same");
      slower.add(verdict(1.02, rho, seed_of(i) + 1) == "slower");
    }
    fmt::print("| {} | {} | {} | {} |\n", rho, different.text(), same.text(), slower.text());
  }
  fmt::print("\n");
}

/// Rounds of twins in several processes, each of which moves the ratio for good.
void processes(std::size_t series) {
  fmt::print(
      "Twins whose processes differ by 1 %, 20 rounds each of scatter 0.5 %:\n\n"
      "| replicates | intervals that miss 1 |\n| ---: | --- |\n");
  for (const std::uint32_t replicates : {2U, 5U, 10U}) {
    Count missed;
    for (std::size_t i = 0; i < series; ++i) {
      Random random(seed_of(i));
      RoundValues point;
      RoundValues baseline;
      for (std::uint32_t replicate = 0; replicate < replicates; ++replicate) {
        const double effect = std::exp(0.01 * random.normal());
        for (std::uint32_t round = 0; round < 20; ++round) {
          baseline[round_key(replicate, round)] = 1000;
          point[round_key(replicate, round)] = 1000 * effect * std::exp(0.005 * random.normal());
        }
      }
      const Pair pair{&point, &baseline, ""};
      const Comparison comparison = compare_pairs({&pair, 1}, 0.01).front();
      missed.add(!holds({comparison.ci_low, comparison.ci_high}, 1));
    }
    fmt::print("| {} | {} |\n", replicates, missed.text());
  }
  fmt::print("\n");
}

/// Two runs of 19 points: is any called different at the level of all?
bool any_differs(Random& random, std::size_t runs, double slowdown) {
  constexpr std::size_t points = 19;
  std::vector<stats::RunSpread> spreads;
  std::vector<double> ratios;
  for (std::size_t point = 0; point < points; ++point) {
    const double deviation = 0.01 * std::exp(0.5 * random.normal());
    std::vector<stats::RunMedian> medians(runs + 1);
    for (stats::RunMedian& median : medians) median.log_median = deviation * random.normal();
    spreads.push_back(stats::successive_spread(medians));
    const double shift = point == 0 ? std::log(slowdown) : 0;
    ratios.push_back(std::exp(shift + deviation * random.normal() - medians.back().log_median));
  }
  const double level = stats::bonferroni_confidence(0.95, points);
  const std::vector<stats::RunSpread> common = stats::moderated(spreads);
  const std::size_t judged = slowdown > 1 ? 1 : points;
  for (std::size_t i = 0; i < judged; ++i) {
    const stats::RatioEstimate within{0, ratios[i], {ratios[i], ratios[i]}, 1};
    const stats::RatioEstimate ratio{0, ratios[i], stats::with_spread(within, common[i], 1, 1, level), 1};
    const stats::Verdict verdict = stats::judge(ratio, 0.01);
    if (verdict == stats::Verdict::slower || verdict == stats::Verdict::faster) return true;
  }
  return false;
}

void runs(std::size_t series) {
  fmt::print(
      "Two runs of 19 points whose spreads between processes are 0.3 to 3 %, known from other runs:\n\n"
      "| other runs | equal: any called different | one 10 % slower: found |\n| ---: | --- | --- |\n");
  for (const std::size_t others : {std::size_t{4}, std::size_t{6}, std::size_t{12}, std::size_t{20}}) {
    Count alarms;
    Count found;
    for (std::size_t i = 0; i < series; ++i) {
      Random equal(seed_of(i));
      alarms.add(any_differs(equal, others, 1));
      Random planted(seed_of(i) + 1);
      found.add(any_differs(planted, others, 1.1));
    }
    fmt::print("| {} | {} | {} |\n", others, alarms.text(), found.text());
  }
  fmt::print("\n");
}

void history(std::size_t series) {
  fmt::print(
      "Histories of 20 runs, scatter 2 %, neighbours correlate by ρ:\n\n"
      "| ρ | tested at | false step | false drift | +10 % in the last 6: step found | step or drift |\n"
      "| ---: | ---: | --- | --- | --- | --- |\n");
  // At ρ = 0.5 also what more steps found would cost.
  constexpr std::array<std::pair<double, double>, 5> cases{
      {{0.0, 0.05}, {0.5, 0.05}, {0.5, 0.1}, {0.5, 0.2}, {0.7, 0.05}}};
  for (const auto& [rho, level] : cases) {
    Count steps;
    Count drifts;
    Count found;
    Count told;
    for (std::size_t i = 0; i < series; ++i) {
      std::vector<double> values = test::draw_series(test::dependent_kind(rho), 20, 0.02, seed_of(i));
      const std::vector<double> errors(values.size(), 0.0);
      const stats::LevelChanges none = stats::find_changes(values, errors, level);
      steps.add(!none.steps.empty());
      drifts.add(none.trend.has_value());
      for (std::size_t at = 14; at < values.size(); ++at) values[at] += 0.1;
      const stats::LevelChanges changes = stats::find_changes(values, errors, level);
      found.add(!changes.steps.empty());
      told.add(!changes.steps.empty() || changes.trend.has_value());
    }
    fmt::print("| {} | {:g} % | {} | {} | {} | {} |\n", rho, 100 * level, steps.text(), drifts.text(),
               found.text(), told.text());
  }
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const long asked = argc > 1 ? std::atol(argv[1]) : 1000;
  if (asked < 1) {
    fmt::print(stderr, "coverage_table: '{}' is no number of series\n", argv[1]);
    return 2;
  }
  const auto series = static_cast<std::size_t>(asked);
  fixed_numbers(series);
  stop_rule(series);
  ramps(series);
  pairs(series);
  processes(series);
  runs(series);
  history(series);
}
