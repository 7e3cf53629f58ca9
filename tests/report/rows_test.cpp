// Rates, verdicts and ranks of rows.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "report/fixtures.hpp"
#include "report/ranking.hpp"

using namespace benchctl;
using namespace benchctl::test;
using Catch::Matchers::WithinRel;

namespace {

std::vector<Rank> ranks_of(const std::vector<ResultRow>& rows) {
  std::vector<const ResultRow*> pointers;
  for (const ResultRow& row : rows) pointers.push_back(&row);
  return rank_by_device(pointers);
}

std::string marks(const std::vector<StoredPoint>& points) {
  std::string text;
  for (const Rank& rank : ranks_of(rows_of(points))) text += rank.fastest ? '*' : '.';
  return text;
}

StoredPoint few_samples(StoredPoint stored) {
  stored.measurement->ci_low_ns = stored.measurement->ci_high_ns = std::nan("");
  stored.measurement->n_samples = 3;
  return stored;
}

}  // namespace

TEST_CASE("rates come from the median and the counted units") {
  const ResultRow row = make_row(measured("fake:0", "naive", 1000, 10));
  CHECK_THAT(row.gflops, WithinRel(524.288, 1e-12));
  CHECK_THAT(row.gbytes_per_s, WithinRel(49.152, 1e-12));
  CHECK_THAT(row.relative_half_width(), WithinRel(0.01, 1e-12));

  StoredPoint free = measured("fake:0", "naive", 1000, 10);
  free.row.cost = {};
  CHECK(std::isnan(make_row(free).gflops));
  CHECK(std::isnan(make_row(free).gbytes_per_s));
  CHECK(std::isnan(make_row(untimed("fake:0", "naive", Status::ok, "")).gflops));
  CHECK(std::isnan(make_row(few_samples(measured("fake:0", "x", 5, 1))).relative_half_width()));
  CHECK(std::isnan(make_row(measured("fake:0", "naive", 0, 0)).gflops));
}

TEST_CASE("bytes that threads ask for make a rate where they were counted") {
  StoredPoint stored = measured("fake:0", "naive", 1000, 10);
  CHECK(std::isnan(make_row(stored).requested_gbytes_per_s));
  stored.resources["requested_bytes"] = 65536;
  CHECK_THAT(make_row(stored).requested_gbytes_per_s, WithinRel(65.536, 1e-12));
  stored.measurement.reset();
  CHECK(std::isnan(make_row(stored).requested_gbytes_per_s));
}

TEST_CASE("a row is verified when every check of it passed") {
  StoredPoint stored = measured("fake:0", "naive", 1000, 10);
  CHECK_FALSE(make_row(stored).verified.has_value());
  CHECK(std::isnan(make_row(stored).error_norm));
  Verification& before = stored.verifications[VerificationPhase::before];
  before.ok = true;
  before.error_norm = 2e-7;
  CHECK(make_row(stored).verified == true);
  CHECK(make_row(stored).error_norm == 2e-7);
  Verification& after = stored.verifications[VerificationPhase::after];
  after.ok = false;
  after.error_norm = 1e-7;
  CHECK(make_row(stored).verified == false);
  CHECK(make_row(stored).error_norm == 2e-7);
  after.error_norm = std::nan("");
  CHECK(make_row(stored).error_norm == 2e-7);
  before.ok = false;
  after.ok = true;
  CHECK(make_row(stored).verified == false);
}

TEST_CASE("only points that are right have times to show") {
  for (const StatusInfo& entry : status_table) {
    CAPTURE(entry.id);
    StoredPoint stored = measured("fake:0", "naive", 1000, 10);
    stored.row.point.status = entry.status;
    CHECK(make_row(stored).timed() == (entry.status == Status::ok || entry.status == Status::unstable));
    stored.measurement.reset();
    CHECK_FALSE(make_row(stored).timed());
  }
}

TEST_CASE("the fastest is marked, and whatever cannot be told apart from it") {
  CHECK(marks({measured("d:0", "a", 100, 1), measured("d:0", "b", 110, 1)}) == "*.");
  CHECK(marks({measured("d:0", "a", 110, 1), measured("d:0", "b", 100, 1)}) == ".*");
  // Intervals that touch are not resolved: 101 and 101.
  CHECK(marks({measured("d:0", "a", 100, 1), measured("d:0", "b", 102, 1)}) == "**");
  CHECK(marks({measured("d:0", "a", 100, 1), measured("d:0", "b", 102.01, 1)}) == "*.");
  // A tie is with the best, not with another tie.
  CHECK(marks({measured("d:0", "a", 100, 1), measured("d:0", "b", 102, 1), measured("d:0", "c", 104, 1)}) ==
        "**.");
}

TEST_CASE("each device has its own best") {
  CHECK(marks({measured("d:0", "a", 100, 1), measured("d:1", "a", 500, 1), measured("d:0", "b", 200, 1),
               measured("d:1", "b", 900, 1)}) == "**..");
}

TEST_CASE("beside a vendor's fastest, the fastest of our own is marked") {
  CHECK(marks({measured("d:0", "a", 300, 1), vendor(measured("d:0", "v", 100, 1)),
               measured("d:0", "b", 200, 1)}) == ".**");
  CHECK(marks({vendor(measured("d:0", "v", 100, 1)), vendor(measured("d:0", "w", 110, 1))}) == "*.");
  // A slower vendor's is not marked for being a vendor's, nor for a tie with the best of ours only.
  CHECK(marks({measured("d:0", "a", 100, 1), vendor(measured("d:0", "v", 200, 1))}) == "*.");
  CHECK(marks({vendor(measured("d:0", "v", 100, 1)), measured("d:0", "a", 200, 5),
               vendor(measured("d:0", "w", 201, 5)), measured("d:0", "b", 209, 5)}) == "**.*");
}

TEST_CASE("without an interval only an equal median is a tie") {
  CHECK(marks({few_samples(measured("d:0", "a", 100, 1)), measured("d:0", "b", 100.5, 1)}) == "*.");
  CHECK(marks({few_samples(measured("d:0", "a", 100, 1)), few_samples(measured("d:0", "b", 100, 1))}) ==
        "**");
}

TEST_CASE("what is wrong or has no time takes no part") {
  StoredPoint wrong = measured("d:0", "racy", 10, 1);
  wrong.row.point.expect = Expect::wrong;
  StoredPoint failed = measured("d:0", "bad", 20, 1);
  failed.row.point.status = Status::wrong;
  const auto rows = rows_of({wrong, failed, measured("d:0", "a", 100, 1), measured("d:0", "b", 250, 1)});
  const auto ranks = ranks_of(rows);
  CHECK_FALSE(ranks[0].fastest);
  CHECK_FALSE(ranks[1].fastest);
  CHECK(ranks[2].fastest);
  CHECK(std::isnan(ranks[0].versus_best));
  CHECK(std::isnan(ranks[1].versus_best));
  CHECK(ranks[2].versus_best == 1);
  CHECK(ranks[3].versus_best == 2.5);
  CHECK(marks({wrong, failed}) == "..");
}
