// Comparisons on the fake backend, whose noise is that of a real machine: identical variants under two
// names must not be called different too often, and a planted slowdown must be found, with the budget that
// a config has by default. Time is simulated, so none passes.
#include "selftest/checks.hpp"
#include "store/store.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"

using namespace benchctl;
using namespace benchctl::test;
using selftest::PairCounts;

namespace {

/// 2 % of scatter with neighbours alike, one sample of fifty held up, a pace that changes by 3 %. 0.2 ms an
/// execution: the default cap of 10,000 samples is the default cap of 2 s.
constexpr const char* realistic =
    "ns = [200000]\nnoise = [0.02]\ncorrelation = [0.3]\ntail = [0.02]\ndrift = [0.03]\n";

/// 200 groups of two points each.
PairCounts compared(const char* variants) {
  const Sandbox sandbox;
  // Warming up waits for times to settle, which noise of this size never does: its bound is in real time.
  sandbox.run(
      fake_config(variants,
                  "n = [4, 5, 6, 7, 8, 9, 10, 11, 12, 14]\nm = [4, 5, 6, 7, 8]\nk = [4, 5, 6, 7]\n" +
                      std::string(realistic),
                  "mode = \"paired\"\nwarmup_seconds = 0"),
      0, {"--in-process"});
  const Store store = Store::open(sandbox.path() / "store.db", Store::Access::read_only);
  return selftest::count_pairs(store.results(store.newest_run()->id));
}

}  // namespace

TEST_CASE("identical variants under two names are called different in at most 5 of 100 comparisons") {
  const PairCounts counts = compared("variants = [\"noisy\", \"twin\"]");
  INFO(selftest::share_text(counts.different, counts.all));
  REQUIRE(counts.all >= 195);  // the others claim no interval: rounds seemed to depend on each other
  CHECK(counts.different <= 10);
  CHECK(counts.with_verdict <= counts.different);
  CHECK(counts.least_ratio > 0.95);
  CHECK(counts.largest_ratio < 1.05);
  // None at all would mean intervals without end.
  CHECK(counts.different > 0);
}

TEST_CASE("a planted slowdown of 2 % is found in at least 95 of 100 comparisons") {
  const PairCounts counts = compared("variants = [\"noisy\", \"slower\"]");
  INFO(selftest::share_text(counts.slower, counts.all));
  REQUIRE(counts.all >= 195);  // the others claim no interval: rounds seemed to depend on each other
  CHECK(counts.slower >= 190);
  CHECK(counts.with_verdict == counts.slower);  // never called faster
}

TEST_CASE("chance is blamed as often as the binomial distribution says") {
  CHECK(selftest::at_least_so_many(0, 10, 0.05) == 1);
  CHECK(selftest::at_least_so_many(1, 2, 0.5) == Approx(0.75));
  CHECK(selftest::at_least_so_many(2, 2, 0.5) == Approx(0.25));
  CHECK(selftest::at_least_so_many(1, 12, 0.05) == Approx(1 - std::pow(0.95, 12)));
}

TEST_CASE("comparisons are counted by interval and by verdict") {
  const auto point = [](double low, double ratio, double high, stats::Verdict verdict) {
    Result stored;
    stored.comparisons = {{Against::baseline, 0, "", 1, ratio, low, high, 1, 0, verdict}};
    return stored;
  };
  const PairCounts counts = selftest::count_pairs(
      {Result{}, point(0.99, 1, 1.01, stats::Verdict::same),
       point(1.001, 1.002, 1.003, stats::Verdict::same), point(1.01, 1.02, 1.03, stats::Verdict::slower),
       point(0.9, 0.95, 0.99, stats::Verdict::faster),
       point(std::nan(""), 1.1, std::nan(""), stats::Verdict::not_resolved)});
  CHECK(counts.all == 4);  // without the point that has none, and the one without an interval
  CHECK(counts.different == 3);
  CHECK(counts.with_verdict == 2);
  CHECK(counts.slower == 1);
  CHECK(counts.least_ratio == 0.95);
  CHECK(counts.largest_ratio == 1.02);
}
