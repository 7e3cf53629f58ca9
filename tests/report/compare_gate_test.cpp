// Policies: how they are read, and what they make of a comparison.
#include "report/compare.hpp"
#include "report/compared_sides.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;
using nlohmann::json;

namespace {

std::string errors_of(const std::string& text) {
  try {
    static_cast<void>(parse_gate(text, "gate.toml"));
  } catch (const ConfigErrors& errors) {
    return errors.what();
  }
  return "none";
}

/// `v` became 3 % slower, `w` cannot be told, `x` is the same, `y` is gone.
CompareResult judged(const std::string& policy, double threshold = 0.01) {
  static const CompareSide base = [] {
    CompareSide side = side_with({sampled_point("v", 1000, 0.001), sampled_point("w", 1000, 0.5),
                                  sampled_point("x", 1000, 0.001), sampled_point("y", 1000, 0.001)});
    side.points[0].resources = {
        {"registers", 40}, {"occupancy", 0.5}, {"spill_bytes", 0}, {"power", no_number}};
    side.points[2].resources = {{"registers", 40}};
    return side;
  }();
  static const CompareSide fresh = [] {
    CompareSide side = side_with(
        {sampled_point("v", 1030, 0.001), sampled_point("w", 1000, 0.5), sampled_point("x", 1000, 0.001)});
    side.points[0].resources = {{"registers", 44}, {"occupancy", 0.4}, {"spill_bytes", 8}, {"power", 100}};
    return side;
  }();
  return compare_within(base, fresh, {.threshold = threshold, .policy = parse_gate(policy, "gate.toml")});
}

}  // namespace

TEST_CASE("errors in a policy have their place and what was expected") {
  CHECK_THAT(errors_of("[gate]\nthreshold = \"x\""),
             ContainsSubstring(
                 "gate.toml:2:13: error: 'threshold' in [gate] is \"x\"; expected a share from 0 to 1"));
  CHECK_THAT(errors_of("[gate]\nthreshold = 2"), ContainsSubstring("gate.toml:2:13"));
  CHECK_THAT(errors_of("[gate]\nfail = [\"slower\", \"slowr\"]"),
             HasAll({"gate.toml:2:19: error: 'slowr' in 'fail' in [gate] cannot count as failure",
                     "did you mean 'slower'?"}));
  CHECK_THAT(errors_of("[gate]\nfail = [\"faster\"]"), ContainsSubstring("gate.toml:2:9"));
  CHECK_THAT(errors_of("[gate]\nfail = \"slower\""), ContainsSubstring("a list of strings"));
  CHECK_THAT(errors_of("[gat]\n"),
             HasAll({"gate.toml:1:2: error: unknown key 'gat' in the policy", "did you mean 'gate'?"}));
  CHECK_THAT(errors_of("[[rule]]\nmatch = { worklod = \"x\" }\nthreshold = 0.1"),
             ContainsSubstring("gate.toml:2:11: error: unknown key 'worklod' in match"));
  CHECK_THAT(errors_of("[[rule]]\nmetric = \"registrs\"\nthreshold = 0.1"),
             HasAll({"gate.toml:2:10", "did you mean 'registers'?"}));
  CHECK_THAT(errors_of("[[rule]]\nmetric = \"n_samples\"\nthreshold = 0.1"),
             ContainsSubstring("gate.toml:2:10"));
  CHECK_THAT(errors_of("[[rule]]\nmatch = { workload = \"x\" }"),
             ContainsSubstring("gate.toml:1:1: error: [[rule]] says nothing"));
  CHECK_THAT(errors_of("[rule]\nthreshold = 0.1"), ContainsSubstring("one [[rule]] each"));
  CHECK_THAT(errors_of("[gate"), HasAll({"gate.toml:1:", "TOML syntax"}));
  // All at once, in their order.
  const std::string two = errors_of("[[rule]]\nthreshold = -1\n[gate]\nfial = []");
  CHECK(two.find("gate.toml:2:13") < two.find("gate.toml:4:1"));
  CHECK(errors_of("") == "none");
  CHECK_THROWS_AS(load_gate("/no/such/gate.toml"), ConfigErrors);
  CHECK_THROWS_AS(load_gate("/tmp"), ConfigErrors);
}

