// Pairs of points: which they are, what is said of them, and when nothing may be said.
#include "report/compare.hpp"
#include "report/compared_sides.hpp"
#include "report/format.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("ratio and interval of a pair are those of independent medians") {
  const CompareSide base = side_with({point_with("tiled", 100, 98, 102)});
  const CompareSide fresh = side_with({point_with("tiled", 110, 108, 113)});
  const CompareResult result = compare_within(base, fresh, {});
  REQUIRE(result.pairs.size() == 1);
  const ComparedPair& pair = result.pairs[0];
  CHECK(result.comparisons == 1);
  CHECK_THAT(pair.ratio, WithinRel(1.1, 1e-12));
  const double down = std::hypot(std::log(110.0 / 108), std::log(102.0 / 100));
  const double up = std::hypot(std::log(113.0 / 110), std::log(100.0 / 98));
  CHECK_THAT(pair.interval.low, WithinRel(1.1 * std::exp(-down), 1e-12));
  CHECK_THAT(pair.interval.high, WithinRel(1.1 * std::exp(up), 1e-12));
  CHECK(pair.joint_interval.low == pair.interval.low);
  CHECK(pair.outcome == PairOutcome::slower);
  CHECK(pair.fails);
  CHECK(result.verdict == GateVerdict::regressed);
  CHECK(verdict_text(result) == "regressed: 1 slower");
  // The other way round it is faster by the same factor.
  const CompareResult back = compare_within(fresh, base, {});
  CHECK_THAT(back.pairs[0].ratio, WithinRel(1 / 1.1, 1e-12));
  CHECK_THAT(back.pairs[0].interval.high, WithinRel(1 / pair.interval.low, 1e-12));
  CHECK(back.pairs[0].outcome == PairOutcome::faster);
  CHECK(back.verdict == GateVerdict::fine);
}

TEST_CASE("with several pairs the outcome stands on wider intervals") {
  // Alone 3 % would be shown; of four it is not.
  const auto points = [](double median) {
    std::vector<ComparedPoint> all;
    for (const char* variant : {"a", "b", "c", "d"}) all.push_back(point_with(variant, 100, 99.9, 100.1));
    all[0] = point_with("a", median, median * 0.985, median * 1.015);
    return all;
  };
  const CompareResult result =
      compare_within(side_with(points(100)), side_with(points(102.5)), {.threshold = 0.01});
  CHECK(result.comparisons == 4);
  const ComparedPair& pair = result.pairs[0];
  CHECK(pair.interval.low > 1.0);
  CHECK(pair.joint_interval.low < 1.0);
  CHECK(pair.outcome == PairOutcome::not_resolved);
  CHECK(result.verdict == GateVerdict::fine);  // nobody asked for more
  // Student's t with nine degrees of freedom (ten blocks): 3.11093 for 0.05 / 4, two-sided, 2.26216 for
  // 0.05.
  const double factor = 3.110934823 / 2.262157163;
  const double down = std::hypot(factor * std::log(1 / 0.985), factor * std::log(1.015));
  CHECK_THAT(pair.joint_interval.low, WithinRel(1.025 * std::exp(-down), 1e-6));
  const CompareResult alone =
      compare_within(side_with({points(100)[0]}), side_with({points(102.5)[0]}), {.threshold = 0.01});
  CHECK(alone.pairs[0].outcome == PairOutcome::slower);
}

TEST_CASE("a planted slowdown of 3 % is found among many that are the same") {
  std::vector<ComparedPoint> before;
  std::vector<ComparedPoint> after;
  for (int i = 0; i < 40; ++i) {
    before.push_back(sampled_point("v" + std::to_string(i), 1000, 0.004));
    after.push_back(sampled_point("v" + std::to_string(i), i == 17 ? 1030 : 1000, 0.004));
  }
  const CompareResult result = compare_within(side_with(before), side_with(after), {});
  CHECK(result.pairs[17].outcome == PairOutcome::slower);
  CHECK(result.all.counts.at(PairOutcome::slower) == 1);
  CHECK(result.all.counts.at(PairOutcome::same) == 39);
  CHECK(result.verdict == GateVerdict::regressed);
}

TEST_CASE("what scatters between processes is in the interval") {
  ComparedPoint before = sampled_point("v", 100, 0.001);
  ComparedPoint after = sampled_point("v", 103, 0.001);
  ComparedPoint other = sampled_point("w", 100, 0.001);
  CHECK(outcomes_of(compare_within(side_with({before, other}), side_with({after, other}), {})) ==
        "slower same");
  // The same samples, but processes of base differ by more than that.
  before.samples = {sampled_point("v", 97, 0.001).samples[0], sampled_point("v", 100, 0.001).samples[0],
                    sampled_point("v", 104, 0.001).samples[0]};
  CHECK(outcomes_of(compare_within(side_with({before, other}), side_with({after, other}), {})) ==
        "not_resolved same");
}

