// Who is fastest, who ties, and who takes no part.
#include "store/rank.hpp"
#include "report/fixtures.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

std::vector<Rank> ranks_of(const std::vector<Result>& rows, const std::vector<RowOrigin>& origins = {}) {
  std::vector<const Result*> pointers;
  for (const Result& row : rows) pointers.push_back(&row);
  return origins.empty() ? rank(pointers) : rank(pointers, origins);
}

std::string marks_of(const std::vector<Rank>& ranks) {
  std::string text;
  for (const Rank& rank : ranks) text += rank.mark().empty() ? "." : rank.mark();
  return text;
}

std::string marks(const std::vector<Result>& points) { return marks_of(ranks_of(rows_of(points))); }

/// Rows that nobody has compared, in runs of their own.
std::string marks_apart(const std::vector<Result>& rows) {
  std::vector<RowOrigin> origins;
  for (std::size_t run = 0; run < rows.size(); ++run) origins.push_back({.run = run});
  return marks_of(ranks_of(rows, origins));
}

Result of_processes(Result stored, std::uint32_t processes) {
  stored.measurement->processes = processes;
  return stored;
}

}  // namespace

TEST_CASE("the fastest has a star, whatever is not shown slower a sign of equality") {
  CHECK(marks({measured("d:0", "a", 100, 1), measured("d:0", "b", 110, 1)}) == "*.");
  CHECK(marks({measured("d:0", "a", 110, 1), measured("d:0", "b", 100, 1)}) == ".*");
  CHECK(marks({measured("d:0", "a", 100, 5), measured("d:0", "b", 102, 5), measured("d:0", "c", 130, 5)}) ==
        "*=.");
  const auto ranks = ranks_of(rows_of({measured("d:0", "a", 250, 1), measured("d:0", "b", 100, 1),
                                       measured("d:0", "c", 100.5, 1), measured("d:0", "e", 500, 1)}));
  CHECK(ranks[0].place == 3);
  CHECK(ranks[1].place == 1);
  CHECK(ranks[2].place == 1);
  CHECK(ranks[3].place == 4);
  CHECK(ranks[0].versus_best == 2.5);
  CHECK(ranks[1].versus_best == 1);
}

TEST_CASE("each device has its own fastest; beside a vendor library, so has the rest") {
  CHECK(marks({measured("d:0", "a", 100, 1), measured("d:1", "a", 500, 1), measured("d:0", "b", 200, 1),
               measured("d:1", "b", 900, 1)}) == "**..");
  CHECK(marks({measured("d:0", "a", 300, 1), vendor(measured("d:0", "v", 100, 1)),
               measured("d:0", "b", 200, 1)}) == ".**");
  CHECK(marks({vendor(measured("d:0", "v", 100, 1)), measured("d:0", "a", 200, 5),
               vendor(measured("d:0", "w", 201, 5)), measured("d:0", "b", 209, 5)}) == "**.=");
}

TEST_CASE("the comparison by rounds decides, not the medians") {
  std::vector<Result> points{measured("d:0", "a", 100, 1), measured("d:0", "b", 101, 1)};
  race(points);
  // By rounds b beat a, whose median is smaller.
  for (Result& point : points) {
    for (Comparison& comparison : point.comparisons) {
      comparison.other = 1;
      comparison.time_ratio = point.row.ordinal == 0 ? 1.2 : 1;
      comparison.verdict = point.row.ordinal == 0 ? stats::Verdict::slower : stats::Verdict::not_resolved;
    }
  }
  const auto ranks = ranks_of(points);
  CHECK(marks_of(ranks) == ".*");
  CHECK(ranks[0].versus_best == 1.2);
  CHECK(ranks[1].by_rounds);
  CHECK(ranks[1].own.by_rounds);
  CHECK_FALSE(ranks[0].by_rounds);
  CHECK(ranks[0].order_ns == 1.2 * 101);
  // A ratio below 1 by chance is shown as a tie.
  points[0].comparisons[0].time_ratio = 0.99;
  points[0].comparisons[0].verdict = stats::Verdict::not_resolved;
  points[0].comparisons[1] = points[0].comparisons[0];
  points[0].comparisons[1].against = Against::own;
  const auto tied = ranks_of(points);
  CHECK(marks_of(tied) == "=*");
  CHECK(tied[0].versus_best == 1);
}

TEST_CASE("devices are compared by the medians of their fastest, rows behind these by common rounds") {
  std::vector<Result> points{measured("d:0", "a", 100, 1), measured("d:0", "b", 300, 1),
                             measured("d:1", "a", 400, 1), measured("d:1", "b", 500, 1)};
  race(points);
  for (Comparison& comparison : points[3].comparisons) comparison.time_ratio = 1.5;
  const auto ranks = ranks_of(points);
  CHECK(ranks[0].versus_devices == 1);
  CHECK(ranks[1].versus_devices == 3);
  CHECK(ranks[2].versus_devices == 4);
  CHECK(ranks[3].versus_devices == 6);
  CHECK(ranks[3].order_ns == 600);
  CHECK_FALSE(ranks[0].by_rounds);
  CHECK(std::isnan(ranks_of({points[0], points[1]})[0].versus_devices));
}

