// The packed product in all its ways: instruction sets, blocks that do not fit, operands copied or not.
#include <catch2/catch_template_test_macros.hpp>

#include <utility>

#include "cpu_avx/plugin_under_test.hpp"
#include "support/catch.hpp"
#include "workloads/plain_product.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

template <class T>
void check_product(DeviceProduct<T>& product, const VariantInfo& variant, const Parameters& tunables,
                   const std::vector<double>& truth) {
  const auto k = static_cast<double>(product.k);
  const double roundoff = std::numeric_limits<T>::epsilon() / 2;
  const double bound = roundoff * k * (k + 1) / 2 + roundoff;
  const auto prepared = product.prepare(variant, tunables);
  CAPTURE(prepared->notes());
  product.poison(0);
  for (int run = 0; run < 2; ++run) {
    prepared->run(0);
    const std::vector<T> c = product.output();
    double worst = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      const double error = std::abs(static_cast<double>(c[i]) - truth[i]);
      if (!(error <= worst)) worst = error;
    }
    CHECK(worst <= bound);
  }
  CHECK(product.surroundings_kept());
}

/// Every combination worth trying beside the choice for the machine.
std::vector<Parameters> ways(bool avx512) {
  std::vector<Parameters> all;
  for (const char* instructions : {"avx2", "avx512"}) {
    if (std::string_view(instructions) == "avx512" && !avx512) continue;
    for (const char* store : {"cached", "streaming"}) {
      all.push_back({{"instructions", std::string(instructions)}, {"store", std::string(store)}});
    }
    for (const char* pack : {"auto", "none", "a", "b", "both"}) {
      for (const bool small : {false, true}) {
        all.push_back({{"instructions", std::string(instructions)},
                       {"pack", std::string(pack)},
                       {"store", std::string(small ? "cached" : "streaming")},
                       {"threads", std::int64_t{small ? 0 : 1}},
                       {"depth", std::int64_t{small ? 7 : 0}},
                       {"tall", std::int64_t{small ? 5 : 0}},
                       {"wide", std::int64_t{small ? 1 : 0}}});
      }
    }
  }
  return all;
}

}  // namespace

TEMPLATE_TEST_CASE("packed products are right in every way", "", float, double) {
  const auto plugin = load_cpu_avx();
  const DeviceInfo device = plugin->backend()->devices().devices.at(0);
  const VariantInfo& variant = variant_named(*plugin->backend(), "packed");
  if (!runs_on(variant, device)) SKIP("no AVX2");
  const auto session = plugin->backend()->open("0", {});
  VariantInfo wide = variant;
  wide.features = {"avx512f", "avx512vl"};
  // Rows up to the tallest tile and one more; columns around every vector; k around the unrolled steps.
  std::vector<std::array<std::size_t, 3>> shapes;
  for (std::size_t m = 1; m <= 15; ++m) shapes.push_back({m, 33, 9});
  for (const std::size_t n : {1U, 3U, 4U, 5U, 7U, 8U, 9U, 15U, 16U, 17U, 23U, 31U, 32U, 40U, 48U, 64U}) {
    shapes.push_back({25, n, 13});
  }
  for (const std::size_t k : {1U, 2U, 3U, 4U, 5U, 31U, 32U}) shapes.push_back({29, 50, k});
  // Short sums in panels of one vector, of two and in part, with some rows at a time; and one of few
  // columns beside tiles.
  for (std::size_t k = 1; k <= 25; ++k) shapes.push_back({9, k % 3 == 0 ? 8U : 5U, k});
  for (std::size_t k = 6; k <= 13; ++k) shapes.push_back({40, 144, k});
  shapes.push_back({300, 1024, 7});
  shapes.push_back({20, 37, 24});
  // Few rows in tiles of up to four vectors, the last in part and with rows of B behind it or none.
  for (std::size_t m = 1; m <= 7; ++m) {
    for (const std::size_t n : {47U, 64U, 69U, 100U}) shapes.push_back({m, n, 27});
  }
  shapes.push_back({5, 530, 401});
  // One to eight columns beside whole vectors, over whole vectors of k and less.
  for (const std::size_t n : {5U, 6U, 7U, 8U, 22U, 24U}) shapes.push_back({43, n, 50});
  shapes.push_back({83, 21, 128});
  // The same over few steps of k, those in part of a vector among them, for as many rows as it takes and
  // fewer.
  for (std::size_t k = 8; k <= 35; ++k) shapes.push_back({k % 4 == 0 ? 9U : 83U, k % 5 + 1, k});
  for (std::size_t n = 1; n <= 4; ++n) shapes.push_back({61, 16 + n, 23});
  for (const std::size_t n : {33U, 34U, 35U, 36U, 37U}) {
    shapes.push_back({11, n, 48});
    shapes.push_back({8, n, 39});
  }
  shapes.push_back({140, 96, 20});
  shapes.push_back({130, 70, 560});
  for (const auto& [m, n, k] : shapes) {
    DeviceProduct<TestType> product(*session, m, n, k);
    const auto truth =
        compensated_product<TestType>(product.input(0), product.input(1), product.m, product.n, product.k);
    for (const Parameters& tunables : ways(runs_on(wide, device))) {
      CAPTURE(m, n, k);
      check_product(product, variant, tunables, truth);
    }
  }
}