TEST_CASE("a single sample resolves nothing, and says so") {
  ComparedPoint single = point_with("v", 100, no_number, no_number);
  single.measurement->n_samples = 1;
  single.samples = {{100}};
  const CompareSide base = side_with({single, sampled_point("w", 100, 0.001)});
  const CompareResult result = compare_within(base, base, {});
  CHECK(outcomes_of(result) == "not_resolved same");
  CHECK(result.pairs[0].reason == "a single sample on one side: nothing is known of its scatter");
}

TEST_CASE("what became of points decides where times do not") {
  const CompareSide base = side_with(
      {sampled_point("wrong", 1, 0), sampled_point("crash", 1, 0), sampled_point("gone", 1, 0),
       sampled_point("skip", 1, 0), without_time("repaired", Status::timeout, "slow"),
       without_time("none", Status::skipped, ""), without_time("unruled", Status::skipped, "no device")});
  const CompareSide fresh = side_with(
      {without_time("wrong", Status::wrong, "C[3, 7]"), without_time("crash", Status::crashed, "signal 11"),
       without_time("skip", Status::skipped, "limit"), sampled_point("repaired", 1, 0),
       without_time("none", Status::compile_error, ""), sampled_point("unruled", 1, 0),
       sampled_point("fresh", 1, 0)});
  const CompareResult result = compare_within(base, fresh, {});
  CHECK(outcomes_of(result) == "wrong failed missing missing repaired untimed added added");
  CHECK(result.pairs[0].reason == "wrong: C[3, 7]");
  CHECK(result.pairs[1].reason == "crashed: signal 11");
  CHECK(result.pairs[3].reason == "skipped: limit");
  CHECK(result.pairs[4].reason == "base: timeout: slow");
  CHECK(result.pairs[7].fresh_point == &fresh.points[6]);
  CHECK(result.pairs[7].base_point == nullptr);
  CHECK(result.pairs[0].fails);
  CHECK(result.pairs[1].fails);
  CHECK_FALSE(result.pairs[2].fails);
  CHECK(result.verdict == GateVerdict::regressed);
  CHECK(result.comparisons == 0);
}

TEST_CASE("points are paired by all that makes them the same, in any order") {
  const auto varied = [](const auto& change) {
    ComparedPoint point = sampled_point("v", 100, 0.001);
    change(point.row.point);
    return point;
  };
  const std::vector<ComparedPoint> points{
      varied([](Point&) {}),
      varied([](Point& p) { p.workload = "copy"; }),
      varied([](Point& p) { p.problem.set("n", std::int64_t{65}); }),
      varied([](Point& p) { p.layout = "soa"; }),
      varied([](Point& p) { p.tunables.set("tile", std::int64_t{8}); }),
      varied([](Point& p) { p.measure.cache = CacheMode::cold; }),
      varied([](Point& p) { p.measure.launch = LaunchMode::graph; }),
      varied([](Point& p) { p.measure.basis = Basis::end_to_end; }),
      varied([](Point& p) { p.variant = "w"; }),
  };
  std::vector<ComparedPoint> turned(points.rbegin(), points.rend());
  // How long was measured makes no other point.
  turned.back().row.point.measure.max_seconds = 99;
  const CompareSide base = side_with(points);
  const CompareSide fresh = side_with(turned);
  const CompareResult result = compare_within(base, fresh, {});
  REQUIRE(result.pairs.size() == points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    CHECK(result.pairs[i].base_point == &base.points[i]);
    CHECK(result.pairs[i].fresh_point == &fresh.points[points.size() - 1 - i]);
    CHECK(result.pairs[i].outcome == PairOutcome::same);
  }
  // One that is there twice has two partners.
  const CompareResult twice =
      compare_within(side_with({points[0], points[0]}), side_with({points[0], points[0], points[0]}), {});
  CHECK(outcomes_of(twice) == "same same added");
}