TEST_CASE("the order of rows keeps to their places") {
  // c ties with a, though b, which is shown slower, seems faster.
  const auto ranks = ranks_of(rows_of({measured("d:0", "a", 100, 1), measured("d:0", "b", 110, 1),
                                       measured("d:0", "c", 120, 30), measured("d:0", "e", 200, 1)}));
  CHECK(marks_of(ranks) == "*.=.");
  CHECK(ranks[2].order_ns == 120);
  CHECK(ranks[1].order_ns == 120);
  CHECK(ranks[1].place == 3);
  CHECK(ranks[3].place == 4);
  CHECK(ranks[3].order_ns == 200);
}

TEST_CASE("what is noisy may win; what is wrong, above its roof or doubted may not") {
  Result noisy = measured("d:0", "noisy", 50, 1);
  noisy.row.point.status = Status::unstable;
  Result wrong = measured("d:0", "racy", 10, 1);
  wrong.row.point.expect = Expect::wrong;
  Result failed = measured("d:0", "bad", 20, 1);
  failed.row.point.status = Status::wrong;
  Result above = measured("d:0", "above", 30, 1);
  above.resources["roof_fraction"] = 1.2;
  Result doubted = measured("d:0", "doubted", 40, 1);
  doubted.notes[std::string(audit_undecided_note)] = "40 ns, audited 400 ns";
  const auto ranks =
      ranks_of(rows_of({wrong, failed, above, doubted, noisy, measured("d:0", "a", 100, 1)}));
  CHECK(marks_of(ranks) == "....*.");
  CHECK(ranks[0].place == 0);
  CHECK(ranks[0].versus_best == 0.2);  // told all the same
  CHECK(std::isnan(ranks[1].versus_best));
  CHECK(ranks[5].versus_best == 2);
  // A share above 1 that the range explains is at the roof.
  Result at = measured("d:0", "at", 100, 30);
  at.resources["roof_fraction"] = 1.2;
  CHECK(marks({at, measured("d:0", "a", 200, 1)}) == "*.");
}

TEST_CASE("rows that were not measured together tie, unless their processes tell") {
  CHECK(marks_apart({measured("d:0", "a", 100, 1), measured("d:0", "b", 200, 1)}) == "*=");
  CHECK(marks_apart({measured("d:0", "a", 100, 1), measured("d:0", "b", 10'000, 1)}) == "*.");
  CHECK(marks_apart({of_processes(measured("d:0", "a", 100, 1), 3),
                     of_processes(measured("d:0", "b", 120, 1), 3)}) == "*.");
  // Who is shown slower in its own run is no tie of another run's fastest.
  std::vector<Result> points{measured("d:0", "a", 100, 1), measured("d:0", "b", 150, 1)};
  race(points);
  points.push_back(measured("d:0", "a", 90, 1));
  const auto ranks = ranks_of(points, {{.run = 0}, {.run = 0}, {.run = 1}});
  CHECK(marks_of(ranks) == "=.*");
  CHECK_FALSE(ranks[0].together);
  // An older measurement of the same point does not compete.
  const auto newer = ranks_of(points, {{.run = 0, .older = true}, {.run = 0}, {.run = 1}});
  CHECK(marks_of(newer) == "..*");
  CHECK(std::isnan(newer[0].versus_best));
  // Nor does a row tie that is slower than one which took turns with the fastest and lost.
  for (const auto& [ns, expected] : {std::pair(140.0, "*.="), std::pair(160.0, "*..")}) {
    points.back() = measured("d:0", "c", ns, 1);
    CHECK(marks_of(ranks_of(points, {{.run = 0}, {.run = 0}, {.run = 1}})) == expected);
  }
}

TEST_CASE("the fastest of those that the question is about") {
  std::vector<Result> points{
      measured("d:0", "naive", 100, 1), with_tile(measured("d:0", "tiled", 300, 1), 8),
      with_tile(measured("d:0", "tiled", 200, 1), 16), vendor(measured("d:0", "vendor", 50, 1))};
  race(points, "tile");
  const auto ranks = ranks_of(points, {{}, {.asked = true}, {.asked = true}, {}});
  CHECK(ranks[2].asked.best);
  CHECK_FALSE(ranks[1].asked.ties);
  CHECK(ranks[1].asked.versus_best == 1.5);
  CHECK(std::isnan(ranks[0].asked.versus_best));
  CHECK(ranks[2].versus_best == 4);
  CHECK(marks_of(ranks) == "*..*");
}
