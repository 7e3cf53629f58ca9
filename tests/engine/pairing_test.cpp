// Who is compared with whom, and what the rounds say of it.
#include "engine/pairing.hpp"
#include "support/catch.hpp"

#include <random>

using namespace benchctl;

namespace {

Point point(const std::string& variant, const std::string& device, Parameters tunables = {}) {
  Point made;
  made.workload = "matmul";
  made.variant = variant;
  made.device = device;
  made.tunables = std::move(tunables);
  return made;
}

struct Field {
  std::vector<Point> points;
  std::vector<bool> vendor;

  [[nodiscard]] std::vector<std::optional<std::size_t>> baselines(
      const CompareSettings& settings = {}) const {
    std::vector<PairCandidate> candidates;
    for (std::size_t i = 0; i < points.size(); ++i) {
      candidates.push_back({&points[i], DeviceType::cpu, static_cast<bool>(vendor[i])});
    }
    return choose_baselines(candidates, settings);
  }
};

using Choice = std::vector<std::optional<std::size_t>>;

RoundValues rounds(double base, double noise, std::uint64_t seed, std::uint64_t count) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, noise);
  RoundValues values;
  for (std::uint64_t round = 0; round < count; ++round) values[round] = base * std::exp(normal(random));
  return values;
}

}  // namespace

TEST_CASE("without a baseline the vendor's point of the device is it, else the first of the device") {
  const Field field{
      {point("naive", "a:0"), point("vendor", "a:0"), point("naive", "b:0"), point("fast", "b:0")},
      {false, true, false, false}};
  CHECK(field.baselines() == Choice{1, std::nullopt, std::nullopt, 2});
}

TEST_CASE("of several baselines the one with the same tunables is taken") {
  const std::int64_t one = 1;
  const std::int64_t two = 2;
  const Field field{
      {point("vendor", "a:0", {{"threads", one}}), point("vendor", "a:0", {{"threads", two}}),
       point("packed", "a:0", {{"threads", two}}), point("packed", "a:0", {{"threads", one}})},
      {true, true, false, false}};
  CHECK(field.baselines() == Choice{std::nullopt, std::nullopt, 1, 0});
}

TEST_CASE("a named baseline serves other devices too, but one of the same device is preferred") {
  const Field field{{point("vendor", "a:0"), point("tiled", "a:0"), point("vendor", "b:0"),
                     point("tiled", "b:0"), point("tiled", "c:0")},
                    {true, false, true, false, false}};
  CHECK(field.baselines({{{"variant", std::string("vendor")}}, 0.01}) ==
        Choice{std::nullopt, 0, std::nullopt, 2, 0});
  CHECK(field.baselines({{{"variant", std::string("none")}}, 0.01}) == Choice(5));
}

TEST_CASE("of the points of another device the one of the same variant is taken") {
  const std::int64_t one = 1;
  const std::int64_t two = 2;
  const Field field{{point("naive", "a:0", {{"tile", two}}), point("tiled", "a:0", {{"tile", one}}),
                     point("tiled", "a:0", {{"tile", two}}), point("naive", "b:0"),
                     point("tiled", "b:0", {{"tile", two}})},
                    std::vector<bool>(5, false)};
  CHECK(field.baselines({{{"device", std::string("a:0")}}, 0.01}) ==
        Choice{std::nullopt, std::nullopt, std::nullopt, 0, 2});
}

TEST_CASE(
    "a point is held against one of its own basis, and of its cache and launch mode if there is one") {
  Field field{{point("plain", "a:0"), point("plain", "a:0"), point("plain", "a:0"), point("plain", "b:0"),
               point("plain", "b:0"), point("plain", "b:0")},
              std::vector<bool>(6, false)};
  field.points[1].measure.basis = field.points[3].measure.basis = Basis::host_sync;
  field.points[2].measure.launch = field.points[4].measure.launch = LaunchMode::graph;
  field.points[5].measure.basis = Basis::end_to_end;
  CHECK(field.baselines({{{"device", std::string("a:0")}}, 0.01}) ==
        Choice{std::nullopt, std::nullopt, std::nullopt, 1, 2, std::nullopt});
}