TEST_CASE("devices are found again by identity, by place, by product") {
  const auto with_uuid = [](const std::string& lane, const std::string& name, const std::string& uuid) {
    Lane made = lane_of(lane, name);
    made.device.properties["uuid"] = uuid;
    return made;
  };
  const auto pairs = [](const std::vector<Lane>& base, const std::vector<Lane>& fresh) {
    std::string text;
    for (const ComparedLane& lane : match_lanes({{}, base}, {{}, fresh}))
      text += lane.base + '-' + lane.fresh + ' ';
    return text;
  };
  // The same cards in another order.
  CHECK(pairs({with_uuid("gpu:0", "Card", "a"), with_uuid("gpu:1", "Card", "b")},
              {with_uuid("gpu:0", "Card", "b"), with_uuid("gpu:1", "Card", "a")}) ==
        "gpu:0-gpu:1 gpu:1-gpu:0 ");
  // Other cards of the product.
  CHECK(pairs({with_uuid("gpu:0", "Card", "a")}, {with_uuid("gpu:1", "Card", "c")}) == "gpu:0-gpu:1 ");
  CHECK(pairs({lane_of("gpu:0", "Card")}, {lane_of("gpu:1", "Card"), lane_of("gpu:0", "Card")}) ==
        "gpu:0-gpu:0 -gpu:1 ");
  // Another product in the same place is told, not compared.
  const auto lanes = match_lanes({{}, {lane_of("gpu:0", "Card")}}, {{}, {lane_of("gpu:0", "Other")}});
  REQUIRE(lanes.size() == 1);
  CHECK(lanes[0].verdict == Comparability::not_comparable);
  CHECK_THAT(lanes[0].reasons.at(0), ContainsSubstring("another product"));
  CHECK(pairs({lane_of("gpu:0", "Card")}, {lane_of("cpu:0", "Card")}) == "gpu:0- -cpu:0 ");
}

TEST_CASE("conditions that differ forbid a comparison or go with it") {
  const auto compared = [](const std::string& cpu, const std::string& kernel, DeviceType type,
                           Basis basis) {
    ComparedPoint point = sampled_point("v", 100, 0.001);
    point.row.point.measure.basis = basis;
    const std::vector<Lane> lanes{lane_of("gpu:0", "Card", type)};
    const CompareSide base = side_with({point}, lanes);
    CompareSide fresh = side_with({point}, lanes);
    fresh.circumstances.environment.entries[0].value = cpu;
    fresh.circumstances.environment.entries[1].value = kernel;
    const CompareResult result = compare_within(base, fresh, {});
    return outcomes_of(result) + (result.pairs[0].with_warnings ? " warned " : " ") +
           result.pairs[0].reason;
  };
  CHECK(compared("x", "6", DeviceType::gpu, Basis::device) == "same ");
  CHECK(compared("x", "7", DeviceType::gpu, Basis::device) == "same warned ");
  CHECK(compared("y", "6", DeviceType::gpu, Basis::device) == "same warned ");
  CHECK_THAT(compared("y", "6", DeviceType::cpu, Basis::device),
             HasAll({"not_comparable", "cpu.model differs (x / y): another processor"}));
  CHECK_THAT(compared("y", "6", DeviceType::gpu, Basis::end_to_end),
             HasAll({"not_comparable", "timed by the host's clock"}));
}

TEST_CASE("two runs with nothing in common are not comparable") {
  const CompareSide one = side_with({sampled_point("v", 100, 0.001)});
  const CompareSide other = side_with({sampled_point("w", 100, 0.001)});
  const CompareResult result = compare_within(one, other, {});
  CHECK(outcomes_of(result) == "missing added");
  CHECK(result.verdict == GateVerdict::not_comparable);
  CHECK_THAT(verdict_text(result), ContainsSubstring("no point in common"));
  const CompareSide none = side_with({});
  CHECK(compare_within(none, none, {}).verdict == GateVerdict::not_comparable);
  CHECK(std::isnan(compare_within(none, none, {}).all.mean.ratio));
}

TEST_CASE("the summary is the geometric mean, for each workload and all") {
  std::vector<ComparedPoint> before;
  std::vector<ComparedPoint> after;
  const auto add = [&](const std::string& workload, const std::string& variant, double ratio) {
    for (auto* side : {&before, &after}) {
      ComparedPoint point = point_with(variant, side == &after ? 100 * ratio : 100, 99, 101);
      point.row.point.workload = workload;
      side->push_back(point);
    }
  };
  add("copy", "a", 2);
  add("copy", "b", 0.5);
  add("matmul", "a", 4);
  const CompareResult result = compare_within(side_with(before), side_with(after), {});
  REQUIRE(result.workloads.size() == 2);
  CHECK(result.workloads[0].workload == "copy");
  CHECK_THAT(result.workloads[0].mean.ratio, WithinRel(1.0, 1e-12));
  // Student's t with one degree of freedom: 12.7062 standard errors of ln 2.
  CHECK_THAT(result.workloads[0].mean.interval.high, WithinRel(std::exp(12.706204736 * std::log(2)), 1e-6));
  CHECK(result.workloads[1].mean.n == 1);
  CHECK_FALSE(result.workloads[1].mean.interval.known());
  CHECK_THAT(result.all.mean.ratio, WithinRel(std::cbrt(4.0), 1e-12));
  CHECK(result.all.mean.n == 3);
}

