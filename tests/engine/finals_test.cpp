// The end of a search: who is measured again, and what is said of it.
#include "engine/finals.hpp"
#include "support/catch.hpp"

#include <fmt/format.h>

using namespace benchctl;
using test::HasAll;

namespace {

Result final(const std::string& variant, double median_ns, double ratio = 1,
             stats::Verdict verdict = stats::Verdict::same) {
  Result point;
  point.row.point.workload = "w";
  point.row.point.variant = variant;
  point.row.point.device = "gpu:0";
  point.row.point.status = Status::ok;
  point.measurement.emplace();
  point.measurement->median_ns = median_ns;
  static std::uint64_t ordinal = 0;
  point.row.ordinal = ratio == 1 ? 1000 : ordinal++;
  Comparison comparison;
  comparison.other = 1000;
  comparison.time_ratio = ratio;
  comparison.ci_low = ratio - 0.01;
  comparison.ci_high = ratio + 0.01;
  comparison.verdict = verdict;
  point.comparisons.push_back(comparison);
  return point;
}

SearchSummary summary(std::vector<Result> finals) {
  return {"sweep 's' on gpu:0", "random", 3, 40, 1000, "w/first @ gpu:0", 1000, std::move(finals)};
}

}  // namespace

TEST_CASE("finalists are those close to the best, the second best in any case, and not too many") {
  const FinalsRule usual;
  CHECK(choose_finalists({}, usual).empty());
  CHECK(choose_finalists({{100, 7}}, usual).empty());
  CHECK(choose_finalists({{100, 1}, {104, 2}, {106, 3}, {200, 0}}, usual) ==
        std::vector<std::size_t>{1, 2});
  CHECK(choose_finalists({{100, 0}, {200, 2}, {300, 1}}, usual) == std::vector<std::size_t>{0, 2});
  CHECK(choose_finalists({{100, 0}, {100, 1}, {100, 2}, {100, 3}, {100, 4}, {100, 5}, {100, 6}}, usual) ==
        std::vector<std::size_t>{0, 1, 2, 3, 4, 5});
  // Those of tuning are up to half as slow again as the best, which may be alone.
  CHECK(choose_finalists({{100, 7}}, tuning_finals) == std::vector<std::size_t>{7});
  CHECK(choose_finalists({{100, 2}, {150, 1}, {151, 0}}, tuning_finals) == std::vector<std::size_t>{2, 1});
}

TEST_CASE("a summary names the winner and calls ties ties") {
  const std::string text =
      to_text(summary({final("first", 1000), final("equal", 1001, 1.001, stats::Verdict::same),
                       final("unclear", 1010, 1.01, stats::Verdict::not_resolved),
                       final("behind", 1040, 1.04, stats::Verdict::slower)}));
  CHECK_THAT(text, HasAll({"40 of 1000 points tried (random, seed 3)", "best: w/first @ gpu:0, 1.000 µs",
                           "tie: w/equal", "tie: w/unclear", "slower: w/behind"}));
}

TEST_CASE("the winner is whom the run has stored as the fastest, whatever the medians are") {
  const std::string text =
      to_text(summary({final("first", 950, 1.05, stats::Verdict::slower), final("second", 960),
                       final("third", 955, 0.99, stats::Verdict::not_resolved)}));
  CHECK_THAT(text, HasAll({"best: w/second", "tie: w/third",
                           "slower: w/first @ gpu:0, 950.0 ns, 1.050 times as long [1.040, 1.060]\n"}));
}

TEST_CASE("rivals are the finalists that may win, the best first, with their times over that of the best") {
  Result wrong = final("wrong", 1, 1.1, stats::Verdict::slower);
  wrong.row.point.expect = Expect::wrong;
  const SearchSummary found =
      summary({final("behind", 955, 1.04, stats::Verdict::slower), wrong,
               final("level", 961, 0.99, stats::Verdict::same), final("best", 960)});
  std::string order;
  for (const Rival& rival : rivals_of(found))
    order += fmt::format("{} {}{} ", rival.result->point().variant, rival.ratio, rival.ties ? " ties" : "");
  CHECK(order == "best 1 level 1 ties behind 1.04 ");
  CHECK_THAT(to_text(found), !ContainsSubstring("wrong"));
}

TEST_CASE("with another objective its figures order the finalists, and the comparisons of times do not") {
  const auto with_energy = [](const char* variant, double joules, double ratio) {
    Result result =
        final(variant, 1000 * ratio, ratio, ratio == 1 ? stats::Verdict::same : stats::Verdict::slower);
    if (joules > 0) result.resources["energy"] = joules;
    return result;
  };
  SearchSummary found = summary(
      {with_energy("quick", 0.5, 1), with_energy("frugal", 0.25, 2), with_energy("unread", 0, 1.5)});
  found.objective = find_metric("energy");
  const std::string text = to_text(found);
  CHECK_THAT(text, ContainsSubstring("\n  best: w/frugal @ gpu:0, energy 0.25 J, 2.000 µs\n"
                                     "  then: w/quick @ gpu:0, energy 0.5 J, 1.000 µs") &&
                       !ContainsSubstring("unread"));
  found.objective = find_metric("gflops");
  CHECK(rivals_of(found).empty());
  found.best.clear();
  CHECK_THAT(to_text(found), ContainsSubstring("no point has a figure of 'gflops'"));
  Result rate = with_energy("rate", 0, 1);
  rate.row.cost.flops = 4000;
  CHECK(cost_of(rate, *find_metric("gflops")) == 0.25);
}

TEST_CASE("a summary without finals names the best by its median, or that there is none") {
  CHECK_THAT(to_text(summary({})), ContainsSubstring("best: w/first @ gpu:0, 1.000 µs"));
  SearchSummary none = summary({});
  none.best.clear();
  CHECK_THAT(to_text(none), ContainsSubstring("nothing could be measured"));
}