TEST_CASE("a comparison uses the rounds that both have, and drift common to both cancels") {
  RoundValues baseline;
  RoundValues slower;
  for (std::uint64_t round = 0; round < 30; ++round) {
    const double drift = 1.0 + 0.1 * static_cast<double>(round);
    const double wiggle = round % 2 == 0 ? 1.001 : 0.999;
    if (round != 3) baseline[round] = 100 * drift;
    slower[round] = 105 * drift * wiggle;
  }
  const auto comparisons = compare_pairs(std::vector<Pair>{{&slower, &baseline, 0, "base"}}, 0.01);
  REQUIRE(comparisons.size() == 1);
  CHECK(comparisons[0].rounds == 29);
  CHECK(comparisons[0].time_ratio == Approx(1.05).epsilon(0.002));
  CHECK(comparisons[0].ci_low > 1.04);
  CHECK(comparisons[0].verdict == stats::Verdict::slower);
  CHECK(comparisons[0].label == "base");
}

TEST_CASE("few rounds prove little and many comparisons are judged more carefully") {
  const RoundValues base = rounds(100, 0.01, 1, 40);
  const RoundValues five = rounds(200, 0.01, 2, 5);
  const auto few = compare_pairs(std::vector<Pair>{{&five, &base, 0, "base"}}, 0.01);
  CHECK(few[0].rounds == 5);
  CHECK(few[0].ci_low < few[0].time_ratio / 1.1);  // five rounds prove little
  const RoundValues other = rounds(100, 0.01, 3, 40);
  std::vector<Pair> pairs(20, Pair{&other, &base, 0, "base"});
  const auto one = compare_pairs(std::vector<Pair>{pairs[0]}, 0.0);
  const auto many = compare_pairs(pairs, 0.0);
  CHECK(many[0].comparisons == 20);
  CHECK(many[0].ci_low < one[0].ci_low);  // the intervals hold together
}

TEST_CASE("twins in several processes are told apart no more often than stated") {
  constexpr int pairs = 1000;
  constexpr std::uint32_t replicates = 10;
  std::mt19937_64 random(7);
  std::normal_distribution<double> of_process(0, 0.01);
  std::normal_distribution<double> of_round(0, 0.002);
  int missed = 0;
  int called = 0;
  for (int i = 0; i < pairs; ++i) {
    RoundValues one;
    RoundValues other;
    for (std::uint32_t replicate = 0; replicate < replicates; ++replicate) {
      const double own = of_process(random);
      const double others = of_process(random);
      for (std::uint32_t round = 0; round < 15; ++round) {
        one[round_key(replicate, round)] = 100 * std::exp(own + of_round(random));
        other[round_key(replicate, round)] = 100 * std::exp(others + of_round(random));
      }
    }
    const auto comparison = compare_pairs(std::vector<Pair>{{&one, &other, 0, "twin"}}, 0.0).front();
    CHECK(comparison.rounds == 150);
    missed += comparison.ci_low > 1 || comparison.ci_high < 1 ? 1 : 0;
    called += comparison.verdict == stats::Verdict::slower || comparison.verdict == stats::Verdict::faster
                  ? 1
                  : 0;
  }
  CHECK(missed >= 3 * pairs / 100);
  CHECK(missed <= 8 * pairs / 100);
  CHECK(called <= 8 * pairs / 100);
}

TEST_CASE("a difference shows over the scatter between processes, and two processes show little") {
  const auto twins = [](std::uint32_t replicates) {
    RoundValues slow;
    RoundValues fast;
    for (std::uint32_t replicate = 0; replicate < replicates; ++replicate) {
      for (std::uint32_t round = 0; round < 12; ++round) {
        fast[round_key(replicate, round)] = 100 + replicate % 2;
        slow[round_key(replicate, round)] = 110;
      }
    }
    return compare_pairs(std::vector<Pair>{{&slow, &fast, 0, "fast"}}, 0.01).front();
  };
  CHECK(twins(6).verdict == stats::Verdict::slower);
  CHECK(twins(6).ci_low > 1.08);
  CHECK(twins(6).ci_high < 1.12);
  CHECK(twins(2).ci_high - twins(2).ci_low > 0.1);
}