TEST_CASE("words that look like other parameters make no pair") {
  ComparedPoint one = sampled_point("v", 100, 0.001);
  ComparedPoint other = one;
  one.row.point.tunables = {{"a", std::string("x b=y")}, {"b", std::string("z")}};
  other.row.point.tunables = {{"a", std::string("x")}, {"b", std::string("y b=z")}};
  CHECK(outcomes_of(compare_within(side_with({one}), side_with({other}), {})) == "missing added");
}

namespace {

/// A point whose processes have these medians.
ComparedPoint in_processes(const std::string& variant, const std::vector<double>& medians) {
  ComparedPoint point = point_with(variant, medians.front(), medians.front(), medians.front());
  for (const double median : medians) point.samples.push_back({median, median, median});
  return point;
}

CompareResult in_turns(const CompareSide& base, const CompareSide& fresh, std::vector<std::size_t> looks,
                       bool together = false) {
  CompareOptions options;
  options.turns.emplace();
  options.turns->looks = std::move(looks);
  options.turns->seconds = 9;
  options.turns->together = together;
  options.turns->machine = "load 4.0 on 2 cores";
  options.base_must_work = true;
  return compare_runs(base, fresh, options);
}

}  // namespace

TEST_CASE("runs in turns are compared process by process") {
  // What a pair has in common cancels: processes scatter by 30 %, ratios by 0.1 %.
  const std::vector<double> before{100, 130, 90, 110, 120};
  std::vector<double> now;
  for (std::size_t i = 0; i < before.size(); ++i)
    now.push_back(before[i] * (1.05 + (i % 2 == 0 ? 0.001 : -0.001)));
  const CompareSide base = side_with({in_processes("tiled", before), in_processes("naive", before)});
  const CompareSide fresh = side_with({in_processes("tiled", now), in_processes("naive", before)});
  const CompareResult unlooked = in_turns(base, fresh, {});
  CHECK(outcomes_of(unlooked) == "not_resolved not_resolved");
  CHECK(unlooked.pairs[0].reason == "too few processes");
  const CompareResult first = in_turns(base, fresh, {4});
  CHECK(outcomes_of(first) == "not_resolved same");
  CHECK(first.pairs[0].doubted == PairOutcome::slower);
  // Undecided is no failure.
  CHECK(first.verdict == GateVerdict::fine);
  CHECK(
      verdict_text(first) ==
      "Undecided after 9.0 s: 1 of 2 rows; a change below 1.0 % cannot be seen here (load 4.0 on 2 cores). "
      "matmul/tiled on gpu:0 looks slower, but no further process has confirmed it: give it "
      "more time. Nothing failed.");
  const CompareResult confirmed = in_turns(base, fresh, {4, 5});
  CHECK(outcomes_of(confirmed) == "slower same");
  CHECK(confirmed.verdict == GateVerdict::regressed);
  CHECK_THAT(confirmed.pairs[0].ratio, WithinRel(1.05, 0.001));
  CHECK_THAT(verdict_text(confirmed),
             StartsWith("Regression: matmul/tiled on gpu:0 is 5.0 % slower (95 %: ") &&
                 EndsWith("), 5 pairs of processes, 9.0 s"));
  // The times that are shown belong to the ratio: geometric means over processes.
  const double base_ns = confirmed.pairs[0].base;
  const double fresh_ns = confirmed.pairs[0].fresh;
  CHECK_THAT(fresh_ns / base_ns, WithinRel(confirmed.pairs[0].ratio, 1e-12));
  CHECK_THAT(base_ns, WithinRel(stats::geometric_mean(before), 1e-12));
  // Two comparisons: the joint interval is wider than that of the pair alone.
  CHECK(confirmed.pairs[0].joint_interval.high > confirmed.pairs[0].interval.high);
  CHECK_THAT(confirmed.pairs[0].process_spread(), WithinRel(0.00074, 0.05));
  // More looks than processes: nothing is known.
  CHECK(outcomes_of(in_turns(base, fresh, {4, 6})) == "not_resolved not_resolved");
}

