// The times that the choice among forms of products of doubles expects, with simple rates.
#include "f64_times.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace benchctl::cuda;
using Catch::Approx;

namespace {

constexpr ProductDevice f64_device{"sm_90a", 10, 200 * 1024};
constexpr F64Rates rates{100, 200};
constexpr F64Overheads nothing{};

/// 64×64×16 with room for two blocks, unless shared memory says otherwise.
F64Form form_of(std::uint32_t splits = 1, std::uint64_t shared_bytes = 1024, bool shares_out = false) {
  return {64, 64, 16, splits, shared_bytes, shares_out};
}

double computing(const ProductSize& size, const F64Form& form, const F64Overheads& overheads = nothing) {
  return expected_f64_ns(size, form, rates, overheads, f64_device) - starting_f64_ns;
}

/// Of one tile with so many steps, by a block that is alone.
double alone(double steps) { return 2 * 64 * 64 * steps / 100; }

}  // namespace

TEST_CASE("blocks that a multiprocessor has at a time share its rate", "[cuda]") {
  // 10, 20 and 30 tiles on 10 multiprocessors.
  CHECK(computing({64, 640, 160000}, form_of()) == Approx(alone(160000)).epsilon(0.01));
  CHECK(computing({128, 640, 160000}, form_of()) == Approx(alone(160000)).epsilon(0.01));
  CHECK(computing({192, 640, 160000}, form_of()) == Approx(2 * alone(160000)).epsilon(0.01));
  // Room for one.
  CHECK(computing({128, 640, 160000}, form_of(1, 150 * 1024)) == Approx(2 * alone(160000)).epsilon(0.01));
}

TEST_CASE("the last slab of a sum counts as a whole one", "[cuda]") {
  CHECK(computing({64, 64, 160001}, form_of()) > computing({64, 64, 160000}, form_of()));
  CHECK(computing({64, 64, 160001}, form_of()) ==
        Approx(computing({64, 64, 160016}, form_of())).epsilon(1e-6));
}

TEST_CASE("tiles that are shared out evenly leave no multiprocessor idle", "[cuda]") {
  CHECK(computing({64, 64 * 15, 160000}, form_of(1, 1024, true)) ==
        Approx(1.5 * alone(160000)).epsilon(0.01));
}

TEST_CASE("parts of a sum take a part of the time, and are joined", "[cuda]") {
  const ProductSize size{64, 64, 160000};
  const double bytes = 10 * 8 * 64 * 64;
  const F64Overheads joining{0, 0, 0, 0, 500};
  CHECK(computing(size, form_of(10), joining) ==
        Approx(alone(16000) + 500 + bytes * (joining_ns_per_byte + moving_ns_per_byte)).epsilon(0.01));
}

TEST_CASE("short sums take time for their ends, and for storing C", "[cuda]") {
  const F64Overheads overheads{16, 32, 0.25, 0.5, 0};
  const auto more = [&](const ProductSize& size) {
    return computing(size, form_of(), overheads) - computing(size, form_of());
  };
  CHECK(more({64, 64, 16000}) == Approx(alone(16) + 0.25 * 64 * 64).epsilon(0.01));
  CHECK(more({64, 64, 15999}) == Approx(alone(32) + 0.25 * 64 * 64).epsilon(0.01));
  CHECK(more({64, 63, 16000}) == Approx(alone(32) + 0.5 * 64 * 64).epsilon(0.01));
}

TEST_CASE("memory takes its time where there is little to compute", "[cuda]") {
  constexpr F64Rates quick{1e9, 1e9};
  const double bytes = 8.0 * (6400.0 * 16 + 16 * 6400 + 6400.0 * 6400);
  CHECK(expected_f64_ns({6400, 6400, 16}, form_of(), quick, nothing, f64_device) - starting_f64_ns ==
        Approx(bytes / memory_bytes_per_ns).epsilon(0.01));
}

TEST_CASE("small tiles are for as many as were measured", "[cuda]") {
  const F64Form small{32, 64, 16, 1, 1024, false};
  CHECK(within_measured({32, 64 * 80, 100}, small, f64_device));
  CHECK_FALSE(within_measured({32, 64 * 81, 100}, small, f64_device));
  CHECK(within_measured({64, 64 * 810, 100}, form_of(), f64_device));
}