TEST_CASE("rounds end by what the last process shows") {
  RoundValues base = rounds(100, 0.001, 1, 100);
  RoundValues twin = rounds(100, 0.001, 2, 100);
  const double narrow = ratio_half_width({&twin, &base, 0, ""});
  base[round_key(1, 0)] = twin[round_key(1, 0)] = 100;
  CHECK(ratio_half_width({&twin, &base, 0, ""}) > 10 * narrow);
  for (std::uint32_t round = 0; round < 12; ++round) {
    base[round_key(1, round)] = round % 2 == 0 ? 100 : 104;
    twin[round_key(1, round)] = round % 3 == 0 ? 100 : 105;
  }
  CHECK(ratio_half_width({&twin, &base, 0, ""}) > 2 * narrow);
}

TEST_CASE("rounds end when the verdict is clear, or the interval a third of the threshold") {
  // Half of the interval is some 0.6 % of a ratio of 1.01: neither the same nor different by the threshold.
  const RoundValues base = rounds(1000, 0.012, 1, 60);
  const RoundValues near = rounds(1010, 0.012, 2, 60);
  const double width = ratio_half_width({&near, &base, 0, ""});
  CHECK(width > 0.004);
  CHECK(width < 0.01);
  CHECK_FALSE(ratio_is_known({&near, &base, 0, ""}, 0.01, 0.01, 1));
  CHECK(ratio_is_known({&near, &base, 0, ""}, 0.01, 3 * width, 1));
  CHECK(
      ratio_is_known({&near, &base, 0, ""}, 0.01, 0, 1));  // every difference matters: by the target alone
  const RoundValues slow = rounds(1100, 0.012, 2, 60);
  CHECK(ratio_is_known({&slow, &base, 0, ""}, 0.01, 0.01, 1));
}

TEST_CASE("rounds go on until there is an interval at the level of the verdicts") {
  // Of 104 comparisons each takes 1 − 0.025/104: 14 rounds at least, and the rounds end at the first look
  // after which all of 104 exact halves are called faster.
  const RoundValues base = rounds(200, 0.0001, 1, 40);
  const RoundValues half = rounds(100, 0.0001, 2, 40);
  RoundValues first_base(base.begin(), std::next(base.begin(), 13));
  RoundValues first_half(half.begin(), std::next(half.begin(), 13));
  CHECK_FALSE(ratio_is_known({&first_half, &first_base, 0, ""}, 0.01, 0.01, 104));
  CHECK(ratio_is_known({&first_half, &first_base, 0, ""}, 0.01, 0.01, 1));
  CHECK(ratio_is_known({&half, &base, 0, ""}, 0.01, 0.01, 104));
  const std::vector<Pair> pairs(104, Pair{&half, &base, 0, "base"});
  for (const Comparison& comparison : compare_pairs(pairs, 0.01))
    CHECK(comparison.verdict == stats::Verdict::faster);
}

TEST_CASE("points that are compared hold equally many executions in a sample") {
  using Batches = std::vector<Batch>;
  using Counts = std::vector<std::uint32_t>;
  CHECK(equal_batches(Batches{}).empty());
  CHECK(equal_batches(Batches{{15, 30}, {9, 30}, {4, 30}}) == Counts{15, 15, 15});
  // One that lasts much longer has long samples anyway.
  CHECK(equal_batches(Batches{{28, 30}, {6, 30}, {7, 30}}) == Counts{28, 6, 28});
  // Of two devices the one that queues fewer decides.
  CHECK(equal_batches(Batches{{57, 1024}, {28, 30}}) == Counts{30, 30});
  CHECK(equal_batches(Batches{{100, 1024}, {60, 1024}, {30, 30}}) == Counts{30, 30, 30});
  // A simulator takes one execution at a time: nothing can be made equal to that.
  CHECK(equal_batches(Batches{{57, 1024}, {28, 30}, {1, 1}}) == Counts{30, 30, 1});
  CHECK(equal_batches(Batches{{4000, 100000}, {30, 30}}) == Counts{4000, 30});
}
