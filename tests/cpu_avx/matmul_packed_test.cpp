// The packed product in all its ways: instruction sets, blocks that do not fit, operands copied or not.
#include <catch2/catch_template_test_macros.hpp>

#include <span>

#include "cpu_avx/plugin_under_test.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// Every combination worth trying beside the choice for the machine.
std::vector<Parameters> ways(const Processor& cpu) {
  VariantInfo wide;
  wide.features = {"avx512f", "avx512vl"};
  const bool avx512 = cpu.runs(wide);
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

TEST_CASE("packed products are right in every way") {
  const DType type = GENERATE(DType::f32, DType::f64);
  const Processor cpu;
  if (!cpu.runs(cpu.matmul("packed"))) SKIP("no AVX2");
  // Rows up to the tallest tile and one more; columns around every vector; k around the unrolled steps.
  std::vector<MatmulSize> shapes;
  for (std::int64_t m = 1; m <= 15; ++m) shapes.push_back({m, 33, 9});
  for (const std::int64_t n : {1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 23, 31, 32, 40, 48, 64}) {
    shapes.push_back({25, n, 13});
  }
  for (const std::int64_t k : {1, 2, 3, 4, 5, 31, 32}) shapes.push_back({29, 50, k});
  // Short sums in panels of one vector, of two and in part, with some rows at a time; and one of few
  // columns beside tiles.
  for (std::int64_t k = 1; k <= 25; ++k) shapes.push_back({9, k % 3 == 0 ? 8 : 5, k});
  for (std::int64_t k = 6; k <= 13; ++k) shapes.push_back({40, 144, k});
  shapes.push_back({300, 1024, 7});
  shapes.push_back({20, 37, 24});
  // Few rows in tiles of up to four vectors, the last in part and with rows of B behind it or none.
  for (std::int64_t m = 1; m <= 7; ++m) {
    for (const std::int64_t n : {47, 64, 69, 100}) shapes.push_back({m, n, 27});
  }
  shapes.push_back({5, 530, 401});
  // One to eight columns beside whole vectors, over whole vectors of k and less.
  for (const std::int64_t n : {5, 6, 7, 8, 22, 24}) shapes.push_back({43, n, 50});
  shapes.push_back({83, 21, 128});
  // The same over few steps of k, those in part of a vector among them, for as many rows as it takes and
  // fewer.
  for (std::int64_t k = 8; k <= 35; ++k) shapes.push_back({k % 4 == 0 ? 9 : 83, k % 5 + 1, k});
  for (std::int64_t n = 1; n <= 4; ++n) shapes.push_back({61, 16 + n, 23});
  for (const std::int64_t n : {33, 34, 35, 36, 37}) {
    shapes.push_back({11, n, 48});
    shapes.push_back({8, n, 39});
  }
  shapes.push_back({140, 96, 20});
  shapes.push_back({130, 70, 560});
  for (MatmulSize& shape : shapes) {
    shape.dtype = type;
    MatmulProblem product(*cpu.session, shape);
    for (const Parameters& tunables : ways(cpu)) {
      const auto prepared = product.prepare(cpu.lane, "packed", tunables);
      CAPTURE(shape.m, shape.n, shape.k, prepared->notes());
      product.poison(0);
      for (int run = 0; run < 2; ++run) {
        prepared->run(0);
        CHECK(product.fault(0) == "");
      }
    }
  }
}

TEST_CASE("a packed product says how it is done") {
  const Processor cpu;
  if (!cpu.runs(cpu.matmul("packed"))) SKIP("no AVX2");
  MatmulProblem product(*cpu.session, {200, 40, 600});
  const auto notes = product
                         .prepare(cpu.lane, "packed",
                                  {{"instructions", std::string("avx2")},
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
  const Parameters wished{{"depth", std::int64_t{-3}}};
  CHECK_THAT(failure_of([&] { static_cast<void>(product.prepare(cpu.lane, "packed", wished)); }).what(),
             ContainsSubstring("depth = -3"));
}

// A sum along k must not take in what follows a row of A, or of B's few last columns.
TEMPLATE_TEST_CASE("what is no number beside a packed product stays there", "", float, double) {
  const Processor cpu;
  if (!cpu.runs(cpu.matmul("packed"))) SKIP("no AVX2");
  // Row 3 of A and the last column of B are no numbers: so are that row and that column of C, and nothing
  // else. Up to four last columns are summed along k if there are enough steps.
  constexpr std::int64_t m = 6;
  const DType type = sizeof(TestType) == 4 ? DType::f32 : DType::f64;
  for (const auto& [n, k] :
       {std::pair{36, 21}, {36, 45}, {35, 45}, {34, 45}, {33, 45}, {8, 6}, {9, 11}, {5, 20}}) {
    MatmulProblem product(*cpu.session, {m, n, k, type});
    const TestType none = std::numeric_limits<TestType>::quiet_NaN();
    const auto spoil = [&](std::size_t buffer, int index) {
      const auto offset = static_cast<std::uint64_t>(index) * sizeof none;
      product.device().write(0, buffer, offset, std::as_bytes(std::span(&none, 1)));
    };
    for (int p = 0; p < k; ++p) {
      spoil(0, 3 * k + p);
      spoil(1, p * n + n - 1);
    }
    for (const Parameters& tunables : ways(cpu)) {
      const auto prepared = product.prepare(cpu.lane, "packed", tunables);
      CAPTURE(n, k, prepared->notes());
      product.poison(0);
      prepared->run(0);
      std::vector<TestType> c(static_cast<std::size_t>(m * n));
      product.device().read(0, 2, 0, std::as_writable_bytes(std::span(c)));
      int wrong = 0;
      for (int i = 0; i < m * n; ++i) {
        if (std::isnan(c[static_cast<std::size_t>(i)]) != (i / n == 3 || i % n == n - 1)) ++wrong;
      }
      CHECK(wrong == 0);
    }
  }
}