TEST_CASE("the policies that come with the program can be read") {
  std::size_t policies = 0;
  for (const auto& entry : std::filesystem::directory_iterator(config_directory() / "gates")) {
    CAPTURE(entry.path());
    CHECK_FALSE(load_gate(entry.path()).fail.empty());
    ++policies;
  }
  CHECK(policies > 0);
  CHECK(load_gate(config_directory() / "gates" / "strict.toml").rules.size() == 3);
}

TEST_CASE("without a policy slower, wrong, failed and not comparable fail") {
  const CompareResult result = judged("");
  CHECK(outcomes_of(result) == "slower not_resolved same missing");
  CHECK(result.verdict == GateVerdict::regressed);
  CHECK(verdict_text(result) == "regressed: 1 slower");
  CHECK(judged("", 0.05).verdict == GateVerdict::fine);
}

TEST_CASE("what fails is what the policy lists") {
  CHECK(judged("[gate]\nfail = []").verdict == GateVerdict::fine);
  const CompareResult missing = judged("[gate]\nfail = [\"missing\"]");
  CHECK(missing.verdict == GateVerdict::regressed);
  CHECK(verdict_text(missing) == "regressed: 1 missing");
  const CompareResult unresolved = judged("[gate]\nfail = [\"not_resolved\"]");
  CHECK(unresolved.verdict == GateVerdict::not_resolved);
  CHECK(verdict_text(unresolved) == "not resolved: 1 not resolved");
  // The gravest decides.
  CHECK(judged("[gate]\nfail = [\"not_resolved\", \"slower\"]").verdict == GateVerdict::regressed);
}

TEST_CASE("where nothing fails, what could not be told is said") {
  CHECK_THAT(verdict_text(judged("[gate]\nfail = []")),
             StartsWith("fine as far as is known: 1 of 3 pairs not resolved") &&
                 ContainsSubstring("Measure both runs longer"));
  const CompareSide vague = side_with({sampled_point("v", 1000, 0.5), sampled_point("w", 1000, 0.5)});
  const CompareResult nothing = compare_within(vague, vague, {});
  CHECK(nothing.verdict == GateVerdict::fine);  // no policy that lists it: no failure
  CHECK_THAT(verdict_text(nothing),
             StartsWith("nothing is known: 2 of 2 pairs not resolved") && ContainsSubstring("--threshold"));
  const CompareSide exact = side_with({sampled_point("v", 1000, 0.001)});
  CHECK(verdict_text(compare_within(exact, exact, {})) == "fine");
  const CompareSide failed = side_with({without_time("v", Status::crashed, "gone")});
  CHECK_THAT(verdict_text(compare_within(failed, failed, {})), ContainsSubstring("no pair has times"));
}

TEST_CASE("the first rule that matches holds; the rest is the gate's") {
  const std::string v = "[[rule]]\nmatch = { variant = 'v' }\n";
  const std::string slower = "[[rule]]\nfail = ['slower']\n";
  const CompareResult tolerant = judged(v + "threshold = 0.05");
  CHECK(tolerant.verdict == GateVerdict::fine);
  CHECK(tolerant.pairs[0].threshold == 0.05);
  CHECK(tolerant.pairs[2].threshold == 0.01);
  const std::string matmul = "[[rule]]\nmatch = { workload = 'mat*', device = 'gpu:?', backend = 'gpu' }\n";
  CHECK(judged(matmul + "threshold = 0.05").verdict == GateVerdict::fine);
  const std::string copy = "[[rule]]\nmatch = { workload = 'copy' }\n";
  CHECK(judged(copy + "threshold = 0.05").verdict == GateVerdict::regressed);
  CHECK(judged(v + "fail = []\n" + slower).verdict == GateVerdict::fine);
  CHECK(judged(slower + v + "fail = []").verdict == GateVerdict::regressed);
  CHECK(
      verdict_text(judged("[gate]\nfail = []\n[[rule]]\nmatch = { variant = 'y' }\nfail = ['missing']")) ==
      "regressed: 1 missing");
}