TEST_CASE("sides that shared their processes are compared round by round") {
  // Within a process times wander by half, and one round in three was disturbed on one side; the medians of
  // both sides say the contrary of their rounds.
  const auto in_rounds = [](double factor, int first_missing) {
    ComparedPoint point = point_with("tiled", 100, 100, 100);
    for (std::uint32_t process = 0; process < 5; ++process) {
      for (int round = 0; round < 9; ++round) {
        if (round >= first_missing) continue;
        const double level = 100 * (1 + 0.06 * round) * (1 + 0.3 * process);
        const double disturbed = factor > 1 && round % 3 == 1 ? 0.5 : 1;
        point.rounds[{process, static_cast<std::uint32_t>(round)}] =
            level * factor * disturbed * (1 + (process % 2 == 0 ? 0.0005 : -0.0005) * (factor - 1) / 0.05);
      }
    }
    return point;
  };
  // A round that one side lacks counts for neither.
  const CompareSide base = side_with({in_rounds(1, 9)});
  const CompareSide fresh = side_with({in_rounds(1.05, 6)});
  const CompareResult result = in_turns(base, fresh, {4, 5}, true);
  CHECK(outcomes_of(result) == "slower");
  CHECK_THAT(result.pairs[0].ratio, WithinRel(1.05, 0.001));
  CHECK_THAT(verdict_text(result),
             StartsWith("Regression: matmul/tiled on gpu:0 is 5.0 % slower (95 %: 4.9 ") &&
                 EndsWith("), 5 processes, 9.0 s"));
  CHECK_THAT(
      compare_text(result, {}),
      StartsWith("Regression: ") && ContainsSubstring("5 processes measured both sides in common rounds"));
  const CompareResult equal = in_turns(base, base, {4}, true);
  CHECK(verdict_text(equal) == "No change: 1 of 1 row within ±1.0 % (95 %), 4 processes, 9.0 s");
  CHECK_THAT(verdict_text(in_turns(fresh, base, {4}, true)),
             StartsWith("Faster: matmul/tiled on gpu:0 is 4.8 % faster"));
}

TEST_CASE("an undecided comparison says which change it could have seen") {
  // Ratios of processes scatter by 10 %: after four looks the interval is ± 9.6 %.
  std::vector<double> before;
  std::vector<double> now;
  for (int i = 0; i < 14; ++i) {
    before.push_back(100);
    now.push_back(i % 2 == 0 ? 110 : 100 / 1.1);
  }
  const CompareSide base = side_with({in_processes("tiled", before)});
  const CompareSide fresh = side_with({in_processes("tiled", now)});
  const CompareResult result = in_turns(base, fresh, {4, 6, 9, 14});
  CHECK(outcomes_of(result) == "not_resolved");
  // Student's t at 1 − 0.05 / (4 · 5) with 13 degrees of freedom is 3.7345.
  const double half = 3.7345 * std::log(1.1) * std::sqrt(14.0 / 13) / std::sqrt(14.0);
  CHECK_THAT(least_visible_change(result), WithinRel(std::exp(half) - 1, 1e-3));
  CHECK(verdict_text(result) ==
        "Undecided after 9.0 s: a change below 10 % cannot be seen here (load 4.0 on 2 cores). Nothing "
        "failed.");
  CHECK_THAT(compare_junit(result), ContainsSubstring("failures=\"0\" errors=\"0\" skipped=\"1\""));
  CHECK(std::isnan(least_visible_change(in_turns(base, fresh, {}))));
}

TEST_CASE("a failure in base is a failure where both must work") {
  const CompareSide base =
      side_with({without_time("odd", Status::wrong, "C[1]"), without_time("bad", Status::crashed, "x"),
                 without_time("left", Status::skipped, "limit"), point_with("fine", 1, 1, 1)});
  const CompareSide fresh =
      side_with({point_with("odd", 1, 1, 1), without_time("bad", Status::crashed, "x"),
                 without_time("left", Status::skipped, "limit"), point_with("fine", 1, 1, 1)});
  CompareOptions options;
  options.process_spread = 0;
  CHECK(compare_runs(base, fresh, options).verdict == GateVerdict::fine);
  options.base_must_work = true;
  const CompareResult result = compare_runs(base, fresh, options);
  CHECK(outcomes_of(result) == "repaired untimed untimed same");
  CHECK(result.verdict == GateVerdict::failed);
  CHECK(verdict_text(result) == "failed: 1 crashed in base, without a time in new, 1 wrong in base");
  // A regression is graver, and told behind what fails in base.
  const CompareSide worse = side_with(
      {point_with("odd", 1, 1, 1), without_time("bad", Status::crashed, "x"),
       without_time("left", Status::skipped, "limit"), without_time("fine", Status::wrong, "C[2]")});
  const CompareResult both = compare_runs(base, worse, options);
  CHECK(both.verdict == GateVerdict::regressed);
  CHECK_THAT(verdict_text(both), ContainsSubstring("1 wrong now"));
}
