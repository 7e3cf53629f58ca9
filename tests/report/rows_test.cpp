// Figures that follow from what the store holds of a point, and whether it is verified.
#include "report/fixtures.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("rates come from the median and the counted units") {
  const Result row = measured("fake:0", "naive", 1000, 10);
  CHECK_THAT(row.gflops(), WithinRel(524.288, 1e-12));
  CHECK_THAT(row.gbytes_per_s(), WithinRel(49.152, 1e-12));

  Result free = measured("fake:0", "naive", 1000, 10);
  free.row.cost = {};
  CHECK(std::isnan(free.gflops()));
  CHECK(std::isnan(free.gbytes_per_s()));
  CHECK(std::isnan(untimed("fake:0", "naive", Status::ok, "").gflops()));
  CHECK(std::isnan(measured("fake:0", "naive", 0, 0).gflops()));
}

TEST_CASE("bytes that threads ask for make a rate where they were counted") {
  Result stored = measured("fake:0", "naive", 1000, 10);
  CHECK(std::isnan(stored.requested_gbytes_per_s()));
  stored.resources["requested_bytes"] = 65536;
  CHECK_THAT(stored.metric("requested_gbytes_per_s"), WithinRel(65.536, 1e-12));
  // A kernel's own figure of that name does not stand in front of the measured one.
  stored.resources["median_ns"] = 5;
  CHECK(stored.metric("median_ns") == 1000);
  stored.measurement.reset();
  CHECK(std::isnan(stored.requested_gbytes_per_s()));
}

TEST_CASE("a row is verified when every check of it passed") {
  Result stored = measured("fake:0", "naive", 1000, 10);
  CHECK_FALSE(stored.verified().has_value());
  CHECK(std::isnan(stored.error_norm()));
  Verification& before = stored.verifications[VerificationPhase::before];
  before.ok = true;
  before.error_norm = 2e-7;
  CHECK(stored.verified() == true);
  CHECK(stored.error_norm() == 2e-7);
  Verification& after = stored.verifications[VerificationPhase::after];
  after.ok = false;
  after.error_norm = 1e-7;
  CHECK(stored.verified() == false);
  CHECK(stored.error_norm() == 2e-7);
  after.error_norm = std::nan("");
  CHECK(stored.error_norm() == 2e-7);
  before.ok = false;
  after.ok = true;
  CHECK(stored.verified() == false);
}

TEST_CASE("only points that are right have times to show") {
  for (const StatusInfo& entry : status_table) {
    CAPTURE(entry.id);
    Result stored = measured("fake:0", "naive", 1000, 10);
    stored.row.point.status = entry.status;
    CHECK(stored.timed() == (entry.status == Status::ok || entry.status == Status::unstable));
    stored.measurement.reset();
    CHECK_FALSE(stored.timed());
  }
}