TEST_CASE("a packed product says how it is done") {
  const auto plugin = load_cpu_avx();
  const DeviceInfo device = plugin->backend()->devices().devices.at(0);
  const VariantInfo& variant = variant_named(*plugin->backend(), "packed");
  if (!runs_on(variant, device)) SKIP("no AVX2");
  const auto session = plugin->backend()->open("0", {});
  DeviceProduct<float> product(*session, 200, 40, 600);
  const auto notes = product
                         .prepare(variant, {{"instructions", std::string("avx2")},
                                            {"threads", std::int64_t{1}},
                                            {"depth", std::int64_t{100}},
                                            {"tall", std::int64_t{60}},
                                            {"wide", std::int64_t{33}},
                                            {"pack", std::string("b")},
                                            {"store", std::string("cached")}})
                         ->notes();
  CHECK(notes.at("instructions") == "avx2 fma");
  CHECK(notes.at("threads") == "1");
  CHECK(notes.at("blocking") ==
        "slabs of 100, 60 rows of A in place, 64 columns of B packed; threads 1 × 1");
  CHECK_THAT(failure_of([&] {
               product.prepare(variant, {{"depth", std::int64_t{-3}}});
             }).what(),
             ContainsSubstring("depth = -3"));
}

// A sum along k must not take in what follows a row of A, or of B's few last columns.
TEMPLATE_TEST_CASE("what is no number beside a packed product stays there", "", float, double) {
  const auto plugin = load_cpu_avx();
  const DeviceInfo device = plugin->backend()->devices().devices.at(0);
  const VariantInfo& variant = variant_named(*plugin->backend(), "packed");
  if (!runs_on(variant, device)) SKIP("no AVX2");
  const auto session = plugin->backend()->open("0", {});
  VariantInfo wide = variant;
  wide.features = {"avx512f", "avx512vl"};
  // Row 3 of A and the last column of B are no numbers: so are that row and that column of C, and nothing
  // else. Up to four last columns are summed along k if there are enough steps.
  const std::size_t m = 6;
  for (const auto& [n, k] : {std::pair{36U, 21U},
                             {36U, 45U},
                             {35U, 45U},
                             {34U, 45U},
                             {33U, 45U},
                             {8U, 6U},
                             {9U, 11U},
                             {5U, 20U}}) {
    DeviceProduct<TestType> product(*session, m, n, k);
    const TestType none = std::numeric_limits<TestType>::quiet_NaN();
    for (std::size_t p = 0; p < k; ++p) {
      product.put(0, 3 * k + p, none);
      product.put(1, p * n + n - 1, none);
    }
    for (const Parameters& tunables : ways(runs_on(wide, device))) {
      const auto prepared = product.prepare(variant, tunables);
      CAPTURE(n, k, prepared->notes());
      product.poison(0);
      prepared->run(0);
      const std::vector<TestType> c = product.output();
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < m * n; ++i) {
        if (std::isnan(c[i]) != (i / n == 3 || i % n == n - 1)) ++wrong;
      }
      CHECK(wrong == 0);
    }
  }
}