TEST_CASE("other metrics are compared where a rule asks, by which way is better") {
  const std::string fine = "[gate]\nfail = []\n";
  const CompareResult registers =
      judged(fine + "[[rule]]\nmetric = \"registers\"\nthreshold = 0.05\nfail = [\"slower\"]");
  REQUIRE(registers.pairs[0].metrics.size() == 1);
  const ComparedMetric& metric = registers.pairs[0].metrics[0];
  CHECK(metric.metric == "registers");
  CHECK(metric.ratio == 1.1);
  CHECK(metric.outcome == PairOutcome::slower);
  CHECK(metric.fails);
  CHECK(registers.verdict == GateVerdict::regressed);
  CHECK(verdict_text(registers) == "regressed: 1 worse in another metric");
  // `x` has the figure in base only.
  CHECK(registers.pairs[2].metrics.at(0).outcome == PairOutcome::missing);
  CHECK_FALSE(registers.pairs[2].metrics.at(0).fails);
  CHECK(judged(fine + "[[rule]]\nmetric = \"registers\"\nthreshold = 0.1\nfail = [\"slower\"]").verdict ==
        GateVerdict::fine);
  const CompareResult all =
      judged(fine + "[[rule]]\nmetric = \"*\"\nthreshold = 0.01\nfail = [\"slower\"]");
  for (const char* name : {"registers", "occupancy", "spill_bytes"}) {
    const auto each = std::ranges::find(all.pairs[0].metrics, name, &ComparedMetric::metric);
    REQUIRE(each != all.pairs[0].metrics.end());
    CHECK(each->outcome == PairOutcome::slower);
  }
  CHECK(all.pairs[0].fails);  // the pattern matches the time, too
  // From nothing to something has no ratio, and is worse all the same.
  CHECK(std::isnan(
      judged(fine + "[[rule]]\nmetric = \"spill_bytes\"\nthreshold = 0.5").pairs[0].metrics.at(0).ratio));
}

TEST_CASE("what cannot be compared is refused unless the policy lets it pass") {
  const CompareSide base = side_with({sampled_point("v", 1000, 0.001)});
  const CompareSide fresh = side_with({sampled_point("v", 1000, 0.001)}, {lane_of("gpu:0", "Other")});
  CHECK(compare_within(base, fresh, {}).verdict == GateVerdict::not_comparable);
  CHECK(compare_within(base, fresh, {.policy = parse_gate("[gate]\nfail = [\"slower\"]", "g")}).verdict ==
        GateVerdict::fine);
}

TEST_CASE("what is made from the time has the time's interval") {
  const auto pair_of = [](double before, double now, double spread, const std::string& rule) {
    CompareSide base = side_with({sampled_point("v", before, spread)});
    CompareSide fresh = side_with({sampled_point("v", now, spread)});
    base.points[0].row.cost.accesses = fresh.points[0].row.cost.accesses = 10;
    const CompareResult result = compare_within(
        base, fresh, {.policy = parse_gate("[gate]\nfail = []\n[[rule]]\n" + rule, "gate.toml")});
    REQUIRE(result.pairs[0].metrics.size() == 1);
    return result.pairs[0];
  };
  const std::string rate = "metric = \"gflops\"\nthreshold = 0.01\n";
  const ComparedPair slower = pair_of(1000, 1050, 0.001, rate);
  const ComparedMetric& metric = slower.metrics[0];
  CHECK_FALSE(metric.single_value);
  CHECK(metric.outcome == PairOutcome::slower);
  CHECK(std::abs(metric.interval.low - 1 / slower.interval.high) < 1e-12);
  CHECK(std::abs(metric.interval.high - 1 / slower.interval.low) < 1e-12);
  CHECK(metric.interval.low < metric.ratio);
  CHECK(metric.ratio < metric.interval.high);
  CHECK(pair_of(1050, 1000, 0.001, rate).metrics[0].outcome == PairOutcome::faster);
  CHECK(pair_of(1000, 1001, 0.001, rate).metrics[0].outcome == PairOutcome::same);
  // The same change within times that scatter shows nothing.
  CHECK(pair_of(1000, 1050, 0.5, rate).metrics[0].outcome == PairOutcome::not_resolved);
  const ComparedPair access = pair_of(1000, 1050, 0.001, "metric = \"ns_per_access\"\nthreshold = 0.01");
  CHECK(access.metrics[0].outcome == PairOutcome::slower);
  CHECK(std::abs(access.metrics[0].interval.low - access.interval.low) < 1e-12);
}

TEST_CASE("a single value says that it is one, and a policy may ask for more") {
  const std::string rule = "[gate]\nfail = []\n[[rule]]\nmetric = \"registers\"\nthreshold = 0.05\n";
  const CompareResult plain = judged(rule);
  CHECK(plain.pairs[0].metrics.at(0).single_value);
  CHECK_FALSE(plain.pairs[0].metrics.at(0).interval.known());
  CHECK_THAT(compare_text(plain, {}), ContainsSubstring("Compared as single values, without an interval: "
                                                        "registers."));
  const CompareResult strict = judged(rule + "needs_interval = true\nfail = [\"not_resolved\"]");
  CHECK(strict.pairs[0].metrics.at(0).outcome == PairOutcome::not_resolved);
  CHECK(strict.verdict == GateVerdict::not_resolved);
  CHECK(verdict_text(strict) == "not resolved: 1 not resolved in another metric");
  // What new does not have is missing, whatever its interval would be.
  CHECK(strict.pairs[2].metrics.at(0).outcome == PairOutcome::missing);
  CHECK(
      judged("[gate]\nfail = [\"not_resolved\"]\nneeds_interval = true\n[[rule]]\nmetric = \"registers\"\n"
             "needs_interval = false")
          .pairs[0]
          .metrics.at(0)
          .outcome == PairOutcome::slower);
  CHECK_THAT(errors_of("[gate]\nneeds_interval = 1"), HasAll({"gate.toml:2:18", "expected true or false"}));
}

TEST_CASE("a strict policy wants the whole interval beyond the threshold") {
  const CompareSide base = side_with({sampled_point("v", 1000, 0.02)});
  const CompareSide fresh = side_with({sampled_point("v", 1020, 0.02)});
  const auto outcome = [&](const std::string& policy) {
    const CompareResult result =
        compare_within(base, fresh, {.threshold = 0.015, .policy = parse_gate(policy, "gate.toml")});
    CHECK(result.pairs[0].joint_interval.low > 1);
    CHECK(result.pairs[0].joint_interval.low < 1.015);
    return outcomes_of(result);
  };
  CHECK(outcome("") == "slower");
  CHECK(outcome("[gate]\nwhole_interval = true") == "not_resolved");
  CHECK_THAT(errors_of("[gate]\nwhole_interval = 1"), ContainsSubstring("'whole_interval' in [gate]"));
}

TEST_CASE("a changed pick of a choice is told as that, not as a slowdown") {
  const auto compared = [](const std::string& before, const std::string& after) {
    ComparedPoint old = sampled_point("tuned", 1000, 0.001);
    ComparedPoint now = sampled_point("tuned", 1100, 0.001);
    old.notes["configuration"] = before;
    now.notes["configuration"] = after;
    const CompareSide base = side_with({old});
    const CompareSide fresh = side_with({now});
    return compare_within(base, fresh, {});
  };
  CHECK(compared("tiled tile=8", "tiled tile=8").verdict == GateVerdict::regressed);
  CHECK(compared("", "tiled tile=8").verdict == GateVerdict::regressed);
  const CompareResult changed = compared("tiled tile=8", "tiled tile=16");
  CHECK(changed.verdict == GateVerdict::fine);
  CHECK(changed.pairs[0].outcome == PairOutcome::not_resolved);
  CHECK(changed.pairs[0].reason ==
        "slower, with another configuration: base picked tiled tile=8, new tiled tile=16");
}

TEST_CASE("a false discovery rate resolves what a correction for all pairs does not") {
  // Eight samples suffice for one comparison or two, not for forty.
  std::vector<ComparedPoint> before;
  std::vector<ComparedPoint> after;
  for (int i = 0; i < 40; ++i) {
    before.push_back(sampled_point("v" + std::to_string(i), 1000, 0.08, 8));
    after.push_back(sampled_point("v" + std::to_string(i), i < 30 ? 1100 : 1000, 0.08, 8));
  }
  const CompareSide base = side_with(before);
  const CompareSide fresh = side_with(after);
  const auto compared = [&](const std::string& policy) {
    return compare_within(base, fresh, {.policy = parse_gate(policy, "gate.toml")});
  };
  const CompareResult all = compared("");
  CHECK(all.corrected == 40);
  CHECK(all.all.counts.at(PairOutcome::not_resolved) == 40);
  const CompareResult rate = compared("[gate]\nfalse_discovery_rate = true");
  CHECK(rate.comparisons == 40);
  CHECK(rate.corrected == 2);  // 40 / 30
  CHECK(rate.all.counts.at(PairOutcome::slower) == 30);
  CHECK_THAT(compare_text(rate, {}), ContainsSubstring("of whose differences 5 % are false in the mean"));
  CHECK_THAT(compare_text(all, {}), ContainsSubstring("which hold together at 95 %"));
}
